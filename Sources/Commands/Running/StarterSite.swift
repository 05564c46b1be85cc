import YAML
import Notes

/// The files of a new site: settings, a home page, and three notes that show
/// what can be done.
struct StarterSite {
    /// Paths in the site folder with their texts, in the order of writing.
    let files: [(path: String, text: String)]

    /// The file that says what no repository keeps.
    static let ignoreFile = ".gitignore"
    /// Its lines.
    static let ignored = ["public/", ".daybook/", ".trash/"]

    /// A site whose folder is called `name`, begun at `now`: its notes are
    /// dated that day and the days before. Where it `publishesBranch`, its
    /// settings say so.
    init(name: String, now: Instant, publishesBranch: Bool = false) {
        let today = Int(now.seconds / 86_400)
        func day(_ ago: Int) -> String { CalendarDay(ordinal: today - ago).text }
        let words = name.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
        let title = words.isEmpty ? "Notes" : words.prefix(1).uppercased() + words.dropFirst()
        files = [
            ("daybook.yml", Self.settings(title) + (publishesBranch ? Self.branch : "")),
            ("content/index.md", Self.home()),
            ("content/Welcome.md", Self.welcome(day(0))),
            ("content/Writing/A page of examples.md", Self.examples(day(1))),
            ("content/Writing/Links between notes.md", Self.links(day(2))),
            (Self.ignoreFile, Self.ignored.map { $0 + "\n" }.joined()),
        ]
    }

    private static func settings(_ title: String) -> String {
        """
        # Every line here is optional; the guide has all the keys.
        title: \(YAMLText.scalar(title))
        description: Notes, newest first.
        # author: Your Name
        # language: en
        # timezone: Europe/Berlin

        # Colours (one for light pages, one for dark ones), fonts, widths:
        # theme:
        #   accent: ["#8a2f1d", "#f0a48f"]
        #   font-text: Georgia, serif

        # Where the site will stand. Feeds and a sitemap need it:
        # base-url: https://example.org/

        """
    }

    private static let branch = """

        # `daybook publish` sends what changed there:
        publish:
          pages:
            git: {remote: origin, branch: gh-pages}

        """

    private static func home() -> String {
        """
        This text is `content/index.md`. The newest notes follow below, by month.
        Begin with [[Welcome]].

        """
    }

    private static func welcome(_ day: String) -> String {
        """
        ---
        title: Welcome
        date: \(day)
        tags: [start]
        ---

        Each Markdown file in `content` is a note, and each folder a page that lists
        its notes. A note's date comes from its front matter, as above this text, or from
        the name of its file. Nothing else is needed.

        - [x] make a site
        - [ ] write a note: `daybook new "First frost"`
        - [ ] give the site a name in `daybook.yml`
        - [ ] choose a colour there, under `theme:`
        - [ ] remove these three notes: `daybook remove Welcome`

        [[A page of examples]] shows what a note can hold, and [[Links between notes]]
        how notes find each other.

        """
    }

    private static func examples(_ day: String) -> String {
        """
        ---
        date: \(day)
        tags: [start, writing/markdown]
        description: Headings, lists, tables, code and more, to copy from.
        ---

        Words can be *stressed*, **strong**, ~~struck out~~ or ==marked==, and a
        `command` looks like one.[^1]

        > [!tip] A callout
        > draws the eye to what matters. Also known: note, warning, example, quote and others.

        ## A list

        1. First things first.
        2. Then the rest:
           - a thing,
           - another.

        ## A table

        | bird       | seen | where     |
        |------------|-----:|-----------|
        | kingfisher |    3 | the weir  |
        | heron      |   12 | the pond  |
        | dipper     |    1 | the ford  |

        ## Code

        ```python
        def greet(name):
            return f"Good morning, {name}"
        ```

        ## A quotation

        > The river was low this morning, and the stones showed.

        [^1]: A footnote, which waits at the end of the page.

        """
    }

    private static func links(_ day: String) -> String {
        """
        ---
        date: \(day)
        tags: [start, writing]
        aliases: [Wikilinks]
        ---

        Write the name of a note between double brackets, and it becomes a link:
        `[[Welcome]]` leads to [[Welcome]]. With a bar it takes other words:
        `[[Welcome|the first note]]` is [[Welcome|the first note]]. A heading can be
        reached too, as in [[A page of examples#A table]].

        Below each note stands who links to it, with the sentence that does. A link that
        leads to nothing is a warning with its line and the closest name, so that names can
        be mended before anybody sees them.

        Tags group notes across folders: #writing here in the text counts as much as one in
        the front matter, and `writing/markdown` is counted for `writing` too.

        """
    }
}
