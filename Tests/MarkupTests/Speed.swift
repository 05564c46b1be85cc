import CCmark
import Markup
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Measured only when asked for: `DAYBOOK_BENCHMARK=1 swift test -c release
/// -Xswiftc -enable-testing --filter Speed`.
@Suite("Speed", .enabled(if: getenv("DAYBOOK_BENCHMARK") != nil))
struct Speed {
    @Test("Parsing a note of 4 KB, beside cmark's parsing and rendering")
    func note() {
        let text = Self.note
        let kilobytes = Double(text.count) / 1024
        let cmark = Self.nanoseconds { cmarkHTML(text).count }
        var parser = MarkupParser()
        for (name, dialect) in [
            ("notes", Dialect.notes), ("gfm", .gfm), ("commonmark", .commonmark),
        ] {
            let ours = Self.nanoseconds {
                parser.parse(text, in: 0..<text.count, dialect: dialect).html.count
            }
            print("\(name): \(Int(ours / kilobytes)) ns/KB; cmark \(Int(cmark / kilobytes)) ns/KB")
        }
        // Fast and wrong does not count.
        let document = parser.parse(text, in: 0..<text.count, dialect: .commonmark)
        #expect(document.htmlAsTyped() == cmarkHTML(text))
    }

    /// The median time of one call.
    private static func nanoseconds(_ work: () -> Int) -> Double {
        var times: [Double] = []
        var sum = 0
        for _ in 0..<41 {
            let start = now()
            for _ in 0..<400 { sum &+= work() }
            times.append((now() - start) / 400)
        }
        #expect(sum > 0)
        return times.sorted()[times.count / 2]
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// Prose with what notes hold: lists, a quote, code, links.
    private static let note: [UInt8] = {
        let section = """
            ## A section of *some* length

            Ordinary prose that goes on for a while, with **strong words**, `code` and a
            [link](https://example.org/path) or a [[note|wikilink]] in it, wrapped at eighty
            columns as people do. Nothing much happens in this paragraph, and that is the point
            of it: most of a note is text. It carries a #tag too.

            - a point with a [second link](other.md#part)
            - another point, which is longer than the first one and has *emphasis*
            - [ ] a task that nobody has done

            > A quote of two lines, which says that the quick brown fox jumps over the lazy
            > dog, again and again.

            ```swift
            let answer = 6 * 7
            print("the answer is \\(answer)")
            ```


            """
        return Array(String(repeating: section, count: 5).utf8)
    }()
}
