import Notes
import Templating

/// A date as templates read it; prints as it was written, in ISO form.
final class DateObject: ScopedObject, TemplateObject {
    let date: NoteDate

    init(_ scope: PageScope, _ date: NoteDate) {
        self.date = date
        super.init(scope)
    }

    var typeName: String { "date" }

    static let members: [Member] = [.year, .month, .day, .iso, .rfc3339]

    var memberNames: [String] { Self.members.map(\.name) }

    func text() -> String? { date.text }

    func isSame(as other: any TemplateObject) -> Bool { (other as? DateObject)?.date == date }

    func isOrdered(before other: any TemplateObject) -> Bool? {
        guard let other = other as? DateObject else { return nil }
        let zone = reader.zone
        return (date.day, date.start(in: zone)) < (other.date.day, other.date.start(in: zone))
    }

    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue? {
        switch Member(member) {
        case .year: .integer(date.day.year)
        case .month: .integer(date.day.month)
        case .day: .integer(date.day.day)
        case .iso: .string(date.text)
        case .rfc3339: .string(rfc3339)
        default: nil
        }
    }

    var rfc3339: String { date.rfc3339(in: reader.zone) }

    /// The date by a pattern of strftime's signs, names in English; nil where
    /// the pattern has another sign.
    func formatted(_ pattern: String) -> String? {
        var result = DateText()
        var signs = pattern.utf8.makeIterator()
        let day = date.day
        let time = date.time ?? .init(hour: 0, minute: 0)
        while let byte = signs.next() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            var sign = signs.next()
            let isBare = sign == UInt8(ascii: "-")
            if isBare { sign = signs.next() }
            guard let sign else { return nil }
            let width = isBare ? 1 : 2
            switch Unicode.Scalar(sign) {
            case "Y": result.append(day.year, width: isBare ? 1 : 4)
            case "y": result.append(day.year % 100, width: width)
            case "m": result.append(day.month, width: width)
            case "d": result.append(day.day, width: width)
            case "e":
                if day.day < 10, !isBare { result.append(UInt8(ascii: " ")) }
                result.append(day.day, width: 1)
            case "B": result.append(CalendarDay.monthNames[day.month - 1])
            case "b", "h": result.append(CalendarDay.monthNames[day.month - 1].prefix(3))
            case "A": result.append(CalendarDay.weekdayNames[day.weekday])
            case "a": result.append(CalendarDay.weekdayNames[day.weekday].prefix(3))
            case "j": result.append(dayOfYear, width: isBare ? 1 : 3)
            case "H": result.append(time.hour, width: width)
            case "I": result.append((time.hour + 11) % 12 + 1, width: width)
            case "M": result.append(time.minute, width: width)
            case "S": result.append(time.second, width: width)
            case "p": result.append(time.hour < 12 ? "AM" : "PM")
            case "F": result.append(day.text)
            case "%": result.append(UInt8(ascii: "%"))
            default: return nil
            }
        }
        return String(decoding: result.bytes, as: UTF8.self)
    }

    private var dayOfYear: Int {
        (1..<date.day.month).reduce(date.day.day) {
            $0 + CalendarDay.length(ofMonth: $1, in: date.day.year)
        }
    }
}

/// A date's text while it is put together: pages print thousands.
private struct DateText {
    var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(32) }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(_ text: some StringProtocol) { bytes.append(contentsOf: text.utf8) }

    /// A number that is not negative, with leading zeros up to `width` digits.
    mutating func append(_ number: Int, width: Int) {
        var divisor = 1
        var digits = 1
        while digits < width || number / divisor > 9 {
            divisor *= 10
            digits += 1
        }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
