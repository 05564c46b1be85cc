#!/usr/bin/env python3
"""Measure the preview: from a save to the event on the wire, and to the patched page in Chromium.

    patching.py PROGRAM [--notes 1000,10000] [--edits 40] [--in FOLDER]

Writes dated notes in folders by month, serves them and saves one of them again and again (a new file renamed over the
old one). The clock starts before the rename. `wire` ends when a client that listens as a page does has the event,
`page` in the browser, in the frame after the one change that a MutationObserver saw there. Edits of the body with the
note open, and of the title and of the date with the list of all notes (a tag of all) open. Prints median, and worst of all but the slowest tenth.
"""
import argparse
import http.client
import os
import pathlib
import re
import shutil
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Preview"))
from check import Served  # noqa: E402
from webdriver import Driver, wait  # noqa: E402

WATCH = """
window.changes = [];
new MutationObserver(list => {
  const text = list.flatMap(m => m.type === "childList" ? [...m.addedNodes] : [m.target])
    .map(n => n.textContent).join(" ");
  requestAnimationFrame(() => {
    // Behind the frame: what a task sees that runs after it was drawn.
    setTimeout(() => changes.push([performance.timeOrigin + performance.now(), list.length, text]), 0);
  });
}).observe(document.documentElement, {childList: true, characterData: true, subtree: true});
"""


def text(number, title=None, words="", day=None):
    day = day or f"20{15 + number // 336 % 10}-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}"
    return (f"---\ntitle: {title or f'Note {number}'}\ndate: {day}\ntags: [all]\n---\n"
            f"Of the garden in winter. {words}\n\n" + "Words that fill a note with prose. " * 40 + "\n")


class Listener:
    """Listens for a page as its script does."""

    def __init__(self, site, page):
        host = re.match(r"http://([^/]+)/", site)[1]
        connection = http.client.HTTPConnection(host)
        connection.request("GET", page)
        version = re.search(r'data-daybook="([^"]+)"', connection.getresponse().read().decode())[1]
        self.connection = http.client.HTTPConnection(host)
        self.connection.request("GET", f"/.daybook/events?page={page}&version={version}")
        self.answer = self.connection.getresponse()

    def event(self):
        """When the next event was there, and its bytes; comments are stepped over."""
        size = 0
        while line := self.answer.readline():
            size = 0 if line.startswith(b":") else size + len(line)
            if line == b"\n" and size > 1:
                return time.time(), size
            if line == b"\n":
                size = 0
        raise EOFError("the stream ended")


def measure(program, count, edits, driver, folder):
    notes = {f"m{n // 100}/n{n}.md": text(n) for n in range(count)}
    place = folder / "site/content/m0/n7.md"

    def save(words):
        draft = place.with_name(".draft")
        draft.write_text(words)
        start = time.time()
        os.rename(draft, place)
        return start

    def times(kind, page, words, browser):
        wire, shown, sizes, seen = [], [], [], []
        listener = Listener(served.site, page)
        browser.go(served.site + page.lstrip("/"))
        wait("both listen", lambda: served.observers() >= 2)
        browser.run(WATCH)
        for edit in range(edits + 2):
            mark = f"mark{edit}x"
            start = save(words(mark))
            arrived, size = listener.event()
            change = wait("the change", lambda: next(
                (c for c in browser.run("return changes") if mark in c[2]), None))
            # The first ones warm both sides up.
            if edit > 1:
                wire.append((arrived - start) * 1000)
                shown.append(change[0] - start * 1000)
                sizes.append(size)
                seen.append(change[1])
            time.sleep(0.05)
        listener.connection.close()

        def words_of(values):
            values.sort()
            return f"{statistics.median(values):6.1f} {values[int(len(values) * 0.9) - 1]:6.1f}"
        print(f"{count:7} {kind:18} wire {words_of(wire)}   page {words_of(shown)} ms   "
              f"{max(sizes)} bytes, {max(seen)} change{'s' * (max(seen) > 1)}", flush=True)

    with Served(program, folder / "site", notes) as served:
        with driver.session() as browser:
            times("body, its note", "/m0/n7/", lambda mark: text(7, words=mark), browser)
            times("title, all notes", "/tags/all/", lambda mark: text(7, f"A {mark}"), browser)
            # The row moves, and with it what is older and newer: the site is planned anew.
            times("date, all notes", "/tags/all/", lambda mark: text(
                7, f"A {mark}", day=f"2016-02-{int(re.search('[0-9]+', mark)[0]) % 28 + 1:02}"), browser)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--notes", default="1000,10000")
    parser.add_argument("--edits", type=int, default=40)
    parser.add_argument("--in", dest="folder", help="a folder on the disk to measure on")
    arguments = parser.parse_args()
    # One folder for all, taken away at the end: for some seconds after files were deleted by the thousand,
    # ext4 takes up to 1 ms to make one, since it does not use their numbers again so soon.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="daybook-patching-", dir=arguments.folder))
    try:
        with Driver() as driver:
            for count in arguments.notes.split(","):
                measure(str(pathlib.Path(arguments.program).resolve()), int(count), arguments.edits, driver,
                        folder / count)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
