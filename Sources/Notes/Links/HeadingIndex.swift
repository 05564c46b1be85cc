import Bytes
package import Markup
import Synchronization

/// Finds the headings of a note by what links write behind `#`.
///
/// Few notes are linked to so: what finds them is made when the first link asks.
package final class HeadingIndex: Sendable {
    private let headings: [Heading]
    private let tables = Mutex<Tables?>(nil)

    init(_ headings: [Heading]) { self.headings = headings }

    /// Headings by what may name them: of several the first.
    private struct Tables {
        var byID: [String: Int] = [:]
        var byText: [String: Int] = [:]
        var byLetters: [String: Int] = [:]

        init(_ headings: [Heading]) {
            for (index, heading) in headings.enumerated() {
                byID[heading.id] = byID[heading.id] ?? index
                let text = UnicodeText.folded(heading.text)
                byText[text] = byText[text] ?? index
                let letters = HeadingIndex.letters(heading.text)
                if !letters.isEmpty { byLetters[letters] = byLetters[letters] ?? index }
            }
        }
    }

    /// The heading that `fragment` names.
    ///
    /// A wikilink names a heading by its text (several levels joined by `#`,
    /// of which the last counts), Markdown's own links by its anchor; either
    /// may use the other's form. Texts agree where they do after case and
    /// Unicode form, else where their letters and digits do: Obsidian drops
    /// punctuation from the links it writes.
    package func heading(_ fragment: String, isWikilink: Bool) -> Heading? {
        let last =
            isWikilink ? fragment.split(separator: "#").last.map { String($0) } ?? "" : fragment
        let text = UnicodeText.folded(Self.trimmed(last))
        let letters = Self.letters(last)
        let index = tables.withLock { known in
            let tables = known ?? Tables(headings)
            known = tables
            return isWikilink
                ? tables.byText[text] ?? tables.byLetters[letters] ?? tables.byID[last]
                : tables.byID[fragment] ?? tables.byID[text] ?? tables.byText[text]
                    ?? tables.byLetters[letters]
        }
        return index.map { headings[$0] }
    }

    /// The texts of all headings, for finding the closest.
    package var texts: [String] { headings.map(\.text) }

    private static func letters(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in UnicodeText.folded(text).unicodeScalars {
            switch UnicodeText.scalarClass(scalar) {
            case .letter, .number: result.append(scalar)
            case .connector, .other: continue
            }
        }
        return String(result)
    }

    private static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
