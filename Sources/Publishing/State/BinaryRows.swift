import Bytes

/// A list whose values may still be bytes: each is read when it is asked for,
/// so that a long list costs what is looked at.
///
/// Values that were read are not remembered. A value.
package struct BinaryRows<Value: Sendable>: Sendable {
    private enum Source: Sendable {
        case values([Value])
        case bytes([UInt8], at: Int, count: Int, read: @Sendable (inout BinaryReader) -> Value)
    }

    private let source: Source

    /// The values themselves.
    package init(_ values: [Value]) { source = .values(values) }

    fileprivate init(
        _ bytes: [UInt8], at start: Int, count: Int,
        read: @escaping @Sendable (inout BinaryReader) -> Value
    ) {
        source = .bytes(bytes, at: start, count: count, read: read)
    }

    /// Whether the values are at hand.
    package var isRead: Bool {
        if case .values = source { true } else { false }
    }
}

extension BinaryRows: RandomAccessCollection {
    package var startIndex: Int { 0 }

    package var endIndex: Int {
        switch source {
        case .values(let values): values.count
        case .bytes(_, _, let count, _): count
        }
    }

    package subscript(index: Int) -> Value {
        switch source {
        case .values(let values): return values[index]
        case .bytes(let bytes, let start, let count, let read):
            precondition((0..<count).contains(index), "a row that is not there")
            var offsets = BinaryReader(bytes, start + index * 8..<bytes.count)
            let offset = Int(truncatingIfNeeded: offsets.fixed())
            let isInside = (0..<bytes.count).contains(offset)
            var reader = BinaryReader(bytes, (isInside ? offset : bytes.count)..<bytes.count)
            return read(&reader)
        }
    }
}

// Here and not beside ``BinaryWriter``: what is generic in another target is not
// specialised, which makes each value several times as dear.
extension BinaryWriter {
    /// Writes whether there is a value, and the value.
    mutating func write<Value>(optional value: Value?, _ body: (inout BinaryWriter, Value) -> Void)
    {
        write(value != nil)
        if let value { body(&self, value) }
    }

    /// Writes how many values there are, and each.
    mutating func write<Values: Collection>(
        list values: Values, _ body: (inout BinaryWriter, Values.Element) -> Void
    ) {
        write(values.count)
        for value in values { body(&self, value) }
    }

    /// Writes values so that each can be read without those before it.
    mutating func write<Values: Collection>(
        rows values: Values, _ body: (inout BinaryWriter, Values.Element) -> Void
    ) {
        var rows = BinaryWriter(capacity: values.count * 32)
        var offsets: [Int] = []
        offsets.reserveCapacity(values.count)
        for value in values {
            offsets.append(rows.count)
            body(&rows, value)
        }
        write(fixed: UInt64(values.count))
        let start = count + values.count * 8
        for offset in offsets { write(fixed: UInt64(start + offset + 8)) }
        write(fixed: UInt64(start + 8 + rows.count))
        write(rows)
    }
}

extension BinaryReader {
    /// Reads a value that may be absent.
    mutating func optional<Value>(_ body: (inout BinaryReader) -> Value) -> Value? {
        flag() ? body(&self) : nil
    }

    /// Reads as many values as were written.
    mutating func list<Value>(_ body: (inout BinaryReader) -> Value) -> [Value] {
        let count = number()
        // Each value takes a byte at least.
        guard count >= 0, count <= remaining else {
            if count != 0 { skip(to: -1) }
            return []
        }
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count {
            guard isSound else { return values }
            values.append(body(&self))
        }
        return values
    }

    /// Steps over values that were written as rows, which are read later. The
    /// reader must be one of all that was written.
    mutating func rows<Value>(
        _ read: @escaping @Sendable (inout BinaryReader) -> Value
    ) -> BinaryRows<Value> {
        let count = Int(truncatingIfNeeded: fixed())
        guard isSound, count >= 0, count <= remaining / 8 else {
            skip(to: -1)
            return BinaryRows([])
        }
        let start = position
        skip(to: start + count * 8)
        let end = Int(truncatingIfNeeded: fixed())
        skip(to: end)
        return BinaryRows(all, at: start, count: count, read: read)
    }
}
