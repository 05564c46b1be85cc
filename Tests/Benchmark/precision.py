#!/usr/bin/env python3
"""Measure how precise incremental builds are: of the pages that are rendered after an edit, how many come out otherwise.

    precision.py PROGRAM [--notes 1000] [--edits 400] [--seed 1]

Writes notes that link to each other, builds them with the built-in look, then makes one edit a build: 40 % of a body,
15 % of a title, 10 % each of a date, of tags, of a new note and of a deletion, 5 % of a setting or a template. After
each, every file of the output is compared with what it was: a page that was rendered counts as right where its bytes
differ, and a file that differs without having been rendered or copied is an error. At the end the output is compared
with that of a build that remembers nothing.
"""
import argparse
import collections
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

WORDS = "garden winter piano harbor query bread river motor lens forest letter signal compass museum rhythm shade".split()


class Site:
    def __init__(self, program, notes, seed):
        self.program, self.random = program, random.Random(seed)
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="daybook-precision-"))
        self.content, self.out = self.root / "content", self.root / "public"
        (self.root / "daybook.yml").write_text("base-url: https://example.org/\ndescription: Notes 0\n")
        self.notes, self.count = {}, 0
        for _ in range(notes):
            self.add()

    def words(self, count):
        return " ".join(self.random.choice(WORDS) for _ in range(count))

    def add(self):
        self.count += 1
        path = self.content / self.random.choice(["", "work", "work/deep", "life"]) / f"note-{self.count}.md"
        links = [f"[[{self.random.choice(list(self.notes)).stem}]]" for _ in range(2) if self.notes]
        self.notes[path] = {
            "title": f"{self.words(2)} {self.count}",
            "date": None if self.random.random() < 0.2 else self.date(),
            "tags": sorted({self.random.choice(WORDS) for _ in range(2)}),
            "body": [self.words(20), *links, self.words(30)],
        }
        self.write(path)

    def date(self):
        pick = self.random.randrange
        return f"20{pick(18, 26)}-{pick(1, 13):02}-{pick(1, 29):02}"

    def write(self, path):
        note = self.notes[path]
        date = f"date: {note['date']}\n" if note["date"] else ""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\ntitle: {note['title']}\n{date}tags: [{', '.join(note['tags'])}]\n---\n"
                        + "\n\n".join(note["body"]) + "\n")

    def build(self, *arguments):
        run = subprocess.run([self.program, "build", self.root, "--now", "2026-06-01", "--json", "--verbose", *arguments],
                             capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"the build failed: {run.stdout}{run.stderr}")
        return json.loads(run.stdout)

    def tree(self, folder):
        return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*")
                if p.is_file() and p.name != ".daybook-manifest"}

    def edit(self, kind):
        path = self.random.choice(list(self.notes))
        note = self.notes[path]
        if kind == "body":
            # Words beyond what summaries show.
            note["body"][-1] += f" {self.words(1)} {self.random.randrange(1000)}"
        elif kind == "title":
            note["title"] = f"{self.words(2)} {self.random.randrange(10000)}"
        elif kind == "date":
            note["date"] = self.date()
        elif kind == "tags":
            note["tags"] = sorted({self.random.choice(WORDS) for _ in range(2)} ^ {note["tags"][0]}) or ["one"]
        elif kind == "new":
            return self.add()
        elif kind == "delete":
            path.unlink()
            del self.notes[path]
            return
        elif self.random.random() < 0.5:
            settings = self.root / "daybook.yml"
            settings.write_text(f"base-url: https://example.org/\ndescription: Notes {self.random.randrange(1000)}\n")
            return
        else:
            template = self.root / "Templates" / "404.html"
            template.parent.mkdir(exist_ok=True)
            template.write_text(f"<!doctype html><title>Gone</title><p>{self.random.randrange(1000)}")
            return
        self.write(path)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("program")
    options.add_argument("--notes", type=int, default=1000)
    options.add_argument("--edits", type=int, default=400)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--show", action="store_true", help="name the pages that were rendered for nothing")
    args = options.parse_args()
    site = Site(args.program, args.notes, args.seed)
    kinds = ["body"] * 8 + ["title"] * 3 + ["date", "tags", "new", "delete"] * 2 + ["setting"]
    site.build()
    before = site.tree(site.out)
    rendered, right, edits = collections.Counter(), collections.Counter(), collections.Counter()
    for number in range(args.edits):
        kind = site.random.choice(kinds)
        site.edit(kind)
        report = site.build()
        after = site.tree(site.out)
        changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
        known = set(report["rendered"]) | set(report["removed"])
        missed = {path for path in changed if path not in known and path in report["planned"]}
        if missed:
            sys.exit(f"edit {number} ({kind}): changed without being rendered: {sorted(missed)[:5]}")
        edits[kind] += 1
        rendered[kind] += len(report["rendered"])
        right[kind] += sum(path in changed for path in report["rendered"])
        if args.show:
            why = {entry["page"]: entry["because"] for entry in report["why"]}
            for path in report["rendered"]:
                if path not in changed:
                    print(f"edit {number} ({kind}): {path} for nothing: {why[path]}")
        before = after
    anew = site.root / "anew"
    site.build("--output", anew, "--state", site.root / "state-anew")
    exact = before == site.tree(anew)
    print(f"{'edit':<10}{'edits':>7}{'rendered':>10}{'changed':>9}{'precision':>11}")
    for kind in edits:
        print(f"{kind:<10}{edits[kind]:>7}{rendered[kind]:>10}{right[kind]:>9}{right[kind] / max(1, rendered[kind]):>11.4f}")
    total, good = sum(rendered.values()), sum(right.values())
    print(f"{'all':<10}{sum(edits.values()):>7}{total:>10}{good:>9}{good / max(1, total):>11.4f}")
    print("the output equals a clean build's" if exact else "THE OUTPUT DIFFERS FROM A CLEAN BUILD'S")
    shutil.rmtree(site.root)
    sys.exit(0 if exact and good / max(1, total) >= 0.98 else 1)


main()
