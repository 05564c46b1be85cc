/// How one value is laid out: what stands behind `:` in `format`, or between
/// `%` and its letter.
struct FormatSpecification {
    var fill = " "
    var alignment: Unicode.Scalar?
    var sign: Unicode.Scalar = "-"
    var hasAlternative = false
    var width = 0
    var grouping: Unicode.Scalar?
    var precision: Int?
    var type: Unicode.Scalar?

    init() {}

    /// Reads `[[fill]align][sign][#][0][width][,][.precision][type]`; nil for
    /// anything else.
    init?(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        var place = 0
        func isAlignment(_ index: Int) -> Bool {
            index < scalars.count && "<>^=".unicodeScalars.contains(scalars[index])
        }
        func number() -> Int? {
            var digits = ""
            while place < scalars.count, ("0"..."9").contains(scalars[place]) {
                digits.unicodeScalars.append(scalars[place])
                place += 1
            }
            return Int(digits)
        }
        if isAlignment(1) {
            fill = String(scalars[0])
            alignment = scalars[1]
            place = 2
        } else if isAlignment(0) {
            alignment = scalars[0]
            place = 1
        }
        if place < scalars.count, "+- ".unicodeScalars.contains(scalars[place]) {
            sign = scalars[place]
            place += 1
        }
        if place < scalars.count, scalars[place] == "#" {
            hasAlternative = true
            place += 1
        }
        if place < scalars.count, scalars[place] == "0" {
            if alignment == nil {
                fill = "0"
                alignment = "="
            }
            place += 1
        }
        width = number() ?? 0
        if place < scalars.count, ",_".unicodeScalars.contains(scalars[place]) {
            grouping = scalars[place]
            place += 1
        }
        if place < scalars.count, scalars[place] == "." {
            place += 1
            guard let digits = number() else { return nil }
            precision = digits
        }
        if place < scalars.count {
            type = scalars[place]
            place += 1
        }
        guard place == scalars.count else { return nil }
    }

    // MARK: Laying out

    /// Fills up to the width; `=` puts the filling behind the sign.
    func padded(
        _ text: String, isNumber: Bool, _ host: RenderHost
    ) throws(TemplateProblem) -> String {
        let missing = width - text.unicodeScalars.count
        guard missing > 0 else { return text }
        try host.checkSize(width)
        func filling(_ count: Int) -> String { String(repeating: fill, count: count) }
        switch alignment ?? (isNumber ? ">" : "<") {
        case "<": return text + filling(missing)
        case "^": return filling(missing / 2) + text + filling(missing - missing / 2)
        case "=":
            let hasSign = text.unicodeScalars.first.map { "+- ".unicodeScalars.contains($0) }
            guard hasSign == true else { return filling(missing) + text }
            return String(text.unicodeScalars.prefix(1)) + filling(missing)
                + String(text.unicodeScalars.dropFirst())
        default: return filling(missing) + text
        }
    }

    /// A whole number in the base the type asks for.
    func integer(_ number: Int, _ host: RenderHost) throws(TemplateProblem) -> String {
        let digits: String
        switch type {
        case "x": digits = (hasAlternative ? "0x" : "") + String(number.magnitude, radix: 16)
        case "X":
            digits =
                (hasAlternative ? "0X" : "")
                + String(number.magnitude, radix: 16).uppercased()
        case "o": digits = (hasAlternative ? "0o" : "") + String(number.magnitude, radix: 8)
        case "b": digits = (hasAlternative ? "0b" : "") + String(number.magnitude, radix: 2)
        default: digits = grouped(String(number.magnitude))
        }
        return try padded(signed(digits, isNegative: number < 0), isNumber: true, host)
    }

