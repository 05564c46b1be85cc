/// Why a text is no date.
package enum DateError: Error, Equatable, Sendable {
    /// It has none of the accepted forms.
    case unknownForm
    /// The calendar has no such month.
    case noSuchMonth(Int)
    /// The month has fewer days.
    case noSuchDay(day: Int, month: Int, year: Int)
    /// The clock has no such time.
    case noSuchTime
    /// No half of a day has such an hour.
    case noSuchHourOfHalf
    /// No place on earth is that far from UTC.
    case noSuchOffset

    /// What is wrong with `text`, as a sentence without a full stop.
    package func message(for text: String) -> String {
        switch self {
        case .unknownForm: "`\(text)` is not a date"
        case .noSuchMonth(let month): "`\(text)` is on no calendar: there is no month \(month)"
        case .noSuchDay(let day, let month, let year):
            "`\(text)` is on no calendar: \(CalendarDay.monthNames[month - 1]) \(year) has "
                + "\(CalendarDay.length(ofMonth: month, in: year)) days, not \(day)"
        case .noSuchTime: "`\(text)` is on no clock: hours go to 23, minutes and seconds to 59"
        case .noSuchHourOfHalf:
            "`\(text)` is on no clock: with am and pm hours go from 1 to 12"
        case .noSuchOffset: "`\(text)` has an offset that no time zone has"
        }
    }

    /// How a date is written.
    package static let help =
        "write a date such as 2024-03-01, 2024-03-01 10:30 or 2024-03-01T10:30:00+01:00"
}

extension NoteDate {
    /// Reads a date in one of the accepted forms:
    ///
    /// `2024-03-01`, `2024/3/1`, each alone or followed by `T` or a blank and
    /// `10:30`, `10:30:15` or `10:30:15.250`, that by `Z`, `+01:00` or
    /// `+0100`, with or without a blank; `1 Mar 2024`, `March 1, 2024`, and what
    /// Obsidian's Linter writes: `Friday, March 1st 2024, 10:30:15 am`, whose
    /// weekday says nothing that the rest does not. Thirteen digits are
    /// milliseconds since 1970, as Dendron writes them.
    package init(parsing text: String) throws(DateError) {
        if text.utf8.count == 13, let milliseconds = UInt64(text) {
            let ofDay = Int(milliseconds % 86_400_000)
            self.init(
                day: CalendarDay(ordinal: Int(milliseconds / 86_400_000)),
                time: Time(
                    hour: ofDay / 3_600_000, minute: ofDay / 60_000 % 60,
                    second: ofDay / 1000 % 60, millisecond: ofDay % 1000, offset: 0))
            return
        }
        var cursor = DateCursor(text)
        cursor.skipBlanks()
        let day = try cursor.day()
        var time: Time?
        if cursor.skip(",") {
            guard cursor.skipBlanks() > 0 else { throw .unknownForm }
            time = try cursor.time()
        } else if cursor.skip("T") || cursor.skip("t") || cursor.skipBlanks() > 0 && !cursor.atEnd {
            time = try cursor.time()
        }
        cursor.skipBlanks()
        guard cursor.atEnd else { throw .unknownForm }
        self.init(day: day, time: time)
    }

    /// The date at the start of a file's name, as in `2024-03-01-title.md`,
    /// and the number of bytes that it takes there with what separates it from
    /// the rest.
    package static func leading(in name: String) -> (day: CalendarDay, length: Int)? {
        let bytes = Array(name.utf8)
        guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-")
        else { return nil }
        var numbers: [Int] = []
        for part in [0..<4, 5..<7, 8..<10] {
            var number = 0
            for byte in bytes[part] {
                guard byte >= 0x30, byte <= 0x39 else { return nil }
                number = number * 10 + Int(byte - 0x30)
            }
            numbers.append(number)
        }
        if bytes.count > 10, bytes[10] >= 0x30, bytes[10] <= 0x39 { return nil }
        guard let day = CalendarDay(year: numbers[0], month: numbers[1], day: numbers[2])
        else { return nil }
        var length = 10
        while length < bytes.count,
            bytes[length] == 0x2D || bytes[length] == 0x5F
                || bytes[length] == 0x20
        {
            length += 1
        }
        return (day, length)
    }
}

/// Reads the parts of a date from left to right.
private struct DateCursor {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var atEnd: Bool { index == bytes.count }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    @discardableResult
    mutating func skipBlanks() -> Int {
        let start = index
        while next == 0x20 || next == 0x09 { index += 1 }
        return index - start
    }

    mutating func number(_ digits: ClosedRange<Int>) throws(DateError) -> Int {
        var value = 0
        var count = 0
        while let byte = next, byte >= 0x30, byte <= 0x39, count < digits.upperBound {
            value = value * 10 + Int(byte - 0x30)
            count += 1
            index += 1
        }
        guard digits.contains(count) else { throw .unknownForm }
        return value
    }

