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
        var result = ""
        var scalars = Substring(pattern).unicodeScalars
        let day = date.day
        let time = date.time ?? .init(hour: 0, minute: 0)
        while let scalar = scalars.popFirst() {
            guard scalar == "%" else {
                result.unicodeScalars.append(scalar)
                continue
            }
            let isBare = scalars.first == "-"
            if isBare { scalars.removeFirst() }
            guard let sign = scalars.popFirst() else { return nil }
            let width = isBare ? 1 : 2
            switch sign {
            case "Y": result += CalendarDay.padded(day.year, isBare ? 1 : 4)
            case "y": result += CalendarDay.padded(day.year % 100, width)
            case "m": result += CalendarDay.padded(day.month, width)
            case "d": result += CalendarDay.padded(day.day, width)
            case "e": result += day.day < 10 && !isBare ? " \(day.day)" : "\(day.day)"
            case "B": result += CalendarDay.monthNames[day.month - 1]
            case "b", "h": result += CalendarDay.monthNames[day.month - 1].prefix(3)
            case "A": result += CalendarDay.weekdayNames[day.weekday]
            case "a": result += CalendarDay.weekdayNames[day.weekday].prefix(3)
            case "j": result += CalendarDay.padded(dayOfYear, isBare ? 1 : 3)
            case "H": result += CalendarDay.padded(time.hour, width)
            case "I": result += CalendarDay.padded((time.hour + 11) % 12 + 1, width)
            case "M": result += CalendarDay.padded(time.minute, width)
            case "S": result += CalendarDay.padded(time.second, width)
            case "p": result += time.hour < 12 ? "AM" : "PM"
            case "F": result += day.text
            case "%": result += "%"
            default: return nil
            }
        }
        return result
    }

    private var dayOfYear: Int {
        (1..<date.day.month).reduce(date.day.day) {
            $0 + CalendarDay.length(ofMonth: $1, in: date.day.year)
        }
    }
}
