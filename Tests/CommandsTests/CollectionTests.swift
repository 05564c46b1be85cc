import Foundation
import Testing

/// Four real collections, built by the real program. What must hold of each
/// was established from its files by other means, and is listed beside them.
@Suite(.enabled(if: Shared.hasCorpora, "the collections are not beside this checkout"))
struct `Real collections` {
    /// A collection built once: its report, its notes, its output.
    final class Built {
        let output: URL
        let report: [String: Any]
        let notes: [[String: Any]]
        let code: Int32

        init(_ name: String) throws {
            let source = try #require(Shared.path("corpora/\(name)"))
            output = FileManager.default.temporaryDirectory.appending(
                path: "daybook-\(UUID().uuidString)")
            let build = try Daybook.run([
                "build", source.path, "--output", output.path, "--now", "2026-06-01", "--json",
                "--verbose", "--keep-going",
            ])
            code = build.code
            report = try #require(
                JSONSerialization.jsonObject(with: Data(build.output.utf8)) as? [String: Any])
            let list = try Daybook.run([
                "list", source.path, "--json", "--drafts", "--now", "2026-06-01",
            ])
            notes = try #require(
                JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
        }

        deinit { try? FileManager.default.removeItem(at: output) }

        func page(_ path: String) -> String {
            (try? String(contentsOf: output.appending(path: path + "index.html"), encoding: .utf8))
                ?? ""
        }

        /// The pages of all published notes.
        func notePages() -> [String] {
            notes.compactMap { $0["url"] as? String }.map { page(String($0.dropFirst())) }
        }

        func messages(_ id: String) -> [String] {
            (report["messages"] as? [[String: Any]] ?? []).filter { $0["id"] as? String == id }
                .compactMap { $0["message"] as? String }
        }

        func errors() -> [[String: Any]] {
            (report["messages"] as? [[String: Any]] ?? []).filter {
                $0["severity"] as? String == "error"
            }
        }

