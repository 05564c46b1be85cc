#!/usr/bin/env python3
"""Writes cases.json: templates, and what Jinja2 makes of them.

    python3 generate.py        # needs Jinja2 3.1

What is recorded of a case is Jinja2's output, or the kind of its error with template and line.
"""

import json
import pathlib
import sys

import jinja2
from jinja2 import Environment, FunctionLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from cases import CASES, CONTEXT


def encode(value):
    if isinstance(value, Markup):
        return {"$markup": str(value)}
    if isinstance(value, bool) or value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return {"$float": repr(value)}
    if isinstance(value, tuple):
        return {"$tuple": [encode(v) for v in value]}
    if isinstance(value, list):
        return [encode(v) for v in value]
    return {"$dict": [[k, encode(v)] for k, v in value.items()]}


def run(entry):
    templates = entry["templates"]

    def load(name):
        if name in templates:
            return templates[name], "/t/" + name, lambda: True
        return None

    environment = Environment(
        loader=FunctionLoader(load),
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html", "htm", "xml", "svg"], default=False),
    )
    try:
        # Compiling all first, since Daybook compiles all.
        for name in templates:
            environment.get_template(name)
        return {"output": environment.get_template(entry["main"]).render(CONTEXT)}
    except jinja2.TemplateSyntaxError as error:
        return {"error": type(error).__name__, "template": error.name.removeprefix("/t/"), "line": error.lineno}
    except RecursionError:
        return {"error": "RecursionError"}
    except Exception as error:
        place = None
        trace = error.__traceback__
        while trace:
            filename = trace.tb_frame.f_code.co_filename
            if filename.startswith("/t/"):
                place = (filename[3:], trace.tb_lineno)
            trace = trace.tb_next
        result = {"error": type(error).__name__}
        if place:
            result["template"], result["line"] = place
        return result


def main():
    if not jinja2.__version__.startswith("3.1"):
        sys.exit(f"these cases are those of Jinja2 3.1, not {jinja2.__version__}")
    for entry in CASES:
        entry.update(run(entry))
        del entry["group"]
    data = {"jinja": "3.1", "context": encode(CONTEXT), "cases": CASES}
    target = pathlib.Path(__file__).parent / "cases.json"
    target.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    failed = sum(1 for c in CASES if "error" in c)
    print(f"{len(CASES)} cases, {failed} of them errors")


main()
