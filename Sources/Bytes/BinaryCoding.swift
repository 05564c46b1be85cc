/// Writes values one behind the other into bytes that ``BinaryReader`` reads.
///
/// No types, no names: both sides know the order. Numbers take a byte for each
/// seven bits, texts their length and their UTF-8. Not copyable, like the
/// buffer that it writes into.
package struct BinaryWriter: ~Copyable {
    @usableFromInline var buffer: ByteBuffer

    /// Nothing written yet, with room for `capacity` bytes.
    package init(capacity: Int = 256) { buffer = ByteBuffer(capacity: capacity) }

    /// The number of bytes written.
    @inlinable package var count: Int { buffer.count }

    /// What was written.
    package var bytes: [UInt8] { buffer.copy() }

    /// Forgets what was written, keeps the memory.
    @inlinable package mutating func clear() { buffer.clear() }

    /// Calls `body` with the bytes, which are valid during the call only.
    @inlinable package borrowing func withBytes<Result, Failure>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withBytes(body)
    }

    /// Writes one byte.
    @inlinable package mutating func write(byte: UInt8) { buffer.append(byte) }

    /// Writes a number; negative ones take ten bytes.
    @inlinable package mutating func write(_ number: Int) {
        var rest = UInt64(bitPattern: Int64(number))
        while rest >= 0x80 {
            buffer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        buffer.append(UInt8(rest))
    }

    /// Writes a flag.
    @inlinable package mutating func write(_ flag: Bool) { buffer.append(flag ? 1 : 0) }

    /// Writes eight bytes.
    @inlinable package mutating func write(fixed number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) {
            buffer.append($0.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// Writes a fingerprint.
    @inlinable package mutating func write(_ fingerprint: Fingerprint) {
        write(fixed: fingerprint.bits)
    }

    /// Writes a digest of a file.
    package mutating func write(_ hash: ContentHash) {
        write(fixed: hash.high)
        write(fixed: hash.low)
    }

    /// Writes a text.
    package mutating func write(_ text: String) {
        write(text.utf8.count)
        buffer.append(text)
    }

    /// Writes bytes and their number.
    package mutating func write(_ run: [UInt8]) {
        write(run.count)
        buffer.append(run)
    }

    /// Writes what another wrote, without its length.
    package mutating func write(_ other: borrowing BinaryWriter) {
        other.withBytes { buffer.append($0) }
    }
}

/// Reads what ``BinaryWriter`` wrote.
///
/// Never reads behind the end and never believes a count: whoever asks for more
/// than there is gets zeros and empty texts, and ``isSound`` tells it.
package struct BinaryReader: Sendable {
    private let bytes: [UInt8]
    private let end: Int
    /// The place of the next byte.
    package private(set) var position: Int
    /// Whether everything so far was there.
    package private(set) var isSound = true

    /// A reader of all of `bytes`.
    package init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

    /// A reader of part of `bytes`.
    package init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// Whether nothing is left.
    package var isAtEnd: Bool { position >= end }

    /// How many bytes are left.
    package var remaining: Int { end - position }

    /// All bytes, those outside the reader's part too.
    package var all: [UInt8] { bytes }

    /// Goes on at a place further on; elsewhere is no place, and what follows is
    /// unsound.
    package mutating func skip(to place: Int) {
        guard place >= position, place <= end else {
            isSound = false
            position = end
            return
        }
        position = place
    }

    /// Reads one byte.
    package mutating func byte() -> UInt8 {
        guard position < end else {
            isSound = false
            return 0
        }
        position += 1
        return bytes[position - 1]
    }

    /// Reads a number.
    package mutating func number() -> Int {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = byte()
            result |= UInt64(next & 0x7F) << shift
            shift += 7
            if next < 0x80 || shift >= 64 { return Int(Int64(bitPattern: result)) }
        }
    }

    /// Reads a flag.
    package mutating func flag() -> Bool { byte() != 0 }

    /// Reads eight bytes.
    package mutating func fixed() -> UInt64 {
        guard end - position >= 8 else {
            isSound = false
            position = end
            return 0
        }
        defer { position += 8 }
        return bytes.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
    }

    /// Reads a fingerprint.
    package mutating func fingerprint() -> Fingerprint { Fingerprint(bits: fixed()) }

    /// Reads a digest of a file.
    package mutating func hash() -> ContentHash { ContentHash(high: fixed(), low: fixed()) }

    /// The place of the next run of a written length, which is stepped over.
    package mutating func run() -> Range<Int> {
        let count = number()
        guard count >= 0, count <= end - position else {
            isSound = false
            position = end
            return end..<end
        }
        defer { position += count }
        return position..<position + count
    }

    /// Reads a text.
    package mutating func text() -> String {
        let range = run()
        return bytes.withUnsafeBufferPointer {
            String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
        }
    }

    /// Reads bytes.
    package mutating func data() -> [UInt8] { Array(bytes[run()]) }
}
