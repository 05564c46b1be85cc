// The wall around zlib: no other file imports it.
import CZlib

/// The gzip format (RFC 1952), as web servers send it.
package enum Gzip {
    /// Some bytes in the format, without a name and a time: the same bytes
    /// always give the same. At the highest level.
    ///
    /// Nil where memory is short.
    package static func compressed(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var stream = z_stream()
        // 16 more than the size of the window asks for gzip's frame.
        guard
            deflateInit2_(
                &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY,
                ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        guard bytes.count < Int(UInt32.max) else { return nil }
        let limit = Int(deflateBound(&stream, uLong(bytes.count)))
        var isGood = false
        let result = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            // zlib only reads its input, whatever its type says.
            stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.avail_in = uInt(bytes.count)
            stream.next_out = buffer.baseAddress
            stream.avail_out = uInt(limit)
            isGood = deflate(&stream, Z_FINISH) == Z_STREAM_END
            count = isGood ? limit - Int(stream.avail_out) : 0
        }
        return isGood ? result : nil
    }
}