    /// A number with a fraction; nil where the type is none for numbers.
    func fraction(_ number: Double, _ host: RenderHost) throws(TemplateProblem) -> String? {
        let places = precision ?? 6
        guard places <= 1000 else { throw .valueTooLarge(limit: 1000) }
        var text: String
        switch (type, number.isFinite) {
        case (_, false): text = FloatText.shortest(number.magnitude)
        case ("f", _), ("F", _): text = DecimalExpansion.fixed(number.magnitude, places: places)
        case ("e", _), ("E", _):
            text = FloatText.scientific(number.magnitude, places: places)
        case ("%", _):
            text = DecimalExpansion.fixed(number.magnitude * 100, places: places) + "%"
        case ("g", _), ("G", _):
            text = FloatText.general(number.magnitude, digits: precision ?? 6)
        case (nil, _):
            text =
                precision.map { FloatText.general(number.magnitude, digits: $0, keepsPoint: true) }
                ?? FloatText.shortest(number.magnitude)
        default: return nil
        }
        if type == "E" || type == "G" { text = text.uppercased() }
        let isNegative = number.sign == .minus && !number.isNaN
        return try padded(signed(grouped(text), isNegative: isNegative), isNumber: true, host)
    }

    private func signed(_ digits: String, isNegative: Bool) -> String {
        if isNegative { return "-" + digits }
        return sign == "-" ? digits : String(sign) + digits
    }

    /// Puts the grouping sign between thousands.
    private func grouped(_ text: String) -> String {
        guard let grouping else { return text }
        let digits = text.prefix { ("0"..."9").contains($0) }
        var result = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 {
                result.unicodeScalars.append(grouping)
            }
            result.append(digit)
        }
        return result + text.dropFirst(digits.count)
    }
}

extension FloatText {
    /// `1.50e+03`, for the magnitude of a finite number.
    static func scientific(_ number: Double, places: Int) -> String {
        guard number != 0 else {
            return DecimalExpansion.fixed(0, places: places) + "e+00"
        }
        var exponent = leadingExponent(number)
        var expansion = DecimalExpansion(number)
        expansion.round(toPlaces: places - exponent)
        var digits = (expansion.whole + expansion.fraction).drop { $0 == 0 }.map { $0 + 0x30 }
        // Rounding may have carried into one more digit.
        let wholeCount = expansion.whole.drop { $0 == 0 }.count
        if wholeCount > 0 {
            exponent = wholeCount - 1
        } else {
            exponent = -(expansion.fraction.prefix { $0 == 0 }.count) - 1
        }
        while digits.count < places + 1 { digits.append(0x30) }
        let head = String(decoding: digits.prefix(1), as: UTF8.self)
        let tail = String(decoding: digits.dropFirst().prefix(places), as: UTF8.self)
        let power = abs(exponent) < 10 ? "0\(abs(exponent))" : "\(abs(exponent))"
        return head + (places > 0 ? "." + tail : "") + "e" + (exponent < 0 ? "-" : "+") + power
    }

    /// The shorter of both forms with so many digits, zeros at the end cut.
    static func general(_ number: Double, digits: Int, keepsPoint: Bool = false) -> String {
        let digits = max(digits, 1)
        if number == 0 { return keepsPoint ? "0.0" : "0" }
        let form = scientific(number, places: digits - 1)
        let parts = form.split(separator: "e")
        let exponent = Int(parts[1]) ?? 0
        if exponent < -4 || exponent >= digits {
            return trimmed(String(parts[0])) + "e" + parts[1]
        }
        let text = trimmed(DecimalExpansion.fixed(number, places: max(digits - 1 - exponent, 0)))
        return keepsPoint && !text.contains(".") ? text + ".0" : text
    }

    private static func trimmed(_ text: String) -> String {
        guard text.contains(".") else { return text }
        var text = text
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    /// The power of ten of the first digit.
    private static func leadingExponent(_ number: Double) -> Int {
        let expansion = DecimalExpansion(number)
        let whole = expansion.whole.drop { $0 == 0 }
        if !whole.isEmpty { return whole.count - 1 }
        return -(expansion.fraction.prefix { $0 == 0 }.count) - 1
    }
}
