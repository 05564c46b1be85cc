/// The rule of a POSIX `TZ` text, such as `CET-1CEST,M3.5.0,M10.5.0/3`, which
/// ends a TZif file and holds for all later years (POSIX, "Environment
/// Variables"; RFC 8536, section 3.3).
struct RecurringRule: Sendable, Hashable {
    /// When in a year a change happens.
    private enum Day: Hashable {
        /// The `week`th (5: last) `weekday` of `month`.
        case weekday(month: Int, week: Int, weekday: Int)
        /// Day 1 to 365; 29 February is never counted.
        case julian(Int)
        /// Day 0 to 365; 29 February is counted.
        case dayOfYear(Int)
    }

    private struct Change: Hashable {
        var day: Day
        /// Seconds after local midnight; may be negative or above a day.
        var time: Int
    }

    private let standard: Int
    private let summer: (offset: Int, starts: Change, ends: Change)?

    static func == (one: RecurringRule, other: RecurringRule) -> Bool {
        one.standard == other.standard && one.summer?.offset == other.summer?.offset
            && one.summer?.starts == other.summer?.starts
            && one.summer?.ends == other.summer?.ends
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(standard)
    }

    init?(posix text: String) {
        var parser = PosixParser(text)
        guard parser.name(), let standard = parser.offset() else { return nil }
        self.standard = -standard
        guard parser.name() else {
            summer = nil
            return
        }
        let offset = parser.isAtComma ? self.standard + 3600 : -(parser.offset() ?? 0)
        guard let starts = parser.change(), let ends = parser.change() else { return nil }
        summer = (offset, starts, ends)
    }

    func offset(at seconds: Int64) -> Int {
        guard let summer else { return standard }
        let year = CalendarDay(ordinal: Int(floorDivide(seconds + Int64(standard), 86_400))).year
        let start = Self.seconds(of: summer.starts, in: year) - Int64(standard)
        let end = Self.seconds(of: summer.ends, in: year) - Int64(summer.offset)
        let isSummer =
            start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end
        return isSummer ? summer.offset : standard
    }

    private static func seconds(of change: Change, in year: Int) -> Int64 {
        guard let newYear = CalendarDay(year: year, month: 1, day: 1) else { return 0 }
        var ordinal = newYear.ordinal
        let isLeap = CalendarDay.length(ofMonth: 2, in: year) == 29
        switch change.day {
        case .julian(let day):
            ordinal += day - 1 + (isLeap && day >= 60 ? 1 : 0)
        case .dayOfYear(let day):
            ordinal += day
        case .weekday(let month, let week, let weekday):
            guard let first = CalendarDay(year: year, month: month, day: 1) else { return 0 }
            var day = 1 + (weekday - first.weekday + 7) % 7 + (week - 1) * 7
            while day > CalendarDay.length(ofMonth: month, in: year) { day -= 7 }
            ordinal = first.ordinal + day - 1
        }
        return Int64(ordinal) * 86_400 + Int64(change.time)
    }

    private struct PosixParser {
        private var rest: Substring.UTF8View

        init(_ text: String) {
            rest = Substring(text).utf8
        }

        var isAtComma: Bool { rest.first == UInt8(ascii: ",") }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        /// A zone's abbreviation: letters, or anything between `<` and `>`.
        mutating func name() -> Bool {
            if skip("<") {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
                rest = rest[rest.index(after: end)...]
                return true
            }
            let letters = rest.prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }.count
            rest = rest.dropFirst(letters)
            return letters >= 3
        }

        mutating func number() -> Int? {
            let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }.prefix(4)
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }

        /// `[+-]hh[:mm[:ss]]` in seconds.
        mutating func offset() -> Int? {
            let isNegative = skip("-")
            if !isNegative { _ = skip("+") }
            guard let hours = number() else { return nil }
            var seconds = hours * 3600
            if skip(":") { seconds += (number() ?? 0) * 60 }
            if skip(":") { seconds += number() ?? 0 }
            return isNegative ? -seconds : seconds
        }

        mutating func change() -> Change? {
            guard skip(",") else { return nil }
            let day: Day
            if skip("M") {
                guard let month = number(), skip("."), let week = number(), skip("."),
                    let weekday = number(), (1...12).contains(month), (1...5).contains(week),
                    (0...6).contains(weekday)
                else { return nil }
                day = .weekday(month: month, week: week, weekday: weekday)
            } else if skip("J") {
                guard let number = number(), (1...365).contains(number) else { return nil }
                day = .julian(number)
            } else {
                guard let number = number(), number <= 365 else { return nil }
                day = .dayOfYear(number)
            }
            let time = skip("/") ? offset() ?? 7200 : 7200
            return Change(day: day, time: time)
        }
    }
}
