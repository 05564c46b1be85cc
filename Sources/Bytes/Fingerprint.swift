// The wall around xxHash: no other file imports it.
import CXXHash

/// A 64-bit digest that stands for a value: equal values have equal
/// fingerprints, on every machine and in every process.
///
/// XXH3 of the value's bytes. Two different values under one key agree by
/// accident once in 2^64 comparisons. It resists no attacker; who can choose a
/// note's bytes gains nothing from a collision but a stale page of their own.
package struct Fingerprint: Hashable, Sendable {
    /// The digest itself.
    package var bits: UInt64

    /// Takes a digest that was stored before.
    package init(bits: UInt64) {
        self.bits = bits
    }

    /// The fingerprint of some bytes.
    package init(of bytes: UnsafeRawBufferPointer) {
        bits = XXH3_64bits(bytes.baseAddress, bytes.count)
    }

    /// The fingerprint of some bytes.
    package init(of bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { Fingerprint(of: $0) }
    }

    /// The fingerprint of a text's UTF-8.
    package init(of text: String) {
        var text = text
        self = text.withUTF8 { Fingerprint(of: UnsafeRawBufferPointer($0)) }
    }

    /// How many bytes one takes where it is written.
    package static let size = 8

    /// The value that stands for absence. It differs from the fingerprint of
    /// every value the program takes one of, empty text included.
    package static let absent = Fingerprint(bits: 0)

    /// Mixes in another fingerprint; order matters.
    package mutating func combine(_ other: Fingerprint) {
        combine(other.bits)
    }

    /// Mixes in a number; order matters.
    package mutating func combine(_ number: UInt64) {
        // A 64 by 64 bit multiply folded in half mixes every bit of both.
        let product = (bits ^ 0x9E37_79B9_7F4A_7C15)
            .multipliedFullWidth(by: number ^ 0xD6E8_FEB8_6659_FD93)
        bits = product.high ^ product.low ^ bits.byteSwapped &+ number
    }
}

/// A 128-bit digest of a whole file, for the lists of what was written.
package struct ContentHash: Hashable, Sendable {
    /// The upper half.
    package var high: UInt64
    /// The lower half.
    package var low: UInt64

    /// Takes a digest that was stored before.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The digest of some bytes.
    package init(of bytes: UnsafeRawBufferPointer) {
        let hash = XXH3_128bits(bytes.baseAddress, bytes.count)
        high = hash.high64
        low = hash.low64
    }

    /// The digest of a text's UTF-8.
    package init(of text: String) {
        var text = text
        self = text.withUTF8 { ContentHash(of: UnsafeRawBufferPointer($0)) }
    }

    /// 32 hexadecimal digits.
    package var hexadecimal: String {
        Self.digits(high) + Self.digits(low)
    }

    /// Reads 32 hexadecimal digits; anything else is nil.
    package init?(hexadecimal: Substring) {
        let bytes = Array(hexadecimal.utf8)
        guard bytes.count == 32, bytes.allSatisfy({ $0 != UInt8(ascii: "+") }),
            let high = UInt64(hexadecimal.prefix(16), radix: 16),
            let low = UInt64(hexadecimal.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    private static func digits(_ half: UInt64) -> String {
        let text = String(half, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
}

/// Works out the digest of bytes that come piece by piece: the same as of all of
/// them at once.
package final class ContentHasher {
    private let state: OpaquePointer

    /// A hasher that has seen nothing.
    package init() {
        guard let state = XXH3_createState() else { preconditionFailure("out of memory") }
        self.state = state
        XXH3_128bits_reset(state)
    }

    deinit { XXH3_freeState(state) }

    /// Adds a piece.
    package func add(_ bytes: UnsafeRawBufferPointer) {
        XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
    }

    /// The digest of all pieces so far.
    package var hash: ContentHash {
        let hash = XXH3_128bits_digest(state)
        return ContentHash(high: hash.high64, low: hash.low64)
    }
}
