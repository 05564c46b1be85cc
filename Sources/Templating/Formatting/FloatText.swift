/// Numbers with a fraction, as Python writes them.
enum FloatText {
    /// The shortest text that reads back as the number: `1.0`, `1e+16`.
    static func shortest(_ number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number < 0 ? "-inf" : "inf" }
        if number == 0 { return number.sign == .minus ? "-0.0" : "0.0" }
        let (digits, exponent) = significant(number)
        let sign = number < 0 ? "-" : ""
        // The point stands behind the digit of place `exponent`.
        if exponent < -4 || exponent >= 16 {
            let fraction = digits.dropFirst()
            let power = abs(exponent) < 10 ? "0\(abs(exponent))" : "\(abs(exponent))"
            return sign + digits.prefix(1) + (fraction.isEmpty ? "" : "." + fraction) + "e"
                + (exponent < 0 ? "-" : "+") + power
        }
        if exponent < 0 {
            return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits
        }
        let whole = digits.prefix(exponent + 1)
        let zeros = String(repeating: "0", count: exponent + 1 - whole.count)
        let fraction = digits.dropFirst(exponent + 1)
        return sign + whole + zeros + "." + (fraction.isEmpty ? "0" : fraction)
    }

    /// The shortest digits without zeros at either end, and the power of ten
    /// of the first.
    private static func significant(_ number: Double) -> (digits: String, exponent: Int) {
        // The standard library finds the same digits, laid out differently.
        let text = number.magnitude.description
        let parts = text.split(separator: "e")
        let mantissa = parts[0]
        var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let halves = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        let whole = halves[0]
        let fraction = halves.count > 1 ? halves[1] : ""
        var digits = String(whole + fraction)
        exponent += whole.count - 1
        while digits.hasPrefix("0"), digits.count > 1 {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.hasSuffix("0"), digits.count > 1 { digits.removeLast() }
        return (digits, exponent)
    }
}
