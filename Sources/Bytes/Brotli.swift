// The wall around Brotli's encoder: no other file imports it.
import CBrotli

/// Brotli (RFC 7932), as web servers send it.
package enum Brotli {
    /// Some bytes in the format; the same bytes always give the same. Quality 9
    /// of 11: the last two cost several times as long for a few in a hundred.
    ///
    /// Nil where memory is short.
    package static func compressed(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let limit = max(BrotliEncoderMaxCompressedSize(bytes.count), 64)
        var isGood = false
        let result = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var size = limit
            isGood =
                BrotliEncoderCompress(
                    9, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, bytes.count, bytes.baseAddress,
                    &size, buffer.baseAddress) == BROTLI_TRUE
            count = isGood ? size : 0
        }
        return isGood ? result : nil
    }
}