        func titles() -> [String] { notes.compactMap { $0["title"] as? String } }
    }

    @Test func `tasks-docs`() throws {
        let site = try Built("tasks-docs")
        #expect(site.code == 0)
        #expect(site.report["notes"] as? Int == 118)
        #expect(site.notes.count == 118)
        #expect(site.notes.allSatisfy { $0["date"] is NSNull })
        // 2 notes are `publish: false`.
        #expect((site.report["heldBack"] as? [Any])?.count == 2)
        // 1,108 wikilinks, none unresolved or ambiguous, every heading found;
        // of the pictures 4 are absent.
        #expect(site.messages("broken-link").count == 4)
        #expect(
            site.messages("broken-link").allSatisfy {
                $0.contains("image") || $0.contains(".png") || $0.contains(".gif")
            })
        #expect(site.messages("ambiguous-link").isEmpty && site.messages("broken-anchor").isEmpty)
        // 21 tags, all inline; nested ones count for their parents.
        let tags = Set(site.notes.flatMap { $0["tags"] as? [String] ?? [] })
        #expect(tags.count == 21)
        func count(_ tag: String) -> Int {
            site.notes.filter {
                ($0["tags"] as? [String] ?? []).contains { $0 == tag || $0.hasPrefix(tag + "/") }
            }.count
        }
        #expect(count("feature/statuses") == 14)
        #expect(count("index-pages") == 12)
        #expect(count("feature") == 32)
        #expect(!site.page("tags/feature/").isEmpty)

        // 389 callouts, of which 167 are of a type that nobody knows. Five are
        // in the note that embeds 24 sections, which show callouts of theirs.
        let bodies = site.notePages().map(\.bodyPart)
        let others = bodies.filter { $0.count(of: "class=\"embed\"") < 24 }
        #expect(others.reduce(0) { $0 + $1.count(of: "class=\"callout\"") } == 389 - 5)
        #expect(
            others.reduce(0) { $0 + $1.count(of: "data-callout-type=\"released\"") } == 167)
        #expect(bodies.allSatisfy { !$0.contains("<blockquote>\n<p>[!") })
        let limitations = site.page("support-and-help/known-limitations/").bodyPart
        #expect(limitations.count(of: "class=\"embed\"") == 24)
        #expect(limitations.contains("Urgency score ignores task status"))
        #expect(!limitations.contains("embed-placeholder"))
    }

    @Test func `jekyll-docs`() throws {
        let site = try Built("jekyll-docs")
        // One date has the year twice: an error, and the rest is published.
        #expect(site.code == 1)
        #expect(site.errors().count == 1)
        #expect(
            site.errors().first?["file"] as? String
                == "_posts/2023-01-29-jekyll-3-9-3-released.markdown")
        #expect(site.errors().first?["line"] as? Int == 3)
        #expect(site.notes.count == 206)
        let posts = site.notes.filter { ($0["path"] as? String)?.hasPrefix("_posts/") == true }
        #expect(posts.count == 101)
        let dates = posts.compactMap { $0["date"] as? String }.sorted()
        #expect(dates.count == 101)
        #expect(
            dates.first?.hasPrefix("2013-05-06") == true
                && dates.last?.hasPrefix("2025-01-29") == true)
        // The front matter's day wins over the file name's.
        let update = posts.first {
            ($0["path"] as? String)?.hasSuffix("2018-03-14-development-update.md") == true
        }
        #expect((update?["date"] as? String)?.hasPrefix("2018-04-19") == true)
        // A post's address has its date.
        #expect(
            posts.allSatisfy {
                ($0["url"] as? String)?.contains(/^\/\d{4}\/\d\d\/\d\d\/[^\/]+\/$/) == true
            })
        // A permalink is taken as typed.
        #expect(!site.page("docs/history/").isEmpty)
        #expect(site.page("docs/history/").count(of: "<h2 id=") == 126)
    }

    @Test func `dotnet-designs`() throws {
        let site = try Built("dotnet-designs")
        #expect(site.code == 0)
        #expect(site.notes.count == 113)
        #expect(site.notes.allSatisfy { $0["date"] is NSNull })
        // Links to notes that are not there: 2, both in one file.
        let broken = (site.report["messages"] as? [[String: Any]] ?? []).filter {
            $0["id"] as? String == "broken-link"
                && ($0["message"] as? String)?.contains(".md") == true
        }
        #expect(broken.count == 2)
        #expect(
            broken.allSatisfy {
                $0["file"] as? String == "accepted/2020/workloads/workload-manifest.md"
            })
        // The index lists 74 accepted designs and 2 drafts, 76 in all, and 7
        // proposals; each row's first link is a page of the site.
        let rows = site.page("").pieces(between: "<tr>", and: "</tr>")
            .filter { $0.contains("<td") }
        #expect(rows.count == 74 + 2 + 7)
        for row in rows {
            let address = try #require(row.values(of: "href").first { $0.hasPrefix("/") }, "\(row)")
            #expect(!site.page(String(address.dropFirst())).isEmpty, "\(address)")
        }
    }

    @Test func `free-books`() throws {
        let site = try Built("free-books")
        #expect(site.code == 0)
        #expect(site.notes.count == 215)
        // 98 notes begin with `### Index`: that is no title.
        #expect(!site.titles().contains("Index"))
        // All 431 links to notes resolve.
        #expect(site.messages("broken-link").allSatisfy { !$0.contains(".md") })
        // Of 2,396 links within a page 43 meet neither GitHub's rule nor an
        // `<a id>`; of these some are found by their letters.
        #expect(site.messages("broken-anchor").count <= 43)
        // Markdown inside a right-to-left div renders.
        let farsi = site.page("books/free-programming-books-fa-ir/")
        #expect(farsi.contains("<div dir=\"rtl\""))
        #expect(
            farsi.pieces(between: "<div dir=\"rtl\"", and: "</div>").contains {
                $0.contains("<h3 id=") && $0.contains("<li>")
            })
    }
}
