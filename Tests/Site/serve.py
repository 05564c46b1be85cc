"""Shows a folder at http://127.0.0.1:PORT/, or below a path of it.

usage: serve.py FOLDER PORT [BASE]

A site with `base-url: https://example.org/notes/` is looked at below /notes/.
"""

import functools
import http.server
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    base = "/"

    def translate_path(self, path):
        if not path.startswith(self.base):
            return "/nonexistent"
        return super().translate_path("/" + path[len(self.base):])

    def send_error(self, code, message=None, explain=None):
        # What is missing is shown as a server of static sites shows it.
        if code != 404:
            return super().send_error(code, message, explain)
        try:
            with open(self.translate_path(self.base + "404.html"), "rb") as page:
                body = page.read()
        except OSError:
            return super().send_error(code, message, explain)
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        # A browser that turns away in the middle of a file is no fault.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def server(folder, port, base="/"):
    """A server of `folder` on the loopback interface; port 0 takes a free one."""
    handler = type("BoundHandler", (Handler,), {"base": base})
    return Server(
        ("127.0.0.1", port), functools.partial(handler, directory=folder))


def main(arguments):
    folder, port = arguments[0], int(arguments[1])
    base = "/" + (arguments[2] if len(arguments) > 2 else "").strip("/") + "/"
    base = "/" if base == "//" else base
    try:
        serving = server(folder, port, base)
    except OSError as error:
        sys.exit(f"port {port} cannot be used ({error.strerror}); "
                 f"take another: make serve port={port + 1}")
    print(f"the site is at http://127.0.0.1:{port}{base} (stop with Ctrl-C)", flush=True)
    try:
        serving.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main(sys.argv[1:])
