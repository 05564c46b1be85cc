import Diagnostics
import Foundation
import Notes
import Testing

private func day(_ year: Int, _ month: Int, _ day: Int) -> CalendarDay? {
    CalendarDay(year: year, month: month, day: day)
}

@Suite struct `Dates as notes write them` {
    // SPEC, section 2, "Dates. Accepted".
    @Test(arguments: [
        ("2024-03-01", "2024-03-01"), ("2024-3-1", "2024-03-01"), ("2024/03/01", "2024-03-01"),
        ("2024/3/1", "2024-03-01"), ("2024-03-01T10:30", "2024-03-01T10:30"),
        ("2024-03-01 10:30", "2024-03-01T10:30"), ("2024-03-01 10:30:15", "2024-03-01T10:30:15"),
        ("2024-03-01T10:30:15.250", "2024-03-01T10:30:15.250"),
        ("2024-03-01T10:30:00Z", "2024-03-01T10:30Z"),
        ("2024-03-01T10:30+01:00", "2024-03-01T10:30+01:00"),
        ("2024-03-01T10:30:00+0100", "2024-03-01T10:30+01:00"),
        ("2024-03-01 10:30:00 +0100", "2024-03-01T10:30+01:00"),
        ("2024-03-01 10:30:00 -0700", "2024-03-01T10:30-07:00"), ("1 Mar 2024", "2024-03-01"),
        ("March 1, 2024", "2024-03-01"), ("29 February 2024", "2024-02-29"),
        ("Sept. 9, 2021", "2021-09-09"), (" 2024-03-01 ", "2024-03-01"),
        // As Obsidian's Linter writes them, `dddd, MMMM Do YYYY, h:mm:ss a`.
        ("Friday, November 20th 2026, 10:22:33 am", "2026-11-20T10:22:33"),
        ("Sunday, March 1st 2026, 9:05:00 pm", "2026-03-01T21:05"),
        ("Mon, Feb 2nd 2026, 12:00 am", "2026-02-02T00:00"),
        ("March 3rd, 2026, 12:30 PM", "2026-03-03T12:30"),
        ("November 20th 2026", "2026-11-20"), ("Friday 20th November 2026", "2026-11-20"),
        ("2026-11-20 1:05pm", "2026-11-20T13:05"),
        // That Friday was a Tuesday: the day counts.
        ("Friday, March 3rd 2026, 1:00:00 am", "2026-03-03T01:00"),
    ])
    func `every accepted form is read`(_ text: String, _ expected: String) throws {
        #expect(try NoteDate(parsing: text).text == expected)
    }

    @Test(arguments: [
        ("tuesday", DateError.unknownForm), ("", .unknownForm), ("2024", .unknownForm),
        ("2024-03", .unknownForm), ("2024-03-01x", .unknownForm), ("20240301", .unknownForm),
        ("2024-03-011", .unknownForm), ("2024-03-01 10", .unknownForm), ("24-03-01", .unknownForm),
        ("2024-03/01", .unknownForm), ("2023-01-29 18:30:22 2023 -0800", .unknownForm),
        ("2023-02-30", .noSuchDay(day: 30, month: 2, year: 2023)),
        ("2023-02-29", .noSuchDay(day: 29, month: 2, year: 2023)),
        ("1900-02-29", .noSuchDay(day: 29, month: 2, year: 1900)),
        ("2023-06-31", .noSuchDay(day: 31, month: 6, year: 2023)),
        ("2023-13-01", .noSuchMonth(13)), ("2023-00-01", .noSuchMonth(0)),
        ("2023-01-00", .noSuchDay(day: 0, month: 1, year: 2023)),
        ("2023-01-01T25:00:00Z", .noSuchTime), ("2023-01-01 10:60", .noSuchTime),
        ("2023-01-01T10:00+25:00", .noSuchOffset),
        ("Friday", .unknownForm), ("Friday, ", .unknownForm),
        ("Fridy, March 1st 2026", .unknownForm),
        ("March 1xx 2026", .unknownForm), ("March 1st 2026,", .unknownForm),
        ("March 1st 2026, 10:00 xm", .unknownForm), ("March 1st 2026, 10:00 am x", .unknownForm),
        ("Friday, February 30th 2026, 1:00:00 am", .noSuchDay(day: 30, month: 2, year: 2026)),
        ("March 1st 2026, 13:00 pm", .noSuchHourOfHalf),
        ("March 1st 2026, 0:30 am", .noSuchHourOfHalf),
        ("March 1st 2026, 10:60 am", .noSuchTime), ("March 1st 2026, 25:00", .noSuchTime),
    ])
    func `everything else is refused for its reason`(_ text: String, _ expected: DateError) {
        #expect(throws: expected) { try NoteDate(parsing: text) }
    }

