/// Takes comments and tags out of markup, folds blanks, and reads character
/// references.
enum TagStripper {
    static func strip(_ markup: String) -> String {
        let bytes = cut(cut(Array(markup.utf8), from: "<!--", to: "-->"), from: "<", to: ">")
        let words = String(decoding: bytes, as: UTF8.self).pythonWords
        return resolved(words.joined(separator: " "))
    }

    /// Cuts each stretch from one mark to the next other mark.
    private static func cut(_ bytes: [UInt8], from open: String, to close: String) -> [UInt8] {
        let open = Array(open.utf8)
        let close = Array(close.utf8)
        var result: [UInt8] = []
        var place = 0
        while let start = bytes.firstRange(of: open, from: place),
            let end = bytes.firstRange(of: close, from: start.lowerBound)
        {
            result += bytes[place..<start.lowerBound]
            place = end.upperBound
        }
        return result + bytes[place...]
    }

    private static func resolved(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = text[...]
        while let ampersand = rest.firstIndex(of: "&") {
            result += rest[..<ampersand]
            rest = rest[ampersand...]
            let window = rest.prefix(12)
            if let semicolon = window.firstIndex(of: ";"),
                let character = character(rest[rest.index(after: ampersand)..<semicolon])
            {
                result.unicodeScalars.append(character)
                rest = rest[rest.index(after: semicolon)...]
            } else {
                result += "&"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return named[String(name)] }
        let digits = name.dropFirst()
        let code =
            digits.first == "x" || digits.first == "X"
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return code.flatMap { Unicode.Scalar($0 == 0 ? 0xFFFD : $0) }
    }

    /// The names that editors write; others stay as they are.
    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
        "hellip": "…", "mdash": "—", "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“",
        "rdquo": "”", "bdquo": "„", "sbquo": "‚", "laquo": "«", "raquo": "»", "bull": "•",
        "middot": "·", "copy": "©", "reg": "®", "trade": "™", "deg": "°", "plusmn": "±",
        "times": "×", "divide": "÷", "frac12": "½", "frac14": "¼", "frac34": "¾", "euro": "€",
        "pound": "£", "yen": "¥", "cent": "¢", "sect": "§", "para": "¶", "micro": "µ",
        "iexcl": "¡", "iquest": "¿", "shy": "\u{AD}", "ensp": "\u{2002}", "emsp": "\u{2003}",
        "thinsp": "\u{2009}", "zwj": "\u{200D}", "zwnj": "\u{200C}", "larr": "←", "uarr": "↑",
        "rarr": "→", "darr": "↓", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä",
        "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "ecirc": "ê",
        "euml": "ë", "aacute": "á", "agrave": "à", "acirc": "â", "aring": "å", "aelig": "æ",
        "ccedil": "ç", "iacute": "í", "icirc": "î", "iuml": "ï", "ntilde": "ñ", "oacute": "ó",
        "ocirc": "ô", "oslash": "ø", "uacute": "ú", "ugrave": "ù", "ucirc": "û",
    ]
}
