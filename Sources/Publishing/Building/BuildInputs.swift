import Bytes
import Diagnostics
import Notes
import Templating

/// All that a build is made from, as it is found.
struct BuildInputs {
    /// Settings and options: all that is no file of its own.
    var request: Fingerprint
    /// The names of all files but notes.
    var names: Fingerprint
    /// The templates and assets, by name.
    var templates: [String: Fingerprint]
    /// The notes.
    var notes: NoteInputs
    /// What was found by looking.
    var files: SiteSource.Files
    /// The templates and assets.
    var loader: TemplateLoader
    /// The moment of the build.
    var now: Instant

    init(
        _ source: SiteSource, _ options: BuildOptions, files: SiteSource.Files,
        loader: TemplateLoader, notes: NoteInputs
    ) {
        request = source.request(options)
        var names = Fingerprint(bits: 1)
        for list in [
            files.attachments, files.statics, loader.assets.map(\.path), loader.names,
        ] {
            names.combine(UInt64(list.count))
            for name in list { names.combine(Fingerprint(of: name)) }
        }
        self.names = names
        templates = Dictionary(
            loader.sources.map { ($0.name, Fingerprint(of: $0.bytes)) }
                + loader.assets.map { ($0.path, Fingerprint(of: $0.bytes)) },
            uniquingKeysWith: { first, _ in first })
        self.notes = notes
        self.files = files
        self.loader = loader
        now = options.now
    }

    /// Whether the plan of `latest` is still the plan as far as everything
    /// but the words of notes goes.
    func isPlanned(as latest: LatestBuild) -> Bool {
        let summary = latest.summary
        return !latest.isEmpty && request == summary.request && names == summary.names
            && !notes.hasOtherPaths && now.milliseconds >= summary.validFrom
            && now.milliseconds < summary.validUntil
    }

    /// Whether nothing at all differs from what `latest` was made from.
    func isSame(as latest: LatestBuild) -> Bool {
        isPlanned(as: latest) && edits.isEmpty && templates == latest.summary.templates
    }

    /// The notes whose bytes differ.
    var edits: [NoteInputs.Entry] { notes.entries.filter { !$0.isSame } }
}

extension SiteSource {
    /// Stands for settings and options: what is no file that is compared by
    /// itself.
    func request(_ options: BuildOptions) -> Fingerprint {
        var result = settingsFingerprint
        result.combine(settings.zone.fingerprint)
        result.combine(options.drafts ? 1 : 0)
        result.combine(options.future ? 1 : 0)
        result.combine(options.keepsLastGood ? 1 : 0)
        result.combine(options.standsAtRoot ? 1 : 0)
        result.combine(options.baseURL.map { Fingerprint(of: $0) } ?? .absent)
        result.combine(Fingerprint(of: contentPath))
        return result
    }
}
