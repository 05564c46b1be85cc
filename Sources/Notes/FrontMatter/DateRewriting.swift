/// Writes a date in the form of the one that it replaces, as far as that can be.
enum DateRewriting {
    /// The text `old` with the day, and the hour and minute, of `new`, which is
    /// `2024-03-01` or `2024-03-01T10:30`.
    static func rewritten(_ old: String, as new: String) -> String {
        guard let wanted = try? NoteDate(parsing: new), let found = try? NoteDate(parsing: old),
            let day = leadingDay(of: old)
        else { return new }
        if wanted == found { return old }
        var text = String(old.dropFirst(day.text.count))
        if wanted.time == nil { text = "" }
        if let time = wanted.time {
            let clock = CalendarDay.padded(time.hour, 2) + ":" + CalendarDay.padded(time.minute, 2)
            if let before = found.time, text.count >= 5 {
                // Behind the letter or blank that parts it from the day.
                if (before.hour, before.minute) != (time.hour, time.minute) {
                    guard let colon = text.firstIndex(of: ":") else { return new }
                    let start = text.index(after: text.startIndex)
                    let end =
                        text.index(colon, offsetBy: 3, limitedBy: text.endIndex) ?? text.endIndex
                    text.replaceSubrange(start..<end, with: clock)
                }
            } else {
                text = "T" + clock
            }
        }
        let result = day.written(wanted.day) + text
        let isSame = (try? NoteDate(parsing: result)).map { read in
            read.day == wanted.day && read.time?.hour == wanted.time?.hour
                && read.time?.minute == wanted.time?.minute
        }
        return isSame == true ? result : new
    }

    /// A day in digits, with what it is written with.
    private struct Day {
        var text: Substring
        var separator: Character
        var isPadded: Bool

        func written(_ day: CalendarDay) -> String {
            let width = isPadded ? 2 : 1
            return [
                CalendarDay.padded(day.year, 4), CalendarDay.padded(day.month, width),
                CalendarDay.padded(day.day, width),
            ].joined(separator: String(separator))
        }
    }

    private static func leadingDay(of text: String) -> Day? {
        let day = text.prefix { $0.isASCII && $0.isNumber || $0 == "-" || $0 == "/" }
        let parts = day.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
        guard parts.count == 3, parts[0].count == 4,
            parts[1...].allSatisfy({ (1...2).contains($0.count) }),
            let separator = day.first(where: { !$0.isNumber })
        else { return nil }
        let isPadded = parts[1...].allSatisfy { $0.count == 2 }
        return Day(text: day, separator: separator, isPadded: isPadded)
    }
}
