/// A growable run of bytes that pages are written into.
///
/// The one place where the program keeps raw memory of its own: appending to
/// `[UInt8]` costs about 1.3 times as much over a whole build, appending to
/// `String` several times. It is not copyable, so each buffer has one owner,
/// and no pointer into it outlives the closure that receives it.
///
/// `clear()` keeps the memory: one buffer per worker serves all its pages.
package struct ByteBuffer: ~Copyable {
    // Raw memory: see the type's comment.
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    /// The number of bytes held.
    package private(set) var count: Int {
        @inlinable get { length }
        set { length = newValue }
    }
    @usableFromInline var length: Int

    /// Makes an empty buffer with room for `capacity` bytes.
    package init(capacity: Int = 4096) {
        self.capacity = max(capacity, 16)
        base = .allocate(capacity: self.capacity)
        length = 0
    }

    deinit {
        base.deallocate()
    }

    /// Forgets the bytes, keeps the memory.
    @inlinable package mutating func clear() {
        length = 0
    }

    /// Shortens the buffer to its first `count` bytes; longer counts change
    /// nothing.
    @inlinable package mutating func truncate(to count: Int) {
        length = min(length, max(count, 0))
    }

    @inlinable mutating func reserve(_ more: Int) {
        if capacity - length < more { grow(more) }
    }

    @usableFromInline mutating func grow(_ more: Int) {
        let wanted = max(capacity * 2, length + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
        larger.update(from: base, count: length)
        base.deallocate()
        base = larger
        capacity = wanted
    }

    /// Appends one byte.
    @inlinable package mutating func append(_ byte: UInt8) {
        if length == capacity { grow(1) }
        base[length] = byte
        length += 1
    }

    /// Appends a literal, such as a tag.
    @inlinable package mutating func append(_ literal: StaticString) {
        append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Appends the bytes of a text as UTF-8.
    @inlinable package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Appends all bytes of an array.
    @inlinable package mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    /// Appends part of an array; the range must lie within it.
    @inlinable package mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
        bytes.withUnsafeBufferPointer { append(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Appends the bytes at a pointer that is valid during the call.
    @inlinable package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count)
        (base + length).update(from: start, count: bytes.count)
        length += bytes.count
    }

    /// Appends what another buffer holds.
    @inlinable package mutating func append(contentsOf other: borrowing ByteBuffer) {
        append(UnsafeBufferPointer(start: other.base, count: other.length))
    }

    /// Appends a number in decimal digits.
    package mutating func append(decimal number: Int) {
        append(String(number))
    }

    /// Calls `body` with the bytes, which are valid during the call only.
    @inlinable package borrowing func withBytes<Result, Failure>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeBufferPointer(start: base, count: length))
    }

    /// Appends a number in 16 hexadecimal digits.
    package mutating func append(hexadecimal number: UInt64) {
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 15
            append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }

    /// The bytes from `start` on, as an array of their own.
    package borrowing func copy(from start: Int = 0) -> [UInt8] {
        Array(UnsafeBufferPointer(start: base + min(start, length), count: max(0, length - start)))
    }

    /// The bytes as text; invalid UTF-8 becomes U+FFFD.
    package borrowing func text() -> String {
        String(decoding: UnsafeBufferPointer(start: base, count: length), as: UTF8.self)
    }
}
