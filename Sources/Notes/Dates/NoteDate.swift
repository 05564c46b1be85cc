/// A date as a note gives it: a calendar day, perhaps with a time of day.
///
/// A day without a time is that day everywhere on earth, never an instant. A
/// time without an offset is meant in the site's time zone. The day shown,
/// grouped by and sorted by is always the day that was written.
package struct NoteDate: Hashable, Sendable {
    /// A time of day.
    package struct Time: Hashable, Sendable {
        /// 0 to 23.
        package var hour: Int
        /// 0 to 59.
        package var minute: Int
        /// 0 to 59.
        package var second: Int
        /// 0 to 999.
        package var millisecond: Int
        /// Seconds east of UTC, where the note gives an offset.
        package var offset: Int?

        /// A time of day.
        package init(
            hour: Int, minute: Int, second: Int = 0, millisecond: Int = 0, offset: Int? = nil
        ) {
            self.hour = hour
            self.minute = minute
            self.second = second
            self.millisecond = millisecond
            self.offset = offset
        }

        var millisecondsOfDay: Int64 {
            Int64((hour * 60 + minute) * 60 + second) * 1000 + Int64(millisecond)
        }
    }

    /// The day as written.
    package var day: CalendarDay
    /// The time as written.
    package var time: Time?

    /// A date.
    package init(day: CalendarDay, time: Time? = nil) {
        self.day = day
        self.time = time
    }

    /// The instant at which the date begins: the time, or the first instant of
    /// the day in `zone`.
    package func start(in zone: ZoneRules) -> Instant {
        let midnight = Int64(day.ordinal) * 86_400_000
        guard let time else { return zone.firstInstant(of: day) }
        let local = midnight + time.millisecondsOfDay
        if let offset = time.offset {
            return Instant(milliseconds: local - Int64(offset) * 1000)
        }
        return zone.instant(atLocalMilliseconds: local)
    }

    /// The date as RFC 3339 demands it, with the offset that holds in `zone`
    /// where none was written: `2024-03-01T10:30:00+01:00`.
    package func rfc3339(in zone: ZoneRules) -> String {
        let instant = start(in: zone)
        let offset = time?.offset ?? zone.offset(at: instant)
        return Self.rfc3339(instant, offset: offset)
    }

    /// An instant as RFC 3339 demands it, with `offset` seconds east of UTC.
    package static func rfc3339(_ instant: Instant, offset: Int) -> String {
        let local = instant.seconds + Int64(offset)
        let day = CalendarDay(ordinal: Int(floorDivide(local, 86_400)))
        let second = Int(local - floorDivide(local, 86_400) * 86_400)
        let clock = [second / 3600, second / 60 % 60, second % 60]
            .map { CalendarDay.padded($0, 2) }.joined(separator: ":")
        return "\(day.text)T\(clock)\(offsetText(offset))"
    }

    /// An instant to the minute, as people read it: `2026-12-24T08:00+01:00`;
    /// with seconds where it has some.
    package static func minuteText(_ instant: Instant, offset: Int) -> String {
        let text = rfc3339(instant, offset: offset)
        let start = text.prefix(16)
        let rest = text.dropFirst(16)
        return rest.hasPrefix(":00") ? String(start + rest.dropFirst(3)) : text
    }

    /// `Z` or `+01:00`.
    package static func offsetText(_ offset: Int) -> String {
        if offset == 0 { return "Z" }
        let minutes = abs(offset) / 60
        return (offset < 0 ? "-" : "+") + CalendarDay.padded(minutes / 60, 2) + ":"
            + CalendarDay.padded(minutes % 60, 2)
    }

    /// The shortest form that says all that was written: `2024-03-01`,
    /// `2024-03-01T10:30`, `2024-03-01T10:30:15+01:00`.
    package var text: String {
        guard let time else { return day.text }
        var text =
            day.text + "T" + CalendarDay.padded(time.hour, 2) + ":"
            + CalendarDay.padded(time.minute, 2)
        if time.second != 0 || time.millisecond != 0 {
            text += ":" + CalendarDay.padded(time.second, 2)
        }
        if time.millisecond != 0 { text += "." + CalendarDay.padded(time.millisecond, 3) }
        if let offset = time.offset { text += Self.offsetText(offset) }
        return text
    }
}

func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
}
