import Diagnostics
import Markup
import Notes
import Testing
import YAML

@testable import Publishing

private func read(_ text: String) throws -> SettingsReader {
    let bytes = Array(text.utf8)
    return SettingsReader(
        try YAMLDocument(parsing: bytes, in: 0..<bytes.count).root, file: "daybook.yml"
    ) {
        ZoneRules(fixed: $0)
    }
}

@Suite struct `Settings` {
    @Test func `every key sets what it says`() throws {
        let text =
            """
            title: T
            description: D
            author: A
            language: de
            timezone: +01:00
            base-url: https://example.org/x
            content: notes
            output: site
            paginate: 7
            permalink: /:year/:slug/
            ignore: [a, b/]
            follow: ../media
            future: true
            drafts: true
            opt-in: true
            pages: { tags: false, 404: false }
            markdown: { preset: gfm, highlights: true, tables: false }
            feed: { limit: 3, full-content: false, tags: false }
            extra: { colour: red }
            collections:
              Best books: { where: ["rating >= 4", "tags == book"], sort: -rating, group: year, limit: 9, url: /best/ }
            theme: { measure: 30rem }
            precompress: [br, gzip]
            dates: git
            publish:
              web: { rsync: "www@example.org:notes" }
              cloud: { rclone: "remote:notes" }
              pages: { git: { branch: gh-pages } }
            """
        let settings = try read(text)
        #expect(settings.messages.isEmpty)
        let found = settings.settings
        #expect(
            found.title == "T" && found.description == "D" && found.author == "A"
                && found.language == "de")
        #expect(found.zone.offset(at: Instant(seconds: 0)) == 3600)
        #expect(
            found.baseURL == "https://example.org/x/" && found.basePath == "/x/"
                && found.origin == "https://example.org")
        #expect(found.content == "notes" && found.output == "site" && found.paginate == 7)
        #expect(
            found.permalink == "/:year/:slug/" && found.ignore == ["a", "b/"]
                && found.follow == ["../media"])
        #expect(found.future && found.drafts && found.optIn)
        #expect(
            !found.pages.contains(.tags) && !found.pages.contains(.notFound)
                && found.pages.contains(.home))
        #expect(found.dialect == Dialect.gfm.union(.highlights).subtracting(.tables))
        #expect(found.feedLimit == 3 && !found.feedHasFullContent && !found.feedsForTags)
        #expect(found.extra.map(\.key) == ["colour"])
        let collection = try #require(found.collections.first)
        #expect(collection.url == "best/")
        #expect(
            collection.query
                == NoteQuery(
                    [.init(.extra("rating"), .greaterOrEqual, "4"), .init(.tags, .equal, "book")],
                    sort: [.init(.extra("rating"), descending: true)], by: .year, limit: 9))
        #expect(found.theme.css.contains("--measure: 30rem;"))
        #expect(found.precompress == [.brotli, .gzip] && found.gitDates != nil)
        #expect(
            found.targets.map(\.name) == ["web", "cloud", "pages"]
                && found.targets.map(\.transport) == [
                    .rsync("www@example.org:notes"), .rclone("remote:notes"),
                    .git(remote: "origin", branch: "gh-pages"),
                ])
        // The table of the reader and this test know the same keys.
        let keys = text.split(separator: "\n").filter { !$0.hasPrefix(" ") }
            .map { String($0.prefix { $0 != ":" }) }
        #expect(keys.sorted() == SettingsReader.names.sorted())
    }

    /// What begins with a hyphen would be an option to the tool.
    @Test(arguments: [
        ("[a]", "expected a mapping of names to places to publish to, found a list"),
        ("{web: x}", "expected one way to publish to `web`"),
        ("{web: {rsync: a, rclone: b}}", "expected one way to publish to `web`"),
        ("{web: {rsnc: x}}", "there is no way to publish called `rsnc`"),
        ("{web: {rsync: -e}}", "`-e` names no place"),
        ("{web: {rsync: \"-oProxyCommand=x:y\"}}", "`-oProxyCommand=x:y` names no place"),
        ("{web: {rsync: \"me@-oProxyCommand=x:y\"}}", "`me@-oProxyCommand=x:y` names no place"),
        ("{web: {rsync: \"me@[-oProxyCommand=x]:y\"}}", "`me@[-oProxyCommand=x]:y` names no place"),
        (
            "{web: {rsync: [a]}}",
            "expected a place such as user@host:folder or /srv/www, found a list"
        ),
        ("{web: {rclone: nowhere}}", "`nowhere` names no remote"),
        ("{web: {rclone: \"--x:\"}}", "`--x:` names no remote"),
        ("{web: {git: origin}}", "expected a remote and a branch, found text"),
        ("{web: {git: {remote: x}}}", "expected a branch"),
        ("{web: {git: {branch: \"a..b\"}}}", "`a..b` cannot be the name of a branch"),
        ("{web: {git: {branch: --force}}}", "`--force` cannot be the name of a branch"),
        ("{web: {git: {remote: --upload-pack=x, branch: b}}}", "`--upload-pack=x` names no remote"),
        ("{web: {git: {branch: b, depth: 1}}}", "there is no git setting `depth`"),
    ])
    func `a target that is none is an error at its place`(_ value: String, _ message: String)
        throws
    {
        let settings = try read("publish: \(value)\n")
        #expect(settings.messages.map(\.message) == [message])
        #expect(settings.settings.targets.isEmpty)
        #expect(settings.messages.allSatisfy { $0.severity == .error && $0.span?.range != nil })
    }

    @Test func `a theme is properties, a pair of them for light and dark`() throws {
        let good = try read(
            "theme:\n  measure: 38rem\n  accent: ['#8a2f1d', '#f0a48f']\n  font-text: \"\\\"My Serif\\\", serif\"\n"
        )
        #expect(good.messages.isEmpty)
        #expect(
            good.settings.theme.css == """

                /* From the settings. */
                :root {
                  --font-text: "My Serif", serif;
                  --measure: 38rem;
                  --accent: light-dark(#8a2f1d, #f0a48f);
                }

                """)
        #expect(try read("title: x\n").settings.theme.css.isEmpty)
        let bad = try read(
            "theme:\n  acent: red\n  ink: 'red; } body { display: none'\n  paper: [a, b, c]\n")
        #expect(
            bad.messages.map(\.message) == [
                "there is no theme property `acent`",
                "this is no value of a property: it holds a sign that ends one",
                "expected a value, or of a colour one for light and one for dark pages, found a list",
            ])
        #expect(bad.messages.first?.help == "did you mean `accent`?")
        #expect(throws: Theme.Fault.isEmpty) { try Theme.check("") }
        for value in ["a;b", "a}b", "</style>", "a\\b", "a/*b", "a\nb"] {
            #expect(throws: Theme.Fault.ends, "\(value)") { try Theme.check(value) }
        }
        for value in ["calc(1px", "a)", "rgb(1 2 3]", "\"My Serif", "'a\"", "([)]"] {
            #expect(throws: Theme.Fault.isOpen, "\(value)") { try Theme.check(value) }
        }
        for value in ["url(https://a.example/x)", "URL('x')", "image-set(\"x\" 1x)"] {
            #expect(throws: Theme.Fault.asks, "\(value)") { try Theme.check(value) }
        }
        for value in ["clamp(1rem, calc(2vw + [a]), 2rem)", "\"a ) b\", 'c [', serif"] {
            try Theme.check(value)
        }
    }

    @Test func `only colours are pairs`() throws {
        for name in Theme.names {
            let isColour = !["font", "text", "line-h", "meas", "gutt"].contains {
                name.hasPrefix($0)
            }
            let messages = try read("theme:\n  \(name): [red, blue]\n").messages
            #expect(messages.isEmpty == isColour, "\(name)")
            if isColour { continue }
            #expect(
                messages.map(\.message) == [
                    "`\(name)` is one value: only colours differ on dark pages"
                ])
            // Fonts are a list to CSS; of the others none is.
            let expected = [
                "text-size": "one size such as 1.125rem", "line-height": "one number such as 1.65",
                "measure": "one width such as 38rem", "gutter": "one width such as 2rem",
            ]
            #expect(messages.first?.help == "write \(expected[name] ?? "`red, blue`")")
            let text = try read("theme:\n  \(name): red, blue\n").messages.map(\.message)
            #expect(
                text
                    == (expected[name].map { ["`\(name)`: expected \($0), found `red, blue`"] }
                        ?? []))
        }
        // Commas inside brackets are a function's.
        #expect(try read("theme:\n  gutter: clamp(1rem, 5vw, 2rem)\n").messages.isEmpty)
        let list = try read("theme:\n  accent: ['red, blue', 'rgb(1, 2, 3)']\n")
        #expect(
            list.messages.map(\.message) == ["expected one colour for light and one for dark pages"]
        )
    }

    @Test func `an unknown key is a warning with the closest name`() throws {
        let reader = try read(
            "titel: x\npages: { tag: false }\nmarkdown: { higlights: true }\nfeed: { limits: 3 }\n")
        #expect(
            reader.messages.map(\.help) == [
                "did you mean `title`?", "did you mean `tags`?", "did you mean `highlights`?",
                "did you mean `limit`?",
            ])
        #expect(reader.messages.allSatisfy { $0.severity == .warning })
    }

    @Test(arguments: [
        ("title: [a]", "expected text, found a list"),
        ("drafts: maybe", "expected true or false, found `maybe`"),
        ("paginate: 0", "expected a whole number from 1 to 10000, found `0`"),
        (
            "base-url: example.org",
            "expected an address such as https://example.org/notes/, found `example.org`"
        ),
        ("timezone: Mars/Base", "there is no time zone `Mars/Base` on this system"),
        ("markdown: fancy", "expected notes, gfm, commonmark, or a map of switches, found `fancy`"),
        ("content: ../x", "`../x` leads out of the site folder"),
        ("permalink: /:year/", "the pattern `/:year/` gives all notes one address"),
        (
            "collections: { a: { where: 'rating ~ 4' } }",
            "expected a condition such as `rating >= 4`, found `rating ~ 4`"
        ),
        ("collections: { a: { limit: -1 } }", "expected a whole number above 0, found `-1`"),
        ("[a]", "expected settings: `key: value` lines, found a list"),
    ])
    func `a wrong value is an error at its place`(_ text: String, _ message: String) throws {
        let reader = try read(text)
        #expect(reader.messages.map(\.message) == [message])
        #expect(reader.messages.first?.severity == .error)
        #expect(reader.messages.first?.span?.range != nil)
    }

    @Test func `an empty file and empty values are all defaults`() throws {
        for text in ["", "# nothing\n", "title:\ndrafts: ~\n"] {
            let reader = try read(text)
            #expect(
                reader.messages.isEmpty && reader.settings.title == "Notes"
                    && !reader.settings.drafts)
        }
    }

    @Test(arguments: [
        ("h:w", "h", "h", false), ("me@h:/srv/www", "me@h", "me@h", false),
        ("[2001:db8::1]:www", "[2001:db8::1]", "2001:db8::1", false),
        ("me@[fe80::1%eth0]:/srv/www", "me@[fe80::1%eth0]", "me@fe80::1%eth0", false),
        ("[::1]::module/x", "[::1]", "::1", true), ("h::module", "h", "h", true),
        ("rsync://[::1]:873/module", "rsync", "rsync", true),
        ("rsync://h/m", "rsync", "rsync", true),
    ])
    func `the machine of an rsync place is told`(
        _ place: String, _ host: String, _ login: String, _ isDaemon: Bool
    ) {
        #expect(RsyncPlace.host(of: place).map { String($0) } == host)
        #expect(RsyncPlace.login(of: place) == login)
        #expect(RsyncPlace.isDaemon(place) == isDaemon)
    }

    @Test(arguments: ["/srv/www", "../www", "./a:b", "www", "[2001:db8::1]", "[x]/a:b"])
    func `a folder here has no machine`(_ place: String) {
        #expect(RsyncPlace.host(of: place) == nil)
    }
}
