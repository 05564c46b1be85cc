// The wall around utf8proc: no other file imports it.
import CUTF8Proc

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Unicode operations that the standard library does not offer.
package enum UnicodeText {
    /// The text in Unicode's composed form (NFC). ASCII returns as it is.
    package static func composed(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return mapped(text, UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue) ?? text
    }

    /// The text composed and with case folded away, for comparing names: equal
    /// results mean the same name to a reader.
    package static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            if text.utf8.allSatisfy({ $0 < 0x41 || $0 > 0x5A }) { return text }
            return String(
                decoding: text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 },
                as: UTF8.self)
        }
        return mapped(
            text,
            UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_CASEFOLD.rawValue)
            ?? text
    }

    private static func mapped(_ text: String, _ options: UInt32) -> String? {
        var text = text
        return text.withUTF8 { bytes -> String? in
            var result: UnsafeMutablePointer<UInt8>?
            let count = utf8proc_map(
                bytes.baseAddress, bytes.count, &result, utf8proc_option_t(rawValue: options))
            defer { free(result) }
            guard count >= 0, let result else { return nil }
            return String(
                decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
        }
    }

    /// What a code point is to a slug or an anchor.
    package enum ScalarClass {
        /// A letter of any script, or a mark that belongs to one.
        case letter
        /// A digit or another number.
        case number
        /// Connecting punctuation, such as `_`.
        case connector
        /// Punctuation, symbols, blanks, controls.
        case other
    }

    /// The class of a code point by its general category.
    package static func scalarClass(_ scalar: Unicode.Scalar) -> ScalarClass {
        switch utf8proc_category(utf8proc_int32_t(bitPattern: scalar.value)) {
        case UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LL, UTF8PROC_CATEGORY_LT,
            UTF8PROC_CATEGORY_LM, UTF8PROC_CATEGORY_LO, UTF8PROC_CATEGORY_MN,
            UTF8PROC_CATEGORY_MC, UTF8PROC_CATEGORY_ME:
            .letter
        case UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NL, UTF8PROC_CATEGORY_NO: .number
        case UTF8PROC_CATEGORY_PC: .connector
        default: .other
        }
    }

    /// Whether the code point is of Unicode category P (punctuation).
    package static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch utf8proc_category(utf8proc_int32_t(bitPattern: scalar.value)) {
        case UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PD, UTF8PROC_CATEGORY_PS,
            UTF8PROC_CATEGORY_PE, UTF8PROC_CATEGORY_PI, UTF8PROC_CATEGORY_PF,
            UTF8PROC_CATEGORY_PO:
            true
        default: false
        }
    }
}
