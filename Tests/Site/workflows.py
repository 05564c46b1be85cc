"""Checks the workflows that Daybook writes and those it uses itself.

workflows.py PROGRAM FOLDER: they pass their services' schemas, and their steps,
run as shell from fresh clones, do what they are for: the second run, with what
the service's cache keeps and files of other times, renders and sends nothing.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

program, work = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve() / "workflows"
root = Path(__file__).resolve().parent.parent.parent
failures = []


def expect(truth, what):
    print(("ok: " if truth else "FAILED: ") + what)
    if not truth:
        failures.append(what)


def run(words, folder=None, **variables):
    """What a program prints; it must end well."""
    done = subprocess.run(
        words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, env={**os.environ, **variables})
    if done.returncode != 0:
        print(done.stdout)
        raise SystemExit(f"{words} ended with {done.returncode}")
    return done.stdout


def git(folder, *words):
    identity = ["-c", "user.name=A Writer", "-c", "user.email=writer@example.org"]
    return run(["git", *identity, *words], folder)


def new_site(service):
    """A site with a repository, its origin, and a release to fetch."""
    place = work / service
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    with tarfile.open(place / "release.tar.gz", "w:gz") as archive:
        archive.add(program, "daybook")
    site = place / "site"
    run([program, "init", site, "--now", "2026-05-20", "--ci", service,
         "--release", (place / "release.tar.gz").as_uri()])
    git(place, "init", "-q", "--bare", "-b", "main", "origin.git")
    git(site, "init", "-q", "-b", "main")
    git(site, "remote", "add", "origin", place / "origin.git")
    push(site)
    return place, site


def push(site):
    git(site, "add", "-A")
    git(site, "commit", "-q", "-m", "a change")
    git(site, "push", "-q", "origin", "main")


def clone(place, cached):
    """A clone as a service makes it: always at one place, with new times, and
    with what the cache kept."""
    checkout = place / "checkout"
    kept = place / "kept"
    shutil.rmtree(kept, ignore_errors=True)
    if checkout.exists():
        kept.mkdir()
        for name in cached:
            shutil.move(checkout / name, kept / name)
        shutil.rmtree(checkout)
    git(place, "clone", "-q", "-b", "main", place / "origin.git", checkout)
    for file in checkout.rglob("*"):
        if ".git" not in file.parts:
            os.utime(file, (1_700_000_000, 1_700_000_000))
    if kept.exists():
        for name in cached:
            shutil.move(kept / name, checkout / name)
    return checkout


def shell(script, folder, **variables):
    return run(["bash", "-e", "-o", "pipefail", "-c", script], folder, **variables)


def tree(folder):
    return {str(file.relative_to(folder)): file.read_bytes()
            for file in sorted(folder.rglob("*")) if file.is_file() and ".git" not in file.parts}


def published(place):
    """The branch of the pages, checked out anew."""
    folder = place / "branch"
    shutil.rmtree(folder, ignore_errors=True)
    git(place, "clone", "-q", "-b", "gh-pages", place / "origin.git", folder)
    return tree(folder)


def check_steps(service, cached, steps):
    """Runs the steps three times: anew, again, and after an edit."""
    place, site = new_site(service)
    file = next(path for path in [site / ".gitlab-ci.yml", site / ".github/workflows/publish.yml"]
                if path.exists())
    moments = {"SOURCE_DATE_EPOCH": "1780000000"}
    said = []
    for number in range(3):
        if number == 2:
            with open(site / "content/Welcome.md", "a") as note:
                note.write("\nOne more word.\n")
            push(site)
        checkout = clone(place, cached)
        said.append(steps(file, place, checkout, moments))
        if service == "github":
            expect(published(place) == tree(checkout / "public"),
                   f"{service}: the branch is what run {number + 1} built")
    first, again, edited = said
    expect(not re.search(r"\b0 pages rendered", first), f"{service}: the first run builds")
    expect("0 pages rendered, 0 files written, 0 removed" in again,
           f"{service}: the second renders nothing")
    expect(re.search(r"\b[1-9] pages? rendered", edited) is not None,
           f"{service}: an edit renders a few pages")
    if service == "github":
        expect("nothing to send" in again, f"{service}: the second sends nothing")
        expect(re.search(r"\b[1-9] files? sent", edited) is not None,
               f"{service}: an edit sends a few files")


def load(file):
    from ruamel.yaml import YAML
    return YAML(typ="safe").load(file.read_text())


def github_steps(file, place, checkout, moments):
    flow = load(file)
    temporary = place / "temporary"
    temporary.mkdir(exist_ok=True)
    summary = place / "summary.md"
    said = ""
    for step in flow["jobs"]["publish"]["steps"]:
        # What stands behind `if` tells a pull request from the rest.
        if "run" in step and "==" not in step.get("if", ""):
            said += shell(
                step["run"], checkout, RUNNER_TEMP=str(temporary), GITHUB_ACTIONS="true",
                GITHUB_WORKSPACE=str(checkout), GITHUB_REPOSITORY="writer/notes",
                GITHUB_REPOSITORY_OWNER="writer", GITHUB_STEP_SUMMARY=str(summary),
                **flow["env"], **moments)
    return said


def gitlab_steps(file, place, checkout, moments):
    flow = load(file)
    variables = {"CI_BUILDS_DIR": str(place), "CI_PAGES_URL": "https://writer.gitlab.io/notes",
                 "GITLAB_CI": "true", "CI_PROJECT_DIR": str(checkout), **flow["variables"],
                 **moments}
    lines = flow["default"]["before_script"] + flow["pages"]["script"]
    # The packages are the container's affair.
    return "".join(shell(line, checkout, **variables) for line in lines
                   if not line.startswith("apt-get"))


def check_schemas():
    checker = Path(sys.executable).parent / "check-jsonschema"
    if not checker.exists():
        print("skipped: check-jsonschema is not here, the schemas of workflows are not checked")
        return
    files = {"github": [*(root / ".github/workflows").glob("*.yml"),
                        work / "github/site/.github/workflows/publish.yml"],
             "gitlab": [work / "gitlab/site/.gitlab-ci.yml"]}
    schemas = {"github": ["vendor.github-workflows"],
               "gitlab": ["vendor.gitlab-ci", "--data-transform", "gitlab-ci"]}
    for service, paths in files.items():
        for path in paths:
            done = subprocess.run([checker, "--builtin-schema", *schemas[service], path],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            expect(done.returncode == 0, f"{path.name} passes the schema of {service}")
            if done.returncode:
                print(done.stdout)


def check_agreement():
    """The project's own workflow is the one that Daybook writes, but for where
    the program and the target come from."""
    written = load(work / "github/site/.github/workflows/publish.yml")
    ours = load(root / ".github/workflows/guide.yml")
    written.pop("env")
    theirs, mine = written["jobs"]["publish"], ours["jobs"]["publish"]
    mine.pop("container")
    theirs["steps"] = [step for step in theirs["steps"] if step.get("name") != "Install Daybook"]
    mine["steps"] = [step for step in mine["steps"]
                     if step.get("name") not in ["Build Daybook", "Name the target"]]
    expect(written == ours, "the guide is published by the workflow that Daybook writes")


try:
    import ruamel.yaml  # noqa: F401
except ImportError:
    print("skipped: ruamel.yaml is not here, the workflows are not run")
    raise SystemExit(0)
if shutil.which("git") is None or shutil.which("curl") is None:
    print("skipped: git or curl is not here, the workflows are not run")
    raise SystemExit(0)
for name in ["GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITLAB_CI"]:
    os.environ.pop(name, None)
check_steps("github", [".daybook", "public"], github_steps)
check_steps("gitlab", [".daybook", "public"], gitlab_steps)
check_schemas()
check_agreement()
print(f"workflows: {len(failures)} failed")
raise SystemExit(1 if failures else 0)
