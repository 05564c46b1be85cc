// Templating
