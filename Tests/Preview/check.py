"""Puts the preview and its editor before a real browser.

usage: check.py PROGRAM FOLDER [WORDS]

Where words are given only the checks are made whose names have them.

Serves sites that are made in FOLDER, on the loopback interface only. Every check
waits for what it expects, for long: the machine may be busy. Where no browser can
be driven the checks are skipped, with a word.
"""

import base64
import math
import pathlib
import shutil
import struct
import subprocess
import sys
import threading
import time
import traceback
import unicodedata
import urllib.parse
import zlib

from webdriver import Driver, Missing, wait

outcome = {"passed": 0, "failed": 0, "skipped": 0, "words": [""]}


def check(name, work):
    if not any(word in name for word in outcome["words"]):
        return
    try:
        word = work()
        outcome["passed"] += 1
        print(f"passed   {name}" + (f": {word}" if word else ""), flush=True)
    except Exception as error:
        outcome["failed"] += 1
        print(f"FAILED   {name}: {error}", flush=True)
        traceback.print_exc()


class Served:
    """A site of notes that the real program serves."""

    def __init__(self, program, folder, notes, files=None):
        shutil.rmtree(folder, ignore_errors=True)
        self.folder = folder
        for path, text in notes.items():
            self.write("content/" + path, text)
        for path, text in (files or {}).items():
            self.write(path, text)
        (folder / "content").mkdir(parents=True, exist_ok=True)
        self.process = subprocess.Popen(
            [program, "serve", str(folder), "--port", "0", "--verbose", "--now", "2026-06-01T12:00Z"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.said = []
        self.reader = threading.Thread(
            target=lambda: self.said.extend(self.process.stderr), daemon=True)
        self.reader.start()
        self.site = self.process.stdout.readline().split()[-1]
        self.editor = self.process.stdout.readline().split()[-1]

    def write(self, path, text):
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())

    def note(self, path):
        place = self.folder / "content" / path
        return place.read_text() if place.exists() else None

    def replace(self, path, old, new):
        text = self.note(path)
        assert old in text, f"{path} has no {old}"
        self.write("content/" + path, text.replace(old, new))

    def observers(self):
        lines = [line for line in self.said if line.rstrip().endswith(" listening")]
        return int(lines[-1].split()[0]) if lines else 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def tone():
    """Two minutes of a low tone, as a WAV file."""
    rate = 8000
    data = bytes(int(128 + 20 * math.sin(i * 0.2)) for i in range(rate)) * 120
    head = b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt "
    return head + struct.pack("<IHHIIHH", 16, 1, 1, rate, rate, 1, 8) + b"data" + struct.pack(
        "<I", len(data)) + data


def picture(size=8):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(
            ">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress((b"\0" + b"\x20\x80\x60" * size) * size)) + chunk(b"IEND", b""))


# Pages that are open while files change

LISTENS = "return document.querySelector('daybook-preview') !== null"


def many():
    notes = {f"n{i}.md": f"---\ntitle: Note {i}\ndate: 2024-03-{1 + i % 28:02}\n---\nText {i}.\n"
             for i in range(300)}
    notes["index.md"] = (
        "# Home\n\n<input id='half'>\n\n<audio id='tone' src='/tone.wav' loop></audio>\n\n"
        "<details id='more'><summary>More</summary>\n\nWords to be chosen.\n\n</details>\n")
    return notes


def stays(served, browser):
    """A title that is edited on the disk changes one text, and nothing else."""
    browser.go(served.site)
    wait("an observer", lambda: served.observers() == 1)
    browser.type("#half", "half a word")
    browser.run("""
      document.getElementById('more').open = true;
      const tone = document.getElementById('tone');
      tone.muted = true;
      tone.play();
      document.getElementById('half').focus();
      document.getElementById('half').setSelectionRange(2, 5);
      scrollTo({top: 400, behavior: 'instant'});
      window.born = Math.random();
      window.seen = [];
      new MutationObserver((list) => seen.push(...list.map((one) => [one.type, one.target.data])))
        .observe(document.documentElement, {subtree: true, childList: true, characterData: true,
                                            attributes: true});
    """)
    browser.until("the tone", "return document.getElementById('tone').currentTime > 0.1")
    before = browser.run("return [scrollY, born, document.getElementById('tone').currentTime]")
    assert before[0] > 100, f"the page scrolls to {before[0]}"
    served.replace("n279.md", "Note 279", "Another title & more")
    browser.until("the title", "return [...document.links].some((a) => a.textContent === 'Another title & more')")
    after = browser.run("""
      const half = document.getElementById('half');
      const tone = document.getElementById('tone');
      return {scroll: scrollY, born, seen, active: document.activeElement.id, value: half.value,
              selection: [half.selectionStart, half.selectionEnd],
              open: document.getElementById('more').open, paused: tone.paused, time: tone.currentTime};
    """)
    assert after["scroll"] == before[0] and after["born"] == before[1], after
    assert after["active"] == "half" and after["value"] == "half a word", after
    assert after["selection"] == [2, 5] and after["open"], after
    assert not after["paused"] and after["time"] > before[2], after
    assert after["seen"] == [["characterData", "Another title & more"]], after["seen"]
    return "one change of one text"


def comes_and_goes(served, browser):
    browser.go(served.site)
    wait("an observer", lambda: served.observers() == 1)
    browser.run("window.born = 1; document.getElementById('half').value = 'kept'")
    served.write("content/new.md", "---\ntitle: Brand new\ndate: 2024-04-01\n---\nText.\n")
    browser.until("the note", "return [...document.links].some((a) => a.textContent === 'Brand new')")
    assert browser.run("return window.born === 1 && document.getElementById('half').value === 'kept'")
    (served.folder / "content/new.md").unlink()
    browser.until("the note to go", "return ![...document.links].some((a) => a.textContent === 'Brand new')")
    assert browser.run("return window.born === 1")


def overlays(served, browser):
    """What is wrong lies over the last good page; what is gone says so."""
    host = "const host = document.querySelector('daybook-preview');"
    # The tree of the overlay is closed to the page's own scripts; its size is not.
    browser.go(served.site + "n1/")
    wait("an observer", lambda: served.observers() == 1)
    browser.run("window.told = []; addEventListener('daybook:patched', (e) => told.push(e.detail.join()))")
    served.replace("n1.md", "2024-03-02", "2024-02-30")
    browser.until("the message", "return told.includes('faults')")
    assert browser.run("return document.body.textContent.includes('Text 1.')")
    assert browser.run(host + "return host.shadowRoot === null")
    served.replace("n1.md", "2024-02-30", "2024-03-02")
    browser.until("the mending", "return told.length > 1")
    browser.run("told.length = 0")
    (served.folder / "content/n1.md").rename(served.folder / "aside")
    browser.until("the word", "return told.includes('gone')")
    assert browser.run("return document.body.textContent.includes('Text 1.')")
    browser.go(served.site + "n1/")
    browser.until("the page for what is missing", "return document.title.includes('404') || document.body.textContent.includes('may be mistyped')")
    wait("an observer", lambda: served.observers() == 1)
    (served.folder / "aside").rename(served.folder / "content/n1.md")
    browser.until("the page", "return document.body.textContent.includes('Text 1.')")


def mends(served, browser):
    """A page whose HTML a browser has to mend is changed too, without a reload."""
    served.write("content/odd.md", "# Odd\n\n<div><p>One<div>Two</p></div>\n\n<table><tr><td>x</table>\n\nLast.\n")
    browser.go(served.site + "odd/")
    browser.until("the page", "return document.body?.textContent.includes('Last.')")
    wait("an observer", lambda: served.observers() == 1)
    browser.run("window.born = 1")
    served.replace("odd.md", "Last.", "Later.")
    browser.until("the text", "return document.body.textContent.includes('Later.')")
    assert browser.run("return window.born === 1")
    (served.folder / "content/odd.md").unlink()


def styles(served, browser):
    browser.go(served.site)
    wait("an observer", lambda: served.observers() == 1)
    browser.run("window.born = 1")
    served.write("static/custom.css", "h1 { color: rgb(1, 2, 3) }\n")
    browser.until("the colour", "return getComputedStyle(document.querySelector('h1')).color === 'rgb(1, 2, 3)'")
    assert browser.run("return window.born === 1")
    # A save that comes before the sheet of the one before it is loaded.
    sheets = "return document.querySelectorAll('link[rel~=stylesheet][href*=custom]').length"
    assert browser.run(sheets) == 1
    browser.run("""
      const sheet = document.querySelector('link[rel~=stylesheet][href*=custom]');
      const loading = sheet.cloneNode();
      loading.setAttribute('data-daybook', '');
      sheet.after(loading);
    """)
    served.write("static/custom.css", "h1 { color: rgb(4, 5, 6) }\n")
    browser.until("the colour", "return getComputedStyle(document.querySelector('h1')).color === 'rgb(4, 5, 6)'")
    browser.until("one sheet", sheets + " === 1")


def decorates(served, browser):
    """What the look's script adds is there after changes as it is on a page that was just loaded."""
    served.write("content/rich.md", "# Rich\n\nText.\n\n## One\n\n```\ncode\n```\n\n- [ ] task\n")
    state = """return [...document.querySelectorAll(".body :is(h2, pre, li input)")].map(e => [e.tagName,
        e.querySelectorAll(".anchor, .copy").length, e.querySelector(".anchor")?.hash ?? "",
        e.getAttribute("aria-label")].join()).join("; ")"""
    browser.go(served.site + "rich/")
    browser.until("the page", "return document.querySelector('.body .anchor') !== null")
    wait("an observer", lambda: served.observers() == 1)
    browser.run("window.born = 1")
    served.replace("rich.md", "Text.", "Words.")
    browser.until("the word", "return document.body.textContent.includes('Words.')")
    served.replace("rich.md", "## One", "## Uno\n\n```\nmore\n```\n\n## Two")
    browser.until("the headings", "return document.querySelectorAll('.body h2').length === 2")
    served.replace("rich.md", "- [ ] task", "- [x] task\n- [ ] other")
    browser.until("the tasks", "return document.querySelectorAll('.body li input').length === 2")
    patched = browser.run(state)
    assert browser.run("return window.born === 1")
    browser.go(served.site + "rich/")
    browser.until("the page", "return document.querySelector('.body .anchor') !== null")
    loaded = browser.run(state)
    assert patched == loaded, f"{patched} is not {loaded}"
    (served.folder / "content/rich.md").unlink()


def odd_addresses(served, browser):
    """An address that is no text keeps no later message from being taken, and a
    picture is loaded anew whatever its name."""
    served.write("content/a&b#50%.png", picture())
    served.write("content/names.md", "# Names\n\n<img src='/50%.png'> <img src='http://['>\n\n"
                 "![](a%26b%2350%25.png)\n\nFirst.\n")
    browser.go(served.site + "names/")
    browser.until("the page", "return document.body?.textContent.includes('First.')")
    wait("an observer", lambda: served.observers() == 1)
    browser.run("window.born = 1")
    served.write("static/custom.css", "h1 { color: rgb(4, 5, 6) }\n")
    browser.until("the colour", "return getComputedStyle(document.querySelector('h1')).color === 'rgb(4, 5, 6)'")
    served.replace("names.md", "First.", "Second.")
    browser.until("the text", "return document.body.textContent.includes('Second.')")
    served.write("content/a&b#50%.png", picture(16))
    browser.until("the picture", "return [...document.images].some((one) => one.naturalWidth === 16)")
    assert browser.run("return window.born === 1")
    (served.folder / "content/names.md").unlink()
    (served.folder / "content/a&b#50%.png").unlink()


def silence(served, browser):
    """A page that could not ask for what it lacks asks again, and stays as it is."""
    browser.go(served.site + "n2/")
    wait("an observer", lambda: served.observers() == 1)
    # The page is another than the one that a patch is meant for, and asks in vain.
    browser.run("""
      window.born = 1;
      window.asked = 0;
      const real = fetch;
      window.fetch = (...all) => ++asked === 1 ? Promise.reject(new TypeError('no')) : real(...all);
      for (const p of document.querySelectorAll('.body p')) p.replaceChildren('Strange');
    """)
    served.replace("n2.md", "Text 2.", "Text two.")
    browser.until("the text", "return document.body.textContent.includes('Text two.')")
    assert browser.run("return window.born === 1 && asked > 1")
    served.replace("n2.md", "Text two.", "Text 2.")
    browser.until("the text", "return document.body.textContent.includes('Text 2.')")


def never_there(served, browser):
    """Over a page that is not there it is not said that it is the last good one."""
    served.write("content/bad.md", "---\ntitle: [\n---\n")

    def texts(node):
        yield node.get("nodeValue", "")
        for key in ("children", "shadowRoots"):
            for child in node.get(key, []):
                yield from texts(child)

    def title():
        found = [text for text in texts(browser.cdp("DOM.getDocument", depth=-1, pierce=True)["root"])
                 if text.startswith("Something is wrong")]
        return found and found[0]

    browser.go(served.site + "bad/")
    wait("the message", title)
    assert title() == "Something is wrong", title()
    served.write("content/bad.md", "---\ntitle: Bad\n---\n")
    browser.until("the page", "return document.querySelector('h1')?.textContent === 'Bad'")
    served.write("content/bad.md", "---\ntitle: [\n---\n")
    wait("the message", lambda: title() == "Something is wrong; the page is the last good one")
    (served.folder / "content/bad.md").unlink()


def tabs(served, browser):
    """Tabs that are opened and closed leave nobody who listens."""
    first = browser.tabs()[0]
    browser.go("about:blank")
    wait("nobody", lambda: served.observers() == 0)
    for _ in range(5):
        browser.tab()
        browser.go(served.site)
        wait("an observer", lambda: served.observers() >= 1)
    # A hundred streams, as many pages would have them; browsers open six.
    script = "return Promise.all([...Array(100)].map((_, i) => " \
        "fetch('/.daybook/page.js?' + i).then((r) => r.ok))).then((all) => all.length)"
    assert browser.run(script) == 100
    for name in browser.tabs():
        if name != first:
            browser.switch(name)
            browser.close_tab()
    browser.switch(first)
    wait("nobody", lambda: served.observers() == 0)


def look(program, folder, driver):
    with Served(program, folder / "many", many(), {
            "static/tone.wav": tone(), "static/custom.css": "h1 { color: red }\n"}) as served:
        for name, work in [
                ("a title changes in place", stays), ("a note comes and goes", comes_and_goes),
                ("faults and absence are laid over", overlays), ("odd HTML is changed too", mends),
                ("a style sheet is swapped", styles), ("what the look adds stays", decorates),
                ("odd addresses", odd_addresses), ("a request that fails", silence),
                ("a page that was never there", never_there),
                ("closed pages are forgotten", tabs)]:
            with driver.session() as browser:
                check(name, lambda: work(served, browser))
            wait("nobody to listen", lambda: served.observers() == 0)


# The editor

NOTE = """---
title: First frost # kept
date: 2024-03-01 07:30
tags: [cold, garden]
custom: {a: 1}
---

White.
"""
ROWS = "return document.querySelectorAll('#rows li').length"
FORM = "return !document.getElementById('form').hidden"
SAVED = "return document.getElementById('status').textContent === 'Saved'"


STATUS = "return document.getElementById('status').textContent"
VALUE = "return document.getElementById(arguments[0]).value"
DIALOG = "return document.getElementById(arguments[0]).open"


def paste(browser, name="My Photo.png"):
    """Pastes a picture into the text."""
    browser.run("""
      const bytes = Uint8Array.from(atob(arguments[0]), (c) => c.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], arguments[1], {type: 'image/png'}));
      document.getElementById('text').dispatchEvent(
        new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
    """, base64.b64encode(picture()).decode(), name)


def hold(browser, part, asks=False):
    """From now on answers to what has `part` in its address wait to be let go; or
    the requests do, before they are made."""
    browser.run("""
      const [part, asks] = arguments;
      const isHeld = (address) => !free && String(address).includes(part);
      window.held = [];
      window.free = false;
      const real = window.real ??= fetch;
      window.fetch = async (...all) => {
        if (asks && isHeld(all[0])) await new Promise((go) => held.push(go));
        const answer = await real(...all);
        if (!asks && isHeld(all[0])) await new Promise((go) => held.push(go));
        return answer;
      };
    """, part, asks)


def let_go(browser):
    browser.run("window.free = true; held.forEach((go) => go())")


def start(served, browser, path=None):
    browser.go("about:blank")
    browser.go(served.editor + (f"#{urllib.parse.quote(path, safe='')}" if path else ""))
    browser.until("the list", ROWS + " > 0")
    if path:
        browser.until("the form", FORM)


def edits(served, browser):
    """A note is opened, changed by what is typed, and saved by its key."""
    start(served, browser)
    # However few notes there are.
    assert browser.run("return document.querySelector('.list').offsetHeight === innerHeight")
    headings = browser.run("return [...document.querySelectorAll('#rows h2')].map((h) => h.textContent)")
    assert headings[:2] == ["March 2024", "February 2024"], headings
    browser.click("#rows li a")
    browser.until("the form", FORM)
    values = browser.run("return ['title', 'date', 'time', 'text'].map((id) => document.getElementById(id).value)")
    assert values == ["First frost", "2024-03-01", "07:30", "White.\n"], values
    browser.run("const t = document.getElementById('title'); t.focus(); t.select()")
    browser.type("#title", "Last frost")
    browser.type("#tag", "new one,")
    browser.type("#text", "==More.==")
    browser.press("control", "s")
    browser.until("the save", SAVED)
    expected = NOTE.replace("First frost #", "Last frost #").replace(
        "garden]", "garden, new one]").replace("White.\n", "White.\n==More.==")
    assert served.note("frost.md") == expected, served.note("frost.md")
    browser.until("the list", "return document.querySelector('#rows b').textContent === 'Last frost'")
    browser.frame("#frame")
    browser.until("the preview", "return document.querySelector('mark')?.textContent === 'More.'")
    browser.frame()
    # Without a change nothing is written.
    stamp = (served.folder / "content/frost.md").stat().st_mtime_ns
    browser.press("control", "s")
    browser.until("the word", "return document.getElementById('status').textContent === 'Nothing to save'")
    assert (served.folder / "content/frost.md").stat().st_mtime_ns == stamp
    served.write("content/frost.md", NOTE)
    browser.until("what changed on the disk", "return document.getElementById('title').value === 'First frost'")


def adds(served, browser):
    """A new note that is cancelled leaves nothing; one that is saved is there."""
    before = sorted(p.name for p in (served.folder / "content").iterdir())
    start(served, browser)
    browser.click("#add")
    browser.until("the form", FORM)
    browser.type("#title", "Never mind")
    browser.press("escape")
    browser.until("the question", "return document.getElementById('leave').open")
    browser.click("#leave [value=stay]")
    assert browser.run(FORM)
    browser.click("#cancel")
    browser.until("the question", "return document.getElementById('leave').open")
    browser.click("#leave [value=leave]")
    browser.until("the list", "return document.getElementById('form').hidden")
    assert sorted(p.name for p in (served.folder / "content").iterdir()) == before
    browser.press("n")
    browser.until("the form", FORM)
    browser.type("#title", "A new: one")
    browser.type("#text", "Body.")
    # A picture that is pasted is put beside the note once that is saved.
    paste(browser)
    browser.until("the link", "return document.getElementById('text').value.includes('![](my-photo.png)')")
    assert not (served.folder / "content/my-photo.png").exists()
    browser.frame("#frame")
    browser.until("the picture", "return document.querySelector('img')?.naturalWidth === 8")
    browser.frame()
    # One whose name is written otherwise in addresses; as macOS names it, in parts.
    paste(browser, unicodedata.normalize("NFD", "Größe 日本.png"))
    browser.until("the link", "return document.getElementById('text').value.includes('![](größe-日本.png)')")
    browser.frame("#frame")
    browser.until("both pictures", "return [...document.images].filter(e => e.naturalWidth === 8).length === 2")
    browser.frame()
    browser.click("#save")
    browser.until("the save", SAVED)
    assert (served.folder / "content/my-photo.png").read_bytes() == picture()
    assert (served.folder / "content/größe-日本.png").read_bytes() == picture()
    text = served.note("A new one.md")
    assert text.startswith('---\ntitle: "A new: one"\ndate: '), text
    assert "Body.![](my-photo.png)" in text and "![](größe-日本.png)" in text, text
    browser.until("the row", "return [...document.querySelectorAll('#rows b')].some((b) => b.textContent === 'A new: one')")


def deletes(served, browser):
    """By button, by key and by swipe; each can be undone."""
    start(served, browser)
    count = browser.run(ROWS)
    gone = ROWS + f" === {count - 1}"
    back = ROWS + f" === {count}"
    trash = served.folder / ".trash/frost.md"

    def undo():
        browser.until("the row to go", gone)
        wait("the trash", trash.exists)
        browser.click("#toast button")
        browser.until("the row", back)
        wait("the file", lambda: served.note("frost.md"))
        start(served, browser)

    frost = "#rows li[data-path='frost.md']"
    browser.click("#edit")
    browser.click(frost + " .remove")
    undo()
    browser.run(f"document.querySelector(\"{frost} a\").focus()")
    browser.press("delete")
    undo()
    browser.swipe(frost + " a", -120)
    browser.until("the button", f"return document.querySelector(\"{frost}\").classList.contains('open-swipe')")
    # Rows that are drawn anew meanwhile leave it there.
    served.write("content/meanwhile.md", "# Meanwhile\n")
    browser.until("the other row", ROWS + f" === {count + 1}")
    assert browser.run(f"return document.querySelector(\"{frost}\").classList.contains('open-swipe')")
    (served.folder / "content/meanwhile.md").unlink()
    browser.until("the rows", back)
    browser.click(frost + " .swiped")
    undo()


def conflicts(served, browser):
    """A file that changed meanwhile is shown beside what was typed, never lost."""
    start(served, browser, "frost.md")
    browser.type("#text", "Mine.")
    served.replace("frost.md", "White.", "Theirs.")
    browser.until("the banner", "return !document.getElementById('banner').hidden")
    browser.click("#save")
    browser.until("both texts", "return document.getElementById('conflict').open")
    both = browser.run("return [document.getElementById('mine').value, document.getElementById('theirs').value]")
    assert "Mine." in both[0] and "Theirs." in both[1], both
    assert "Theirs." in served.note("frost.md")
    # The texts can be read and copied, whatever they are.
    browser.run("document.getElementById('mine').value = 'mine'")
    browser.click("#mine")
    browser.click("#theirs")
    assert browser.run("return document.getElementById('conflict').open")
    browser.click("#conflict [value=stay]")
    assert "Theirs." in served.note("frost.md")
    browser.click("#save")
    browser.until("both texts", "return document.getElementById('conflict').open")
    browser.click("#conflict [value=mine]")
    browser.until("the save", SAVED)
    assert "Mine." in served.note("frost.md") and "# kept" in served.note("frost.md")
    served.write("content/frost.md", NOTE)


def composes(served, browser):
    """Keys that belong to an input method end nothing."""
    start(served, browser, "frost.md")
    browser.run("""
      for (const [id, key] of [['title', 'Enter'], ['tag', 'Enter'], ['tag', ','], ['text', 'Escape']]) {
        const field = document.getElementById(id);
        field.focus();
        if (id === 'tag') field.value = 'half';
        field.dispatchEvent(new KeyboardEvent('keydown', {key, isComposing: true, bubbles: true, cancelable: true}));
        if (document.activeElement !== field) throw new Error(id + ' lost the focus');
      }
    """)
    assert browser.run(VALUE, "tag") == "half"
    assert browser.run(FORM)
    browser.run("document.getElementById('tag').value = ''")
    assert served.note("frost.md") == NOTE


def fronts(served, browser):
    """Keys that the other side changed stay where the text was typed here."""
    start(served, browser, "frost.md")
    browser.type("#text", "Mine.")
    served.replace("frost.md", "custom: {a: 1}", "custom: {b: 2}")
    browser.click("#save")
    browser.until("both texts", DIALOG, "conflict")
    expected = NOTE.replace("{a: 1}", "{b: 2}").replace("White.\n", "White.\nMine.")
    # What is shown is what would be written.
    assert browser.run(VALUE, "mine") == expected, browser.run(VALUE, "mine")
    browser.click("#conflict [value=mine]")
    browser.until("the save", SAVED)
    assert served.note("frost.md") == expected, served.note("frost.md")
    served.write("content/frost.md", NOTE)


def kinds(served, browser):
    """A form over a file that broke, and a text over one that was mended: each is kept
    as the whole file that it is."""
    broken = NOTE.replace("garden]", "garden")
    start(served, browser, "frost.md")
    browser.type("#text", "Mine.")
    served.write("content/frost.md", broken)
    browser.click("#save")
    browser.until("both texts", DIALOG, "conflict")
    assert browser.run(VALUE, "theirs") == broken
    browser.click("#conflict [value=mine]")
    browser.until("the save", SAVED)
    expected = NOTE.replace("White.\n", "White.\nMine.")
    assert served.note("frost.md") == expected, served.note("frost.md")
    served.write("content/frost.md", broken)
    start(served, browser, "frost.md")
    assert browser.run(VALUE, "text") == broken
    browser.run("const t = document.getElementById('text'); t.focus(); t.setSelectionRange(0, 0)")
    browser.run("document.execCommand('insertText', false, '---\\ntitle: Mine\\n---\\n')")
    served.write("content/frost.md", NOTE)
    browser.click("#save")
    browser.until("both texts", DIALOG, "conflict")
    browser.click("#conflict [value=mine]")
    # The file has a form again, and what was typed is all of it.
    browser.until("the save", SAVED)
    assert served.note("frost.md") == "---\ntitle: Mine\n---\n" + broken, served.note("frost.md")
    assert browser.run(VALUE, "title") == "Mine"
    served.write("content/frost.md", NOTE)


def gone(served, browser):
    """A note that is gone is put back as it was, with what was typed."""
    toml = "+++\ntitle = \"T\"\n+++\nBody.\n"
    served.write("content/t.md", toml)
    for path, text, expected in [("frost.md", NOTE, NOTE + "Mine."), ("t.md", toml, toml + "Mine.")]:
        start(served, browser)
        browser.until("the row", f"return document.querySelector(\"#rows li[data-path='{path}']\") !== null")
        start(served, browser, path)
        browser.type("#text", "Mine.")
        (served.folder / "content" / path).unlink()
        browser.until("the word", "return document.getElementById('banner').textContent.includes('not there any more')")
        before = sorted(p.name for p in (served.folder / "content").iterdir())
        browser.click("#save")
        browser.until("the question", DIALOG, "conflict")
        assert browser.run(VALUE, "mine") == expected, browser.run(VALUE, "mine")
        browser.click("#conflict [value=mine]")
        browser.until("the save", SAVED)
        assert served.note(path) == expected, served.note(path)
        assert sorted(p.name for p in (served.folder / "content").iterdir()) == sorted(before + [path])
        served.write("content/" + path, text)
    (served.folder / "content/t.md").unlink()


def theirs(served, browser):
    """A conflict that is ended by the file's text leaves no picture behind."""
    before = sorted(p.name for p in (served.folder / "content").iterdir())
    start(served, browser, "frost.md")
    paste(browser)
    served.replace("frost.md", "White.", "Theirs.")
    browser.click("#save")
    browser.until("both texts", DIALOG, "conflict")
    browser.click("#conflict [value=theirs]")
    browser.until("the text", "return document.getElementById('text').value === 'Theirs.\\n'")
    assert sorted(p.name for p in (served.folder / "content").iterdir()) == before
    assert not browser.run("return document.getElementById('leave').open")
    served.write("content/frost.md", NOTE)


def quick(served, browser):
    """A change of the file right after a save is seen before it is overwritten."""
    start(served, browser, "frost.md")
    hold(browser, "api/note?", asks=True)
    browser.type("#text", "One.")
    browser.press("control", "s")
    wait("the save", lambda: "One." in served.note("frost.md"))
    served.replace("frost.md", "White.", "Other.")
    browser.type("#text", "Two.")
    let_go(browser)
    browser.until("the answer", STATUS + " !== 'Saving…'")
    browser.press("control", "s")
    browser.until("both texts", DIALOG, "conflict", seconds=20)
    assert "Other." in served.note("frost.md")
    browser.click("#conflict [value=theirs]")
    served.write("content/frost.md", NOTE)


def headings(served, browser):
    """A title that a heading gives is changed there, and stays so."""
    served.write("content/h.md", "# Old title\n\nText.\n")
    start(served, browser)
    browser.until("the row", "return document.querySelector(\"#rows li[data-path='h.md']\") !== null")
    start(served, browser, "h.md")
    browser.run("const t = document.getElementById('title'); t.focus(); t.select()")
    browser.type("#title", "New title")
    # What is typed while it is saved goes into what the file says then.
    hold(browser, "api/save")
    browser.press("control", "s")
    browser.until("the request", "return held.length === 1")
    browser.type("#text", "Word.")
    let_go(browser)
    browser.until("the heading", "return document.getElementById('text').value === '# New title\\n\\nText.\\nWord.'", seconds=20)
    assert browser.run(STATUS) == "Unsaved"
    browser.press("control", "s")
    browser.until("the save", SAVED, seconds=20)
    assert served.note("h.md") == "# New title\n\nText.\nWord.", served.note("h.md")
    (served.folder / "content/h.md").unlink()


def meanwhile(served, browser):
    """What is typed while a new note is saved for the first time stays."""
    start(served, browser)
    browser.press("n")
    browser.until("the form", FORM)
    browser.type("#title", "Fresh")
    browser.type("#text", "Body.")
    hold(browser, "api/create")
    browser.press("control", "s")
    browser.until("the request", "return held.length === 1")
    browser.type("#title", " title")
    browser.type("#tag", "late,")
    browser.type("#text", " More.")
    let_go(browser)
    browser.until("the address", "return location.hash === '#Fresh.md'")
    assert browser.run(STATUS) == "Unsaved"
    assert [browser.run(VALUE, id) for id in ("title", "text")] == ["Fresh title", "Body. More."]
    browser.press("control", "s")
    browser.until("the save", SAVED)
    text = served.note("Fresh.md")
    assert "title: Fresh title\n" in text and "tags: [late]\n" in text and text.endswith("\nBody. More."), text
    (served.folder / "content/Fresh.md").unlink()


def late(served, browser):
    """An answer that comes late is for nobody, and nothing is typed meanwhile into
    what goes away."""
    start(served, browser, "frost.md")
    hold(browser, "api/note?")
    browser.click("#rows li[data-path='a.md'] a")
    browser.until("the request", "return held.length > 0")
    assert browser.run("return document.getElementById('form').inert")
    assert browser.run("return held.length") == 1
    browser.run("location.hash = '+'")
    browser.until("a new note", "return document.activeElement.id === 'title' && !document.getElementById('form').inert")
    browser.type("#title", "Kept")
    # Whatever the late answer brings about is done before another one comes.
    browser.run("held[0]()")
    browser.run("return window.real('/editor.css').then((r) => r.text()).then(() => true)")
    assert browser.run(VALUE, "title") == "Kept" and browser.run("return location.hash") == "#+"
    assert browser.run("return document.getElementById('path').textContent") == "New note"
    let_go(browser)
    browser.run("location.hash = 'a.md'")
    browser.until("the question", DIALOG, "leave")
    browser.click("#leave [value=leave]")
    browser.until("the note", "return document.getElementById('title').value === 'Other'")
    assert not browser.run("return document.getElementById('form').inert")


def unsaved(served, browser):
    """To delete a note in which something is typed is asked about, wherever from."""
    start(served, browser, "frost.md")
    browser.type("#text", "Mine.")
    frost = "#rows li[data-path='frost.md']"
    browser.click("#edit")
    for press in ["#delete", frost + " .remove"]:
        browser.click(press)
        browser.until("the question", DIALOG, "leave", seconds=20)
        browser.click("#leave [value=stay]")
    browser.run(f"document.querySelector(\"{frost} a\").focus()")
    browser.press("delete")
    browser.until("the question", DIALOG, "leave", seconds=20)
    browser.click("#leave [value=stay]")
    assert served.note("frost.md") == NOTE and browser.run(VALUE, "text") == "White.\nMine."
    browser.click("#delete")
    browser.until("the question", DIALOG, "leave")
    browser.click("#leave [value=save]")
    wait("the note to go", lambda: served.note("frost.md") is None)
    browser.click("#undo")
    wait("the note", lambda: served.note("frost.md") == NOTE + "Mine.")
    served.write("content/frost.md", NOTE)


def undone(served, browser):
    """Two deletions in a row are both undone, by keys alone; the controls of the edit
    mode stay in the order of Tab."""
    start(served, browser)
    count = browser.run(ROWS)
    browser.click("#edit")
    reached = "return [...document.querySelectorAll('.remove')].every((one) => one.tabIndex === 0)"
    assert browser.run(reached)
    browser.run("document.querySelector(\"#rows li[data-path='frost.md'] .remove\").focus()")
    for left, path, following in [(count - 1, "frost.md", "a.md"), (count - 2, "a.md", "deep/b.md")]:
        browser.press("enter")
        wait("the note to go", lambda: served.note(path) is None)
        browser.until("the row to go", ROWS + f" === {left}")
        browser.until("the word", "return !document.getElementById('toast').hidden")
        # The next is at hand, and stays so when the list is drawn anew.
        browser.until("the next", "const e = document.activeElement; return e.className === 'remove'"
                      f" && e.parentNode.dataset.path === '{following}'", seconds=20)
        assert browser.run(reached)
    browser.press("control", "z")
    wait("the one", lambda: served.note("a.md"))
    browser.until("its row", "return document.activeElement.parentNode.dataset.path === 'a.md'")
    assert served.note("frost.md") is None
    browser.until("the other", "return document.getElementById('said').textContent.includes('First frost')")
    # Tab leads to the button as well, and what is said stays until something is done.
    browser.run("document.getElementById('undo').focus()")
    browser.press("enter")
    wait("the other", lambda: served.note("frost.md"))
    browser.until("nothing to undo", "return document.getElementById('toast').hidden")
    browser.until("the rows", ROWS + f" === {count}")
    browser.click("#edit")
    browser.run("document.querySelector(\"#rows li[data-path='a.md'] a\").focus()")
    browser.press("delete")
    browser.until("the word", "return !document.getElementById('toast').hidden")
    # The bar lies over the list and the form, and takes no room from them.
    assert browser.run("return document.querySelector('.list').getBoundingClientRect().bottom === innerHeight")
    # To look at another note is nothing done; to write in it is.
    start_of = "#rows li[data-path='frost.md'] a"
    browser.click(start_of)
    browser.until("the form", FORM)
    assert browser.run("return !document.getElementById('toast').hidden")
    browser.press("control", "z")
    wait("the note", lambda: served.note("a.md"))
    browser.until("its row", "return document.activeElement.parentNode.dataset.path === 'a.md'")
    browser.press("delete")
    wait("the note to go", lambda: served.note("a.md") is None)
    browser.until("the word", "return !document.getElementById('toast').hidden")
    browser.type("#text", "x")
    assert browser.run("return document.getElementById('toast').hidden")
    (served.folder / ".trash/a.md").rename(served.folder / "content/a.md")


def contrast(one, other):
    """By WCAG 2.2: relative luminances, of colours as `rgb(1, 2, 3)`."""
    def luminance(text):
        parts = [int(part) / 255 for part in text[text.index("(") + 1:-1].split(",")[:3]]
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    high, low = sorted([luminance(one), luminance(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


def seen(served, browser):
    """Edges of fields have 3:1 against what is around them (WCAG 1.4.11), placeholders
    4.5:1 (1.4.3)."""
    start(served, browser)
    browser.press("n")
    browser.until("the form", FORM)
    browser.click("#addTime")
    around = browser.run("return getComputedStyle(document.documentElement).backgroundColor")
    for name in ["date", "time", "folder", "filter"]:
        edge, inside = browser.run("const s = getComputedStyle(document.getElementById(arguments[0]));"
                                   "return [s.borderTopColor, s.backgroundColor]", name)
        assert min(contrast(edge, inside), contrast(edge, around)) >= 3, (name, edge, inside)
    for name in ["title", "tag", "text", "folder", "filter"]:
        colour, opacity = browser.run(
            "const s = getComputedStyle(document.getElementById(arguments[0]), '::placeholder');"
            "return [s.color, s.opacity]", name)
        assert opacity == "1" and contrast(colour, around) >= 4.5, (name, colour, opacity)
    assert browser.run("return document.getElementById('messages').closest('[role=status]') !== null")
    assert browser.run("return !document.getElementById('edit').hasAttribute('aria-pressed')")
    browser.press("escape")


def dates(served, browser):
    """A date that is not whole is not saved."""
    start(served, browser, "frost.md")
    browser.run("document.getElementById('date').focus()")
    browser.press("delete")
    browser.click("#save")
    browser.until("the word", "return document.getElementById('status').textContent === 'The date is not complete'")
    assert served.note("frost.md") == NOTE
    browser.run("document.getElementById('date').value = '2024-02-30'")
    assert browser.run("return document.getElementById('date').value") == ""


def phone(served, browser):
    """List and form take turns, and nothing sticks out."""
    start(served, browser)
    wide = "return document.documentElement.scrollWidth - innerWidth"
    assert browser.run(wide) <= 0
    browser.click("#rows li a")
    browser.until("the form", FORM)
    assert browser.run(wide) <= 0
    assert browser.run("return getComputedStyle(document.querySelector('.list')).display") == "none"
    right = browser.run("return document.getElementById('save').getBoundingClientRect().right")
    assert right <= 360, right
    browser.click("#back")
    browser.until("the list", "return document.getElementById('form').hidden")


def hostile(served, browser):
    """A note's script can neither read the token nor frame the editor nor write."""
    served.write("content/evil.md", """# Evil

<script>
window.found = {};
const editor = `http://127.0.0.1:EDITOR`;
const tries = {
  read: () => fetch(editor + '/').then((r) => r.text()),
  opaque: () => fetch(editor + '/', {mode: 'no-cors'}).then((r) => { if (r.type !== 'opaque') throw 1; return r.text().then((t) => t || Promise.reject(1)); }),
  list: () => fetch(editor + '/api/notes').then((r) => r.text()),
  write: () => fetch(editor + '/api/create', {method: 'POST', body: '{"title": "Evil"}'}).then((r) => r.text()),
  blind: () => fetch(editor + '/api/create', {method: 'POST', mode: 'no-cors', body: '{"title": "Evil"}'}).then((r) => r.text()).then((t) => t || Promise.reject(1)),
  header: () => fetch(editor + '/api/create', {method: 'POST', headers: {'Daybook-Token': 'x'}, body: '{"title": "Evil"}'}),
  script: () => new Promise((yes, no) => { const s = document.createElement('script'); s.onload = yes; s.onerror = no; s.src = editor + '/'; document.head.append(s); }),
  popup: async () => { const w = open(editor + '/'); await new Promise((d) => setTimeout(d, 1500)); const text = w.document.documentElement.outerHTML; w.close(); if (!text.includes('daybook-token')) throw 1; return text; },
  frame: () => new Promise((yes, no) => { const f = document.createElement('iframe'); f.src = editor + '/'; f.onload = () => { try { f.contentDocument.querySelector('#rows') ? yes() : no(); } catch { no(); } }; document.body.append(f); setTimeout(no, 3000); }),
};
Promise.all(Object.entries(tries).map(async ([name, work]) => {
  try { await work(); found[name] = true; } catch { found[name] = false; }
})).then(() => { found.done = true; });
</script>
""".replace("EDITOR", served.editor.rstrip("/").rsplit(":", 1)[1]))
    first = browser.tabs()[0]
    browser.go(served.site + "evil/")
    browser.until("the tries", "return window.found?.done")
    found = browser.run("return found")
    assert not any(value for name, value in found.items() if name != "done"), found
    assert served.note("Evil.md") is None
    for name in browser.tabs():
        if name != first:
            browser.switch(name)
            browser.close_tab()
    browser.switch(first)
    # In the editor's own preview of the body it does not run at all, nor does that leave.
    served.replace("evil.md", "# Evil\n", "# Evil\n\n<meta http-equiv='refresh' content='0; url=about:blank'>\n")
    start(served, browser, "evil.md")
    browser.frame("#frame")
    browser.until("the preview", "return document.querySelector('h1')?.textContent === 'Evil'")
    assert browser.run("return [typeof window.found, self.origin]") == ["undefined", "null"]
    browser.frame()
    time.sleep(0.5)
    browser.type("#text", "Shown still.")
    browser.frame("#frame")
    browser.until("the words", "return document.body.textContent.includes('Shown still.')")
    browser.frame()
    browser.click("#cancel")
    browser.until("the question", "return document.getElementById('leave').open")
    browser.click("#leave [value=leave]")
    (served.folder / "content/evil.md").unlink()
    return f"{len(found) - 1} tries came to nothing"


def reached(served, browser):
    """Everything is reached by keys, has a name, and shows where the focus is."""
    start(served, browser, "frost.md")
    unnamed = browser.run("""
      return [...document.querySelectorAll('button, input, textarea, a[href], iframe')]
        .filter((e) => e.checkVisibility())
        .filter((e) => !(e.ariaLabel || e.title || e.textContent.trim() || e.labels?.length
                         || e.getAttribute('aria-labelledby')))
        .map((e) => e.outerHTML.slice(0, 100));
    """)
    assert not unnamed, unnamed
    seen = []
    browser.run("document.body.focus()")
    for _ in range(40):
        browser.press("tab")
        seen.append(browser.run("const e = document.activeElement; return e.id || e.className || e.tagName"))
    for name in ["add", "filter", "title", "date", "draft", "tag", "text", "save"]:
        assert name in seen, f"{name} is not reached: {seen}"


def from_page(served, browser):
    """The page of a note leads to the editor with that note open."""
    browser.go(served.site + "frost/")
    browser.until("the page", LISTENS)
    script = browser.run("return document.querySelector('script[data-daybook]').dataset.note")
    assert script == "frost.md", script
    start(served, browser, script)
    assert browser.run("return document.getElementById('path').textContent") == "frost.md"


def work_with(program, folder, driver):
    notes = {"frost.md": NOTE, "a.md": "---\ntitle: Other\ndate: 2024-02-01\n---\nText.\n",
             "deep/b.md": "# Undated\n"}
    with Served(program, folder / "editor", notes) as served:
        for name, work in [
                ("a note is edited", edits), ("a note is added", adds), ("notes are deleted", deletes),
                ("deletions are undone by keys", undone), ("unsaved words", unsaved),
                ("a conflict shows both texts", conflicts), ("front matter of both", fronts),
                ("an input method", composes),
                ("files of two kinds", kinds), ("a note that is gone", gone),
                ("the file's text is taken", theirs), ("a change after a save", quick),
                ("a heading that is the title", headings), ("typed during a save", meanwhile),
                ("late answers", late), ("dates", dates), ("contrast", seen),
                ("everything is reached by keys", reached), ("from a page to its note", from_page),
                ("a hostile note", hostile)]:
            with driver.session() as browser:
                check("editor: " + name, lambda: work(served, browser))
        with driver.session(dark=True) as browser:
            check("editor: contrast in the dark", lambda: seen(served, browser))
        with driver.session(width=360, height=740, touch=True) as browser:
            check("editor: on a phone", lambda: phone(served, browser))


def main(arguments):
    program, folder = arguments[0], pathlib.Path(arguments[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    outcome["words"] = arguments[2:] or [""]
    try:
        with Driver() as driver:
            look(program, folder, driver)
            work_with(program, folder, driver)
    except Missing as reason:
        outcome["skipped"] += 1
        print(f"skipped  the preview in a browser: {reason}")
    print(f"\n{outcome['passed']} passed, {outcome['failed']} failed, {outcome['skipped']} skipped")
    return 1 if outcome["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
