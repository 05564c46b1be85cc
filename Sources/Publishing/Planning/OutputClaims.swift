import Bytes
import Diagnostics
import Notes

/// Who has which output path: two that differ in case alone are one, and what
/// is a file to one is no folder to another.
struct OutputClaims {
    /// Who wants an output path. Words are made only where two do.
    enum Claim {
        case page(Page)
        case file(String)
        /// Daybook itself.
        case reserved(ReservedOutput)
    }

    private struct Owner {
        /// Who came first; indexes the claims.
        var claim: Int32
        /// Whether only things inside were asked for.
        var isFolder: Bool
    }

    private var claims: [Claim] = ReservedOutput.allCases.map { .reserved($0) }
    private var owners: [OutputKey.Part: Owner] = Dictionary(
        uniqueKeysWithValues: ReservedOutput.allCases.enumerated().map { place, name in
            (OutputKey(name.rawValue).file, Owner(claim: Int32(place), isFolder: false))
        })

    mutating func reserveCapacity(_ count: Int) {
        claims.reserveCapacity(count)
        // Most pages have a folder of their own.
        owners.reserveCapacity(count * 2)
    }

    /// Takes an output path. Who has it already; nil where it was free.
    mutating func take(_ key: OutputKey, _ claim: Claim) -> Claim? {
        if let first = owners[key.file] { return claims[Int(first.claim)] }
        var newFolders = 0
        climb: for folder in key.folders {
            switch owners[folder] {
            case nil: newFolders += 1
            case let first? where first.isFolder: break climb
            case let first?: return claims[Int(first.claim)]
            }
        }
        let number = Int32(claims.count)
        owners[key.file] = Owner(claim: number, isFolder: false)
        for folder in key.folders.prefix(newFolders) {
            owners[folder] = Owner(claim: number, isFolder: true)
        }
        claims.append(claim)
        return nil
    }
}

/// What makes an output path the same on a file system that knows no case:
/// digests of its folded form and of the folders above it, so that finding it
/// compares no text.
struct OutputKey: Sendable {
    /// Equal exactly where folded paths are.
    typealias Part = ContentHash

    /// Of the path itself.
    let file: Part
    /// Of the folders it lies in, innermost first.
    let folders: [Part]

    init(_ output: String) {
        let folded = UnicodeText.folded(output)
        file = ContentHash(of: folded)
        var folders: [Part] = []
        var folder = NotePath.folder(of: folded)
        while !folder.isEmpty {
            folders.append(ContentHash(of: folder))
            folder = NotePath.folder(of: folder)
        }
        self.folders = folders
    }
}

extension OutputClaims.Claim {
    /// The note whose page it is, that redirects, or that introduces the page.
    func note(in store: NoteStore) -> Note? {
        guard case .page(let page) = self else { return nil }
        switch page.kind {
        case .note(let id), .redirect(let id): return store[id]
        default: return page.introduction.flatMap { store[$0] }
        }
    }

    private func collection(_ settings: SiteSettings) -> SiteSettings.Collection? {
        guard case .page(let page) = self, case .collection(let url) = page.kind else {
            return nil
        }
        return settings.collection(at: url)
    }

    /// What messages call it.
    func name(in store: NoteStore, _ settings: SiteSettings) -> String {
        switch self {
        case .reserved(let reserved): "Daybook's \(reserved.use)"
        case .file(let name): name
        case .page(let page):
            collection(settings).map { "the collection `\($0.name)`" }
                ?? note(in: store)?.file ?? "the \(page.kindName) page"
        }
    }

    /// Where it asks for the path.
    func span(in store: NoteStore, _ settings: SiteSettings) -> SourceSpan? {
        switch self {
        case .reserved: return nil
        case .file(let name): return SourceSpan(file: name)
        case .page(let page):
            if let collection = collection(settings) {
                return SourceSpan(file: "daybook.yml", range: collection.range)
            }
            guard let note = note(in: store) else { return nil }
            let matter = note.frontMatter
            if case .redirect = page.kind {
                return SourceSpan(file: note.file, range: matter.range(of: .aliases))
            }
            return SourceSpan(
                file: note.file, range: matter.range(of: .permalink) ?? matter.range(of: .slug))
        }
    }
}

/// A page with the path of its file, worked out once.
struct PlacedPage: Sendable {
    let page: Page
    /// The output path.
    let output: String
    /// What the path is compared by.
    let key: OutputKey

    init(_ page: Page) {
        self.page = page
        output = page.address.outputFile
        key = OutputKey(output)
    }
}
