import Bytes
import Notes
import YAML

/// What the settings say, setting by setting.
extension SiteReader {
    /// A setting that is text.
    enum TextSetting {
        case title, description, author, language, basePath, origin
    }

    /// A text setting.
    func text(_ setting: TextSetting) -> String {
        // One by one: a key path would copy all settings to look at one.
        switch setting {
        case .title: seen(.title, site.settings.title)
        case .description: seen(.description, site.settings.description)
        case .author: seen(.author, site.settings.author)
        case .language: seen(.language, site.settings.language)
        case .basePath: seen(.basePath, site.settings.basePath)
        case .origin: seen(.origin, site.settings.origin)
        }
    }

    private func seen(_ setting: SiteRead.Setting, _ text: String) -> String {
        recorder.record(.setting(setting), Fingerprint(of: text))
        return text
    }

    private func seen(_ setting: SiteRead.Setting, _ number: Int) {
        recorder.record(.setting(setting), Fingerprint(bits: UInt64(number) + 1))
    }

    /// Where the site will stand; nil where that is unknown.
    var baseURL: String? {
        let url = site.settings.baseURL
        recorder.record(.setting(.baseURL), url.map { Fingerprint(of: $0) } ?? .absent)
        return url
    }

    /// Notes on each numbered page of the home list; nil for one page.
    var paginate: Int? {
        seen(.paginate, site.settings.paginate ?? 0)
        return site.settings.paginate
    }

    /// How many entries a feed has.
    var feedLimit: Int {
        seen(.feedLimit, site.settings.feedLimit)
        return site.settings.feedLimit
    }

    /// Whether feeds carry whole notes.
    var feedHasFullContent: Bool {
        seen(.feedHasFullContent, site.settings.feedHasFullContent ? 1 : 0)
        return site.settings.feedHasFullContent
    }

    /// The zone that times without an offset are in.
    var zone: ZoneRules {
        recorder.record(.setting(.timezone), site.settings.zone.fingerprint)
        return site.settings.zone
    }

    /// A value under `extra:` of the settings.
    func extraSetting(_ key: String) -> YAMLNode? {
        let node = site.settings.extra.first { $0.key == key }?.value
        recorder.record(.extraSetting(key), node.map { NoteField.fingerprint(of: $0) } ?? .absent)
        return node
    }

    /// The named query whose page has an address.
    func collection(at url: String) -> SiteSettings.Collection? {
        let collection = site.settings.collection(at: url)
        recorder.record(.collection(url), collection?.fingerprint ?? .absent)
        return collection
    }

    /// The names and addresses (without the base) of all named queries.
    func collections() -> [(name: String, url: String)] {
        let collections = site.settings.collections.map { ($0.name, $0.url) }
        recorder.record(
            .collections, Self.fingerprint(of: collections.flatMap { [$0.0, $0.1] }))
        return collections
    }

    /// Whether something is made at an output path.
    func isMade(_ output: String) -> Bool {
        let isMade = site.isMade(output)
        recorder.record(.output(output), Fingerprint(bits: isMade ? 1 : 2))
        return isMade
    }
}