    mutating func day() throws(DateError) -> CalendarDay {
        try skipWeekday()
        if let byte = next, byte >= 0x30, byte <= 0x39 {
            let first = try number(1...4)
            if skip("-") { return try rest(ofYear: first, separator: "-") }
            if skip("/") { return try rest(ofYear: first, separator: "/") }
            // 1 Mar 2024
            skipOrdinalEnding()
            guard skipBlanks() > 0, first <= 99 else { throw .unknownForm }
            let month = try monthName()
            _ = skip(",")
            guard skipBlanks() > 0 else { throw .unknownForm }
            return try checked(year: number(4...4), month: month, day: first)
        }
        // March 1, 2024
        let month = try monthName()
        guard skipBlanks() > 0 else { throw .unknownForm }
        let day = try number(1...2)
        skipOrdinalEnding()
        _ = skip(",")
        guard skipBlanks() > 0 else { throw .unknownForm }
        return try checked(year: number(4...4), month: month, day: day)
    }

    /// Letters, in lower case.
    private mutating func word() -> String {
        let start = index
        while let byte = next, byte | 0x20 >= 0x61, byte | 0x20 <= 0x7A { index += 1 }
        return String(decoding: bytes[start..<index].map { $0 | 0x20 }, as: UTF8.self)
    }

    private static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    /// Passes over a weekday with its comma, where the text begins with one.
    private mutating func skipWeekday() throws(DateError) {
        let start = index
        let word = word()
        guard word.utf8.count >= 3,
            Self.weekdays.contains(where: { $0 == word || $0.prefix(3) == word })
        else {
            index = start
            return
        }
        _ = skip(",")
        guard skipBlanks() > 0 else { throw .unknownForm }
    }

    /// Passes over what English writes behind the number of a day: `1st`.
    private mutating func skipOrdinalEnding() {
        let start = index
        if !["st", "nd", "rd", "th"].contains(word()) { index = start }
    }

    private mutating func rest(
        ofYear year: Int, separator: Unicode.Scalar
    ) throws(DateError) -> CalendarDay {
        guard year >= 1000 || index == 5 else { throw .unknownForm }
        let month = try number(1...2)
        guard skip(separator) else { throw .unknownForm }
        return try checked(year: year, month: month, day: number(1...2))
    }

    private func checked(year: Int, month: Int, day: Int) throws(DateError) -> CalendarDay {
        guard (1...12).contains(month) else { throw .noSuchMonth(month) }
        guard let found = CalendarDay(year: year, month: month, day: day) else {
            guard year >= 1 else { throw .unknownForm }
            throw .noSuchDay(day: day, month: month, year: year)
        }
        return found
    }

    private mutating func monthName() throws(DateError) -> Int {
        let word = word()
        _ = skip(".")
        let month = CalendarDay.monthNames.firstIndex { name in
            let name = name.lowercased()
            return name == word || word == name.prefix(3) || word == "sept" && name == "september"
        }
        guard let month else { throw .unknownForm }
        return month + 1
    }

    mutating func time() throws(DateError) -> NoteDate.Time {
        let hour = try number(1...2)
        guard skip(":") else { throw .unknownForm }
        var time = try NoteDate.Time(hour: hour, minute: number(2...2))
        if skip(":") {
            time.second = try number(2...2)
            if skip(".") || skip(",") { time.millisecond = try milliseconds() }
        }
        guard time.hour <= 23, time.minute <= 59, time.second <= 59 else { throw .noSuchTime }
        let blanks = skipBlanks()
        if let next, next | 0x20 == UInt8(ascii: "a") || next | 0x20 == UInt8(ascii: "p") {
            let half = word()
            guard half == "am" || half == "pm" else { throw .unknownForm }
            guard (1...12).contains(time.hour) else { throw .noSuchHourOfHalf }
            time.hour = time.hour % 12 + (half == "pm" ? 12 : 0)
            return time
        }
        if skip("Z") || skip("z") {
            time.offset = 0
        } else if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") {
            time.offset = try offset()
        } else if blanks > 0, !atEnd {
            throw .unknownForm
        }
        return time
    }

    private mutating func milliseconds() throws(DateError) -> Int {
        let start = index
        let value = try number(1...9)
        var digits = index - start
        var milliseconds = value
        while digits < 3 {
            milliseconds *= 10
            digits += 1
        }
        while digits > 3 {
            milliseconds /= 10
            digits -= 1
        }
        return milliseconds
    }

    private mutating func offset() throws(DateError) -> Int {
        let sign = next == UInt8(ascii: "-") ? -1 : 1
        index += 1
        let hours = try number(2...2)
        var minutes = 0
        if skip(":") {
            minutes = try number(2...2)
        } else if let byte = next, byte >= 0x30, byte <= 0x39 {
            minutes = try number(2...2)
        }
        guard hours <= 14, minutes <= 59 else { throw .noSuchOffset }
        return sign * (hours * 60 + minutes) * 60
    }
}
