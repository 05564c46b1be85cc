/// A set of ASCII bytes, as two words: asking costs a shift.
struct ByteSet: Equatable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The bytes of an ASCII literal.
    init(_ members: StaticString) {
        insert(members)
    }

    /// Adds the bytes of an ASCII literal.
    mutating func insert(_ members: StaticString) {
        members.withUTF8Buffer { for byte in $0 { insert(byte) } }
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
    }

    /// Whether `byte` is a member; no byte beyond ASCII is.
    @inline(__always) func contains(_ byte: UInt8) -> Bool {
        byte < 64
            ? low >> UInt64(byte) & 1 != 0
            : byte < 128 && high >> UInt64(byte & 63) & 1 != 0
    }
}

/// A set of bytes that is looked for in all of a note's text, as a table: a look
/// at memory costs a third of what a ``ByteSet`` does.
struct ByteTable {
    private var set = ByteSet("")
    private var members = Array(repeating: false, count: 256)

    /// Takes over the members of a set.
    mutating func become(_ set: ByteSet) {
        guard set != self.set else { return }
        self.set = set
        for byte in UInt8.min...UInt8.max { members[Int(byte)] = set.contains(byte) }
    }

    /// Calls `body` with whether each of the 256 bytes is a member.
    @inline(__always) func withMembers<Result>(
        _ body: (UnsafeBufferPointer<Bool>) -> Result
    ) -> Result {
        members.withUnsafeBufferPointer(body)
    }
}

/// The classes of bytes that CommonMark speaks of, as cmark draws them.
extension UInt8 {
    /// Space, tab, line feed, vertical tab, form feed, carriage return.
    @inline(__always) var isSpace: Bool { self == 32 || self >= 9 && self <= 13 }
    /// Space or tab.
    @inline(__always) var isBlank: Bool { self == 32 || self == 9 }
    /// `0` to `9`.
    @inline(__always) var isDigit: Bool { self &- 48 < 10 }
    /// `A` to `Z` or `a` to `z`.
    @inline(__always) var isLetter: Bool { (self | 32) &- 97 < 26 }
    /// A letter or a digit of ASCII.
    @inline(__always) var isAlphanumeric: Bool { isLetter || isDigit }
    /// ASCII punctuation, which includes symbols such as `$` and `+`.
    @inline(__always) var isPunctuation: Bool {
        self > 32 && self < 127 && !isAlphanumeric
    }
    /// The letter in lower case; other bytes as they are.
    @inline(__always) var lowercased: UInt8 { self &- 65 < 26 ? self | 32 : self }
}

extension UInt8 {
    /// The byte of one ASCII character, short to write in a `switch`.
    @inline(__always) static func ascii(_ scalar: Unicode.Scalar) -> UInt8 {
        UInt8(ascii: scalar)
    }
}
