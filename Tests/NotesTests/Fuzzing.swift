import Diagnostics
import Foundation
import Notes
import Testing
import YAML

/// Random but structured inputs: whatever comes, reading ends, without a crash
/// and within the bounds that its result promises.
///
/// `make fuzz` runs a million of each with the address sanitizer.
@Suite struct `Hostile front matter and dates` {
    private static let count =
        ProcessInfo.processInfo.environment["DAYBOOK_FUZZ_COUNT"].flatMap { Int($0) } ?? 2000
    private static let seed =
        ProcessInfo.processInfo.environment["DAYBOOK_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1

    /// The same numbers on every machine.
    private struct Generator {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }

        mutating func pick<Element>(_ elements: [Element]) -> Element {
            elements[next(elements.count)]
        }
    }

    private static let keys =
        FrontMatterKeys.all.flatMap(\.keys) + [
            "rating", "Title", "a.b", "[a]\nb", "[[a]]\nb", "[taxonomies]\ntags", "extra", "\"q\"",
            "'k'", "? x", "[a]", "<<", "", "é", "日本",
        ]
    private static let values = [
        "2024-03-01", "2023-02-30", "2024-03-01T10:30:15.250+01:00", "true", "no", "1", "~", "null",
        "[a, b]", "[a, [b]]",
        "{a: b}", "a b, c", "#tag", "\"x", "'y", "|\n  block\n  text", ">-\n  folded", "&a x", "*a",
        "*b", "!!str 5", "@x", "`x`",
        "%x", "- a", "\n  - a\n  - b", ": :", "a: b", "\t", "", "[", "{", "]", "}", "../../x",
        "a/b/c", "\\", "\"\\0\"", "\"\\u0000\"",
        "\"\\ud800\"", "\"\"\"\nx\"\"\"\"", "'''x'''", "1979-05-27 07:32:00", "1_000", "0b11",
        "{ a.b = 1 }", "[1, [2], { c = 'd' }]", "\"\\u00e9\"", "\"\"\"a \\\n  b\"\"\"", "5e400",
        "99999999999999999999", "-0", ".5", "0x1F", "é", "日本", "🌱",
        "\u{FEFF}", "\u{0}", "\r", "\u{85}", "\u{2028}",
    ]

    private static func frontMatter(_ random: inout Generator) -> [UInt8] {
        var text = random.pick([
            "---\n", "---\r\n", "--- \n", "---", "\u{FEFF}---\n", "+++\n", "+++\n", "{\n", "{\"",
            "----\n",
        ])
        for _ in 0..<random.next(8) {
            text +=
                random.pick(["", "", "", " ", "  ", "\t"]) + random.pick(keys)
                + random.pick([": ", ":", " : ", ":\n  ", " = ", "="])
                + random.pick(values) + random.pick(["\n", "\n", "\r\n", "\r", "\n\n", " # c\n"])
        }
        text += random.pick(["---\n", "...\n", "---", "--- \r\n", "", "--\n", "+++\n"])
        text += random.pick(["", "body\n", "# Heading\n\ntext\n", "[[x]] #t\n", "---\n"])
        var bytes = Array(text.utf8)
        // Now and then a byte is changed, dropped or doubled.
        for _ in 0..<(random.next(4) == 0 ? random.next(4) : 0) where !bytes.isEmpty {
            let place = random.next(bytes.count)
            switch random.next(3) {
            case 0: bytes[place] = UInt8(random.next(256))
            case 1: bytes.remove(at: place)
            default: bytes.insert(bytes[place], at: place)
            }
        }
        return bytes
    }

    @Test func `fuzzFrontMatter`() {
        var random = Generator(state: Self.seed)
        for round in 0..<Self.count {
            let bytes = Self.frontMatter(&random)
            let (note, messages) = parseNote(bytes, path: "a/n.md")
            // A note, or errors that say why there is none; every place in the file.
            #expect(
                (note == nil) == messages.contains { $0.severity == .error },
                "round \(round), seed \(Self.seed)")
            for message in messages {
                guard let range = message.span?.range else { continue }
                #expect(
                    range.lowerBound >= 0 && range.upperBound <= bytes.count,
                    "round \(round), seed \(Self.seed)")
            }
            if let note {
                #expect(note.bodyOffset <= bytes.count)
                for origin in note.frontMatter.origins {
                    #expect(
                        origin.range.upperBound <= note.bodyOffset,
                        "round \(round), seed \(Self.seed)")
                }
                for tag in note.tags { #expect(!tag.key.isEmpty && !tag.key.contains("..")) }
            }
        }
    }

    private static let dateParts = [
        "2024", "1999", "0001", "9999", "10000", "0", "1", "12", "13", "29", "30", "31", "32", "-",
        "/", ":", ".", "T", "t", " ", "Z", "+", "-",
        "01:00", "0100", "24:00", "23:59", "59", "60", "Mar", "march", "Sept", "February", ",", "é",
        "٣", "", "999999999999999999999",
    ]

    @Test func `fuzzDates`() {
        var random = Generator(state: Self.seed)
        let zone = ZoneRules(fixed: "+05:30") ?? .utc
        for round in 0..<Self.count {
            var text = ""
            if random.next(2) == 0 {
                text = "\(1000 + random.next(9000))-\(random.next(14))-\(random.next(33))"
                if random.next(2) == 0 { text += "T\(random.next(26)):\(10 + random.next(52))" }
            }
            for _ in 0..<random.next(9) { text += random.pick(Self.dateParts) }
            _ = NoteDate.leading(in: text)
            guard let date = try? NoteDate(parsing: text) else { continue }
            // What was read is on the calendar and reads back from its own form.
            #expect(
                CalendarDay(year: date.day.year, month: date.day.month, day: date.day.day)
                    == date.day, "\(text)")
            #expect(
                (try? NoteDate(parsing: date.text)) == date,
                "round \(round), seed \(Self.seed): \(text)")
            #expect(CalendarDay(ordinal: date.day.ordinal) == date.day, "\(text)")
            #expect(
                (try? NoteDate(parsing: date.rfc3339(in: zone)))?.start(in: zone).seconds
                    == date.start(in: zone).seconds, "\(text)")
        }
    }
}
