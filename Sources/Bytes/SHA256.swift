/// The SHA-256 digest (FIPS 180-4): what the checksums of releases are made by.
///
/// For a file or two; lists of what was written use ``ContentHash``.
package enum SHA256 {
    /// The digest of some bytes, as 64 hexadecimal digits.
    package static func hexadecimal(of bytes: [UInt8]) -> String {
        var state: [UInt32] = [
            0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C,
            0x1F83_D9AB, 0x5BE0_CD19,
        ]
        var tail = Array(bytes[(bytes.count & ~63)...]) + [0x80]
        while tail.count % 64 != 56 { tail.append(0) }
        let bits = UInt64(bytes.count) * 8
        for shift in stride(from: 56, through: 0, by: -8) {
            tail.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
        var words = [UInt32](repeating: 0, count: 64)
        for start in stride(from: 0, to: bytes.count & ~63, by: 64) {
            mix(bytes[start..<start + 64], into: &state, &words)
        }
        for start in stride(from: 0, to: tail.count, by: 64) {
            mix(tail[start..<start + 64], into: &state, &words)
        }
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.utf8.count) + digits
        }.joined()
    }

    private static func mix(
        _ block: ArraySlice<UInt8>, into state: inout [UInt32], _ words: inout [UInt32]
    ) {
        for index in 0..<16 {
            let place = block.startIndex + index * 4
            words[index] =
                UInt32(block[place]) << 24 | UInt32(block[place + 1]) << 16
                | UInt32(block[place + 2]) << 8 | UInt32(block[place + 3])
        }
        func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
            word >> count | word << (32 - count)
        }
        for index in 16..<64 {
            let (one, two) = (words[index - 15], words[index - 2])
            let first = turned(one, 7) ^ turned(one, 18) ^ one >> 3
            let second = turned(two, 17) ^ turned(two, 19) ^ two >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let sum = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
            let choice = e & f ^ ~e & g
            let one = h &+ sum &+ choice &+ constants[index] &+ words[index]
            let other = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
            let two = other &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e) = (g, f, e, d &+ one)
            (d, c, b, a) = (c, b, a, one &+ two)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    /// The fractional parts of the cube roots of the first 64 primes, as the
    /// standard defines them, worked out once.
    private static let constants: [UInt32] = {
        var primes: [UInt64] = []
        var candidate: UInt64 = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map { prime in
            // The largest whole root of prime × 2^96, by halving.
            var (low, high): (UInt64, UInt64) = (0, 1 << 36)
            while high - low > 1 {
                let middle = (low + high) / 2
                let square = UInt128(middle) * UInt128(middle)
                if square * UInt128(middle) <= UInt128(prime) << 96 {
                    low = middle
                } else {
                    high = middle
                }
            }
            return UInt32(truncatingIfNeeded: low)
        }
    }()
}
