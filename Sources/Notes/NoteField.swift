package import Bytes
import Markup
package import YAML

/// A field of a note: what a read may ask for, and what a change may name.
package enum NoteField: UInt8, CaseIterable, Sendable {
    case title, date, updated, expires, draft, tags, aliases, slug, permalink, summary, order
    case layout, lang, image, authors, cssclasses, toc, noindex, pin, extra
    /// The body's HTML with its holes.
    case body
    /// What the body links to, with the sentences around.
    case links
    /// The headings with their anchors.
    case headings
    /// Blocks that carry an id.
    case blocks

    /// The name in messages: the front matter key of the same meaning.
    package var name: String { "\(self)" }

    /// The fingerprint of a value of front matter.
    package static func fingerprint(of node: YAMLNode) -> Fingerprint {
        var digest = FieldDigest()
        digest.add(node)
        return digest.fingerprint
    }

    /// One fingerprint for each field.
    typealias Fingerprints = InlineArray<24, Fingerprint>

    static func fingerprints(
        title: String?, date: NoteDate?, tags: [Tag], summary: String, frontMatter: FrontMatter,
        titleIsHeading: Bool, body: MarkupDocument, bodyFingerprint: Fingerprint
    ) -> Fingerprints {
        assert(allCases.count == Fingerprints.count)
        var digest = FieldDigest()
        return Fingerprints { number in
            guard let field = NoteField(rawValue: UInt8(number)) else { return .absent }
            digest.clear()
            switch field {
            case .title: digest.add(title)
            case .date: digest.add(date?.text)
            case .updated: digest.add(frontMatter.updated?.text)
            case .expires: digest.add(frontMatter.expires?.text)
            case .draft:
                digest.add(frontMatter.isDraft ? 1 : 0)
                digest.add(frontMatter.isOptedIn ? 1 : 0)
            case .tags: tags.forEach { digest.add($0.name) }
            case .aliases: frontMatter.aliases.forEach { digest.add($0) }
            case .slug: digest.add(frontMatter.slug)
            case .permalink: digest.add(frontMatter.permalink)
            case .summary: digest.add(summary)
            case .order: digest.add(frontMatter.order?.description)
            case .layout: digest.add(frontMatter.layout)
            case .lang: digest.add(frontMatter.lang)
            case .image: digest.add(frontMatter.image)
            case .authors: frontMatter.authors.forEach { digest.add($0) }
            case .cssclasses: frontMatter.cssclasses.forEach { digest.add($0) }
            case .toc: digest.add(frontMatter.showsContents?.description)
            case .noindex: digest.add(frontMatter.isHiddenFromSearch ? 1 : 0)
            case .pin: digest.add(frontMatter.isPinned ? 1 : 0)
            case .extra:
                for entry in frontMatter.extra {
                    digest.add(entry.key)
                    digest.add(entry.value)
                }
            case .body: return bodyFingerprint
            case .links:
                for link in body.links {
                    digest.add(link.target)
                    digest.add(link.fragment)
                    digest.add(link.sentence)
                    digest.add(link.form.digit)
                }
            case .headings:
                if !body.headings.isEmpty { digest.add(titleIsHeading ? 1 : 0) }
                for heading in body.headings {
                    digest.add(heading.id)
                    digest.add(heading.text)
                    digest.add(heading.html)
                    digest.add(heading.level)
                }
            case .blocks: body.blocks.forEach { digest.add($0.id) }
            }
            return digest.fingerprint
        }
    }
}

/// Gathers values into one fingerprint so that their borders count.
struct FieldDigest {
    private var bytes: [UInt8] = []
    private var isEmpty = true

    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        isEmpty = true
    }

    mutating func add(_ text: String?) {
        guard let text else { return }
        isEmpty = false
        bytes.append(contentsOf: text.utf8)
        bytes.append(0xFF)
    }

    mutating func add(_ number: Int) {
        isEmpty = false
        withUnsafeBytes(of: UInt64(bitPattern: Int64(number)).littleEndian) {
            bytes.append(contentsOf: $0)
        }
    }

    mutating func add(_ node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar):
            add(scalar.isPlain ? "p" : "q")
            add(scalar.text)
        case .sequence(let items):
            add("[")
            items.forEach { add($0) }
            add("]")
        case .mapping(let entries):
            add("{")
            for entry in entries {
                add(entry.key)
                add(entry.value)
            }
            add("}")
        }
    }

    var fingerprint: Fingerprint { isEmpty ? .absent : Fingerprint(of: bytes) }
}

extension Link.Form {
    /// The form as a number, for digests.
    var digit: Int {
        switch self {
        case .wikilink: 0
        case .embed: 1
        case .link: 2
        case .image: 3
        }
    }
}
