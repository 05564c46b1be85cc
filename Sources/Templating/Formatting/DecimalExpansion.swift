/// The exact decimal digits of a floating-point number, for rounding as
/// Python does: by the value that is stored, not by the text it prints as.
struct DecimalExpansion {
    /// Digits of the whole part, most significant first; empty for 0.
    private(set) var whole: [UInt8]
    /// Digits behind the point, exact.
    private(set) var fraction: [UInt8]

    /// Expands the magnitude of a finite number.
    init(_ number: Double) {
        // magnitude = significand × 2^exponent, with a whole significand.
        let magnitude = number.magnitude
        guard magnitude != 0 else {
            (whole, fraction) = ([], [])
            return
        }
        let bits = magnitude.significandBitPattern
        let isNormal = magnitude.exponentBitPattern != 0
        let significand = isNormal ? bits | (1 << 52) : bits
        let exponent = isNormal ? Int(magnitude.exponentBitPattern) - 1075 : -1074
        var digits = String(significand).utf8.map { $0 - 0x30 }
        var pointShift = 0
        if exponent >= 0 {
            for _ in 0..<exponent { Self.double(&digits) }
        } else {
            // One halving is one multiplication by 5 and one place more.
            for _ in 0..<(-exponent) { Self.times5(&digits) }
            pointShift = -exponent
        }
        if digits.count <= pointShift {
            digits = [UInt8](repeating: 0, count: pointShift - digits.count) + digits
        }
        whole = Array(digits[..<(digits.count - pointShift)])
        fraction = Array(digits[(digits.count - pointShift)...])
    }

    private static func double(_ digits: inout [UInt8]) {
        multiply(&digits, by: 2)
    }

    private static func times5(_ digits: inout [UInt8]) {
        multiply(&digits, by: 5)
    }

    private static func multiply(_ digits: inout [UInt8], by factor: UInt8) {
        var carry: UInt8 = 0
        for place in digits.indices.reversed() {
            let product = digits[place] * factor + carry
            digits[place] = product % 10
            carry = product / 10
        }
        if carry > 0 { digits.insert(carry, at: 0) }
    }

    /// Rounds to a number of places behind the point (before it, where
    /// negative): half to even.
    mutating func round(toPlaces places: Int) {
        var digits = whole + fraction
        let kept = whole.count + places
        guard kept < digits.count else { return }
        guard kept >= 0 else {
            (whole, fraction) = ([], [])
            return
        }
        let rest = digits[kept...]
        let isHalf = rest[kept] == 5 && rest.dropFirst().allSatisfy { $0 == 0 }
        let isOdd = kept > 0 && digits[kept - 1] % 2 == 1
        let roundsUp = isHalf ? isOdd : rest[kept] >= 5
        for place in kept..<digits.count { digits[place] = 0 }
        var wholeCount = whole.count
        if roundsUp {
            var place = kept - 1
            while place >= 0, digits[place] == 9 {
                digits[place] = 0
                place -= 1
            }
            if place >= 0 {
                digits[place] += 1
            } else {
                digits.insert(1, at: 0)
                wholeCount += 1
            }
        }
        whole = Array(digits[..<wholeCount])
        fraction = Array(digits[wholeCount...].prefix(max(places, 0)))
    }

    /// The digits with exactly so many places behind the point.
    func text(places: Int) -> String {
        let shown =
            fraction.prefix(places) + [UInt8](repeating: 0, count: max(0, places - fraction.count))
        var digits = whole.drop { $0 == 0 }
        if digits.isEmpty { digits = [0] }
        let head = String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
        guard places > 0 else { return head }
        return head + "." + String(decoding: shown.map { $0 + 0x30 }, as: UTF8.self)
    }

    /// A number with so many places behind the point, rounded half to even:
    /// Python's `%.2f`.
    static func fixed(_ number: Double, places: Int) -> String {
        var expansion = DecimalExpansion(number)
        expansion.round(toPlaces: places)
        return (number.sign == .minus ? "-" : "") + expansion.text(places: places)
    }

    /// Python's `round(number, places)`.
    static func rounded(_ number: Double, toPlaces places: Int) -> Double {
        guard number.isFinite, places < 400 else { return number }
        guard places > -400 else { return number.sign == .minus ? -0.0 : 0 }
        var expansion = DecimalExpansion(number)
        expansion.round(toPlaces: places)
        let text = expansion.text(places: max(places, 0))
        let magnitude = Double(text) ?? number.magnitude
        return number.sign == .minus ? -magnitude : magnitude
    }
}
