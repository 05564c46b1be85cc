import Foundation
import Testing

/// `daybook publish` by the real git, to a bare repository.
@Suite(.enabled(if: Tool.hasGit, "git is not installed"))
struct `Publishing by git` {
    private func make() throws -> PublishedSite {
        let place = try PublishedSite {
            "  web: {git: {remote: \"\($0.path.replacing("\"", with: "\\\""))\", branch: gh-pages}}"
        }
        // What names a person and what helps with passwords is nobody's here.
        try Tool.run("git", ["init", "-q", "--bare", place.target.path])
        return place
    }

    private let nobody = ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"]

    private func git(_ place: PublishedSite, _ arguments: String...) throws -> String {
        let run = try Tool.run("git", ["--git-dir", place.target.path] + arguments)
        #expect(run.code == 0, "\(run.output)")
        return run.output
    }

    /// What the branch holds, checked out anew.
    private func branch(_ place: PublishedSite) throws -> [String: Data] {
        let folder = place.site.root.appending(path: "clone-\(UUID().uuidString)")
        let run = try Tool.run(
            "git", ["clone", "-q", "-b", "gh-pages", place.target.path, folder.path])
        #expect(run.code == 0, "\(run.output)")
        return place.files(folder)
    }

    @Test func `a commit has exactly what differs`() throws {
        let place = try make()
        let first = try place.mustPublish(environment: nobody)
        #expect(first.sent.count == place.builtFiles.count - 1)
        #expect(try branch(place) == place.builtFiles)
        #expect(try place.mustPublish(environment: nobody).sent.isEmpty)
        #expect(try git(place, "rev-list", "--count", "gh-pages") == "1\n")
        let before = place.builtFiles
        try place.write(2, "edited")
        try place.remove(3)
        let sent = try place.mustPublish(environment: nobody)
        let difference = PublishedSite.difference(before, place.builtFiles)
        #expect(sent.sent == difference.sent && sent.removed == difference.removed)
        let changed = try git(
            place, "diff-tree", "-r", "-z", "--no-commit-id", "--name-only", "gh-pages"
        ).split(separator: "\0").map { String($0) }
        #expect(Set(changed) == Set(sent.sent + sent.removed + [".daybook-manifest"]))
        #expect(try branch(place) == place.builtFiles)
        #expect(
            try git(place, "log", "-1", "--format=%an <%ae> %s", "gh-pages")
                == "Daybook <daybook@localhost> Publish: \(sent.sent.count) changed, 2 removed\n")
    }

    @Test func `bytes stay as they are, whatever attributes lie among them`() throws {
        let place = try make()
        try place.site.write("site/static/.gitattributes", "* text=auto eol=crlf ident\n")
        try place.site.write("site/static/text.txt", "one\r\ntwo\n$Id$\n")
        let environment = nobody.merging([
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.autocrlf",
            "GIT_CONFIG_VALUE_0": "input",
        ]) { $1 }
        try place.mustPublish(environment: environment)
        #expect(try git(place, "show", "gh-pages:text.txt") == "one\r\ntwo\n$Id$\n")
    }

    @Test func `somebody else's commit stays, and ours comes on top of it`() throws {
        let place = try make()
        try place.mustPublish(environment: nobody)
        try place.write(2, "edited")
        // Pushed between our look at the branch and our own push.
        let environment = try place.shim(
            "git",
            """
            case " $* " in *" push "*)
              if [ ! -e "${0%/*}/done" ]; then
                touch "${0%/*}/done"
                unset GIT_INDEX_FILE GIT_CONFIG_COUNT
                "$real" clone -q -b gh-pages \(quoted(place.target.path)) "${0%/*}/theirs" >&2
                echo theirs > "${0%/*}/theirs/CNAME"
                "$real" -C "${0%/*}/theirs" add CNAME
                "$real" -C "${0%/*}/theirs" -c user.name=x -c user.email=x commit -q -m theirs
                "$real" -C "${0%/*}/theirs" push -q
              fi ;;
            esac
            exec "$real" "$@"
            """
        ).merging(nobody) { one, _ in one }
        let sent = try place.mustPublish(environment: environment)
        #expect(sent.sent == ["i2.png", "n2/index.html"])
        var expected = place.builtFiles
        expected["CNAME"] = Data("theirs\n".utf8)
        #expect(try branch(place) == expected)
        #expect(try git(place, "rev-list", "--count", "gh-pages") == "3\n")
    }

    private func quoted(_ path: String) -> String { "'" + path.replacing("'", with: "'\\''") + "'" }

    /// The words of several versions of git where the branch is not what it was
    /// when it was fetched (send-pack.c, receive-pack.c, refs.c).
    @Test(arguments: [
        "[rejected] (fetch first)", "[rejected] (non-fast-forward)",
        "[remote rejected] (cannot lock ref 'refs/heads/gh-pages': is at 1 but expected 2)",
        "[remote rejected] (failed to update ref)",
        "[remote rejected] (incorrect old value provided)",
        "[remote rejected] (reference already exists)",
    ])
    func `a branch that others keep pushing to is given up with a word`(_ status: String) throws {
        let place = try make()
        try place.mustPublish(environment: nobody)
        let head = try git(place, "rev-parse", "gh-pages")
        try place.write(2, "edited")
        let run = try place.publish(environment: try push(place, says: status)).run
        #expect(run.code == 1)
        #expect(run.errors.contains("somebody else published to `web`"), "\(run.errors)")
        #expect(try git(place, "rev-parse", "gh-pages") == head)
    }

    /// An environment in which the push is refused with a status, after words of
    /// the server's.
    private func push(
        _ place: PublishedSite, says status: String, words: String = ""
    ) throws -> [String: String] {
        func quoted(_ text: String) -> String { text.replacing("'", with: "'\\''") }
        return try place.shim(
            "git",
            """
            case " $* " in *" push "*)
              printf '%s' '\(quoted(words))' >&2
              printf '!\\t1:refs/heads/gh-pages\\t%s\\nDone\\n' '\(quoted(status))'
              echo "error: failed to push some refs to 'x'" >&2; exit 1 ;;
            esac
            exec "$real" "$@"
            """
        ).merging(nobody) { one, _ in one }
    }

    /// Whatever a server says in its own words, that nobody came in between is
    /// not known by them.
    @Test(arguments: [
        "[remote rejected] (pre-receive hook declined)",
        "[remote rejected] (branch is locked, no push was expected)",
        "[remote rejected] (shallow update not allowed)",
        "[remote rejected] (hook: it already exists; old value)",
    ])
    func `a push that is refused is told as that, at once`(_ status: String) throws {
        let place = try make()
        try place.mustPublish(environment: nobody)
        try place.write(2, "edited")
        let words = "remote: blocked: lock [rejected] (fetch first) already exists, expected\n"
        let run = try place.publish(environment: try push(place, says: status, words: words)).run
        #expect(run.code == 1)
        #expect(!run.errors.contains("somebody else"), "\(run.errors)")
        #expect(run.errors.contains("git push ended with 1: remote: blocked: lock"))
    }

    /// A hook of the real git's.
    private func hook(_ place: PublishedSite, _ name: String, _ script: String) throws {
        let hook = place.target.appending(path: "hooks/" + name)
        try FileManager.default.createDirectory(
            at: hook.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: hook)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: hook.path)
    }

    @Test func `a server's own reason is shown, whatever words it has`() throws {
        let place = try make()
        try place.mustPublish(environment: nobody)
        let head = try git(place, "rev-parse", "gh-pages")
        try place.write(2, "edited")
        try hook(
            place, "pre-receive", "echo 'push blocked: this branch is protected' >&2; exit 1")
        let run = try place.publish(environment: nobody).run
        #expect(run.code == 1)
        #expect(
            run.errors.contains(
                "git push ended with 1: remote: push blocked: this branch is protected"),
            "\(run.errors)")
        #expect(!run.errors.contains("somebody else"))
        #expect(try git(place, "rev-parse", "gh-pages") == head)
    }

    @Test func `somebody who is always faster on the server is given way to`() throws {
        let place = try make()
        try place.mustPublish(environment: nobody)
        try place.write(2, "edited")
        // While our push is under way the branch gets a commit of theirs.
        try hook(
            place, "update",
            """
            export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x
            git update-ref "$1" $(git commit-tree -p "$1" -m theirs "$1^{tree}")
            """)
        let run = try place.publish(environment: nobody).run
        #expect(run.code == 1)
        #expect(run.errors.contains("somebody else published to `web`"), "\(run.errors)")
        // Each attempt found another commit of theirs.
        #expect(try git(place, "rev-list", "--count", "gh-pages") == "6\n")
    }

    @Test func `a remote of the site's own repository is found, with its settings`() throws {
        let place = try make()
        try place.site.write(
            "site/daybook.yml", "publish: {web: {git: {remote: origin, branch: pages}}}\n")
        for arguments in [
            ["init", "-q"], ["remote", "add", "origin", place.target.path],
            ["config", "user.name", "A Writer"], ["config", "user.email", "writer@example.org"],
        ] {
            try Tool.run("git", ["-C", place.root.path] + arguments)
        }
        let before = place.site.tree(place.root.appending(path: ".git"))
        try place.mustPublish(environment: nobody)
        #expect(
            try git(place, "log", "-1", "--format=%an %ae", "pages")
                == "A Writer writer@example.org\n")
        // Nothing of the site's repository is touched.
        #expect(place.site.tree(place.root.appending(path: ".git")) == before)
    }

    @Test func `what the environment says of git holds, over the site's own repository`() throws {
        let place = try make()
        try Tool.run("git", ["-C", place.root.path, "init", "-q"])
        for (key, value) in [("user.name", "Other"), ("user.email", "writer@example.org")] {
            try Tool.run("git", ["-C", place.root.path, "config", key, value])
        }
        // A name of the remote's that only the environment knows.
        try place.site.write(
            "site/daybook.yml", "publish: {web: {git: {remote: \"far:x\", branch: gh-pages}}}\n")
        let variables = [
            "GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "user.name",
            "GIT_CONFIG_VALUE_0": "A Writer",
            "GIT_CONFIG_KEY_1": "url.\(place.target.path).insteadOf",
            "GIT_CONFIG_VALUE_1": "far:x",
        ]
        try place.mustPublish(environment: nobody.merging(variables) { $1 })
        #expect(
            try git(place, "log", "-1", "--format=%an %ae", "gh-pages")
                == "A Writer writer@example.org\n")
    }

    @Test func `is refused where a file of others stands in the way`() throws {
        let place = try make()
        let theirs = place.site.root.appending(path: "theirs")
        try Tool.run("git", ["init", "-q", "-b", "gh-pages", theirs.path])
        try Data("theirs".utf8).write(to: theirs.appending(path: "index.html"))
        for arguments in [
            ["add", "index.html"],
            ["-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "-m", "x"],
            ["push", "-q", place.target.path, "gh-pages"],
        ] {
            try Tool.run("git", ["-C", theirs.path] + arguments)
        }
        let run = try place.publish(environment: nobody).run
        #expect(run.code == 1)
        #expect(run.errors.contains("where the site's belong: index.html"), "\(run.errors)")
        #expect(try branch(place) == ["index.html": Data("theirs".utf8)])
    }

    @Test func `a file takes the place of a folder only where all in it is ours`() throws {
        let place = try make()
        try place.site.write("site/static/about/us.txt", "us")
        try place.mustPublish(environment: nobody)
        let theirs = place.site.root.appending(path: "theirs")
        try Tool.run("git", ["clone", "-q", "-b", "gh-pages", place.target.path, theirs.path])
        try Data("mine".utf8).write(to: theirs.appending(path: "about/mine.txt"))
        for arguments in [
            ["add", "about/mine.txt"],
            ["-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "-m", "x"],
            ["push", "-q", "origin", "gh-pages"],
        ] {
            try Tool.run("git", ["-C", theirs.path] + arguments)
        }
        try place.site.remove("site/static/about")
        try place.site.write("site/static/about", "a file")
        let before = try branch(place)
        let run = try place.publish(environment: nobody).run
        #expect(run.code == 1)
        #expect(run.errors.contains("where the site's belong: about/mine.txt"), "\(run.errors)")
        #expect(try branch(place) == before)
    }

    @Test func `a repository that is not there, or refuses, is told and left`() throws {
        let place = try make()
        try place.mustPublish(environment: nobody)
        let head = try git(place, "rev-parse", "gh-pages")
        try place.write(2, "edited")
        try place.site.write("hook", "#!/bin/sh\necho no entry >&2; exit 1\n")
        let hook = place.target.appending(path: "hooks/pre-receive")
        try? FileManager.default.createDirectory(
            at: hook.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: place.site.root.appending(path: "hook"), to: hook)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: hook.path)
        let refused = try place.publish(environment: nobody).run
        #expect(refused.code == 1)
        #expect(refused.errors.contains("git push ended with 1"), "\(refused.errors)")
        #expect(refused.errors.contains("no entry"), "\(refused.errors)")
        #expect(try git(place, "rev-parse", "gh-pages") == head)
        try FileManager.default.removeItem(at: place.target)
        let absent = try place.publish(environment: nobody).run
        #expect(absent.code == 1)
        #expect(absent.errors.contains("git ls-remote ended with 128: fatal: "), "\(absent.errors)")
    }
}
