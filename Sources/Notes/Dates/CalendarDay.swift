/// A day of the Gregorian calendar, without a time or a zone.
package struct CalendarDay: Hashable, Sendable, Comparable {
    /// The year, 1 to 9999.
    package var year: Int
    /// The month, 1 to 12.
    package var month: Int
    /// The day of the month, from 1.
    package var day: Int

    /// The day, or nil where the calendar has none such: 30 February is never
    /// rolled over into March.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, in: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that lies `ordinal` days after 1 January 1970; clamped to the
    /// years 1 to 9999.
    package init(ordinal: Int) {
        // Years are counted from 1 March, so that the leap day comes last, in
        // cycles of 400 years of 146,097 days.
        let clamped = min(max(ordinal, -719_162), 2_932_896)
        let days = clamped + 719_468
        let cycle = days / 146_097
        let dayOfCycle = days % 146_097
        let yearOfCycle =
            (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1 January 1970.
    package var ordinal: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let cycle = shiftedYear / 400
        let yearOfCycle = shiftedYear - cycle * 400
        let shiftedMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        return cycle * 146_097 + dayOfCycle - 719_468
    }

    /// 0 for Sunday to 6 for Saturday.
    package var weekday: Int {
        let days = (ordinal + 4) % 7
        return days < 0 ? days + 7 : days
    }

    /// The number of days of a month.
    package static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// `2024-03-01`.
    package var text: String {
        "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
    }

    package static func < (one: CalendarDay, other: CalendarDay) -> Bool {
        (one.year, one.month, one.day) < (other.year, other.month, other.day)
    }

    /// A number with leading zeros up to `width` digits.
    package static func padded(_ number: Int, _ width: Int) -> String {
        guard number >= 0, width <= 4, number < 10_000 else {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        // Dates are printed on every page: no intermediate texts.
        return String(unsafeUninitializedCapacity: 4) { bytes in
            var count = 0
            var divisor = 1000
            for place in stride(from: 4, to: 0, by: -1) {
                let digit = number / divisor % 10
                if place <= width || count > 0 || digit > 0 {
                    bytes[count] = 0x30 + UInt8(digit)
                    count += 1
                }
                divisor /= 10
            }
            return max(count, 0)
        }
    }

    /// English names, as the built-in templates show them.
    package static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// English names from Sunday on.
    package static let weekdayNames = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
}

/// A point in time: whole seconds and milliseconds since 1970 in UTC.
package struct Instant: Hashable, Sendable, Comparable {
    /// Milliseconds since 1970-01-01T00:00Z.
    package var milliseconds: Int64

    /// A point in time.
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// A point in time.
    package init(seconds: Int64) {
        milliseconds = seconds * 1000
    }

    /// The second in which it lies.
    package var seconds: Int64 {
        milliseconds >= 0 ? milliseconds / 1000 : -((999 - milliseconds) / 1000)
    }

    package static func < (one: Instant, other: Instant) -> Bool {
        one.milliseconds < other.milliseconds
    }
}