    @Test func `messages name what the calendar has`() {
        #expect(
            DateError.noSuchDay(day: 30, month: 2, year: 2023).message(for: "2023-02-30")
                == "`2023-02-30` is on no calendar: February 2023 has 28 days, not 30")
    }

    @Test(arguments: [
        ("2026-02-30", "write a day that exists"),
        ("2026-03-01 25:00", "write a time that exists, such as 10:30 or 23:59"),
        ("March 1st 2026, 13:00 pm", "write a time such as 10:30 am, or 22:30"),
        ("2026-03-01 10:00+25:00", "write an offset such as +01:00, or Z for UTC"),
    ])
    func `help is about the part that is wrong`(_ text: String, _ help: String) {
        #expect(parseNote("---\ndate: \(text)\n---\n").messages.map(\.help) == [help])
    }

    // Foundation's calendar decides (from 1583 on: before that it is Julian).
    @Test func `days and their ordinals agree with Foundation's calendar`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for ordinal in stride(from: -140_000, through: 200_000, by: 97) {
            let date = Date(timeIntervalSince1970: Double(ordinal) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            let found = CalendarDay(ordinal: ordinal)
            #expect(
                found.year == parts.year && found.month == parts.month && found.day == parts.day)
            #expect(found.weekday + 1 == parts.weekday)
            #expect(found.ordinal == ordinal)
        }
    }

    @Test func `a name's leading date ends where the rest begins`() {
        #expect(NoteDate.leading(in: "2024-03-01-my-note").map { $0.length } == 11)
        #expect(NoteDate.leading(in: "2024-03-01").map { $0.length } == 10)
        #expect(NoteDate.leading(in: "2024-03-01 note").map { $0.length } == 11)
        #expect(NoteDate.leading(in: "2024-13-01-note") == nil)
        #expect(NoteDate.leading(in: "2024-03-012") == nil)
        #expect(NoteDate.leading(in: "note") == nil)
    }
}

@Suite struct `Time zones` {
    private static func rules(_ name: String) -> ZoneRules? {
        guard let data = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)") else {
            return nil
        }
        return ZoneRules(name: name, tzif: Array(data))
    }

    // Foundation reads the same data by code of its own.
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/UTC"), "needs tzdata"),
        arguments: [
            "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
            "America/Sao_Paulo", "Pacific/Kiritimati", "Antarctica/Troll",
            "America/St_Johns", "Asia/Tehran", "Europe/Dublin", "Pacific/Apia",
        ])
    func `offsets agree with Foundation's from 1950 to 2090`(_ name: String) throws {
        let rules = try #require(Self.rules(name))
        let zone = try #require(TimeZone(identifier: name))
        for seconds in stride(from: Int64(-631_152_000), to: 3_786_912_000, by: 1_000_003) {
            let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            #expect(rules.offset(at: Instant(seconds: seconds)) == expected, "\(seconds)")
        }
    }

    @Test func `a day starts at its first instant, also where midnight is left out`() throws {
        guard let rules = Self.rules("America/Sao_Paulo") else { return }
        // On 4 November 2018 clocks went from 23:59:59 to 01:00:00 there
        // (tz database, southamerica): the day began at 03:00 UTC.
        let first = try #require(day(2018, 11, 4))
        #expect(
            NoteDate.rfc3339(rules.firstInstant(of: first), offset: 0) == "2018-11-04T03:00:00Z")
    }

    @Test func `a time that occurs twice means the first, one left out the change`() throws {
        guard let rules = Self.rules("Europe/Berlin") else { return }
        let twice = try NoteDate(parsing: "2024-10-27 02:30").start(in: rules)
        #expect(NoteDate.rfc3339(twice, offset: 0) == "2024-10-27T00:30:00Z")
        let never = try NoteDate(parsing: "2024-03-31 02:30").start(in: rules)
        #expect(NoteDate.rfc3339(never, offset: 0) == "2024-03-31T01:00:00Z")
    }

    @Test func `fixed offsets are zones too`() {
        #expect(ZoneRules(fixed: "+02:00")?.offset(at: Instant(seconds: 0)) == 7200)
        #expect(ZoneRules(fixed: "-0330")?.offset(at: Instant(seconds: 0)) == -12600)
        #expect(ZoneRules(fixed: "UTC")?.offset(at: Instant(seconds: 0)) == 0)
        #expect(ZoneRules(fixed: "Berlin") == nil)
    }

    @Test func `damaged zone data is refused, never read past its end`() {
        guard let data = FileManager.default.contents(atPath: "/usr/share/zoneinfo/Europe/Berlin")
        else { return }
        let bytes = Array(data)
        for length in stride(from: 0, to: bytes.count, by: 7) {
            let rules = ZoneRules(name: "x", tzif: Array(bytes[..<length]))
            _ = rules?.offset(at: Instant(seconds: 1_700_000_000))
        }
        var seed: UInt64 = 7
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0..<4 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                damaged[Int(seed >> 33) % damaged.count] = UInt8(truncatingIfNeeded: seed >> 20)
            }
            let rules = ZoneRules(name: "x", tzif: damaged)
            _ = rules?.offset(at: Instant(seconds: 1_700_000_000))
            _ = rules?.firstInstant(of: CalendarDay(ordinal: 20_000))
        }
    }
}

@Suite struct `Publishing moments` {
    @Test func `RFC 3339 texts carry the zone's offset`() throws {
        let zone = try #require(ZoneRules(fixed: "+01:00"))
        #expect(
            try NoteDate(parsing: "2024-03-01").rfc3339(in: zone) == "2024-03-01T00:00:00+01:00")
        #expect(
            try NoteDate(parsing: "2024-03-01 10:30").rfc3339(in: zone)
                == "2024-03-01T10:30:00+01:00")
        #expect(
            try NoteDate(parsing: "2024-03-01T10:30Z").rfc3339(in: zone) == "2024-03-01T10:30:00Z")
        // Before 1970 as well.
        #expect(
            try NoteDate(parsing: "1969-12-31T23:59:59Z").rfc3339(in: .utc)
                == "1969-12-31T23:59:59Z")
    }
}
