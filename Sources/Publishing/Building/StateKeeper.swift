import Bytes
import Diagnostics
import Notes

/// Opens the state that the latest build saved, and saves this one's.
///
/// The folder is a cache that may vanish at any time: whatever cannot be read or
/// written here costs the next build time, and nothing else.
struct StateKeeper {
    private let options: BuildOptions
    private let source: SiteSource
    private let path: String
    /// Stands for the program; nil where nothing is remembered or saved.
    private let program: Fingerprint?
    /// The file system's time before the first look at any file, in nanoseconds.
    let moment: Int64

    private static let fileName = "state.db"

    init(_ options: BuildOptions, _ source: SiteSource) {
        self.options = options
        self.source = source
        path = FilePath.normalized(options.state ?? "")
        guard options.state != nil, !options.isDryRun, let moment = Self.prepare(path) else {
            program = nil
            self.moment = 0
            return
        }
        program = options.program
        self.moment = moment
    }

    /// Makes the folder, which no version control should hold, and asks the file
    /// system for the time by touching a file in it.
    private static func prepare(_ path: String) -> Int64? {
        guard (try? FilePath.makeFolders(path)) != nil, let folder = try? Folder(path) else {
            return nil
        }
        if folder.status(".gitignore") == nil {
            try? folder.write(Array("*\n".utf8), to: ".gitignore")
        }
        guard (try? folder.write(Array("now\n".utf8), to: "clock")) != nil else { return nil }
        return folder.status("clock")?.changed
    }

    /// What the latest build left; empty where nothing can be believed, or the
    /// build is to start clean.
    func open() -> SavedBuild {
        guard let program, !options.startsClean else { return SavedBuild() }
        return SavedBuild(at: path + "/" + Self.fileName, program: program, output: source.output)
    }

    /// Saves a build that nothing was remembered of, or whose plan is new.
    func save(_ build: SavedBuild, _ site: Site, _ read: [PageReads], _ workers: Workers) {
        guard let program else { return }
        let draft = path + "/" + Self.fileName + ".new"
        guard let folder = try? Folder(path) else { return }
        for name in [".new", ".new-journal"] { try? folder.remove(Self.fileName + name) }
        let shards = (read.count + SavedBuild.shardSize - 1) / SavedBuild.shardSize
        let (plan, rest) = workers.both {
            var plan = BinaryWriter(capacity: site.store.slotCount * 128)
            site.write(to: &plan)
            return plan.bytes
        } and: {
            (
                SavedReaders.bytes(read.map(\.notes), count: site.store.slotCount),
                (0..<shards).map { shard in
                    let first = shard * SavedBuild.shardSize
                    return SavedBuild.bytes(
                        read[first..<min(first + SavedBuild.shardSize, read.count)]
                            .map(\.record))
                }
            )
        }
        var summary = build.summary
        summary.comparedKeys = read.reduce(into: []) { $0.formUnion($1.keys) }
        var pieces: [BlobStore.Key: [UInt8]?] = [
            .init(name: "summary"): SavedBuild.bytes(
                summary, program: program, output: source.output),
            .init(name: "files"): build.fileBytes,
            .init(name: "plan"): plan,
            .init(name: "fields"): SavedFields.bytes(of: site, workers),
            .init(name: "readers"): rest.0,
        ]
        for (shard, bytes) in rest.1.enumerated() {
            pieces[.init(name: "records", number: shard)] = bytes
        }
        do {
            guard let store = BlobStore(creating: draft), store.change(pieces) else { return }
        }
        try? folder.rename(Self.fileName + ".new", to: Self.fileName, in: folder)
        for name in ["-journal", "-wal", "-shm"] { try? folder.remove(Self.fileName + name) }
    }

    /// Saves what a build with the remembered plan changed. `rendered` are the
    /// reads of pages that were rendered, by their numbers.
    func save(
        _ build: SavedBuild, over remembered: SavedBuild, _ plan: KeptPlan,
        rendered: [Int: PageReads]
    ) {
        guard let program else { return }
        var build = build
        var pieces: [BlobStore.Key: [UInt8]?] = [.init(name: "files"): build.fileBytes]
        if !plan.changed.isEmpty {
            pieces[.init(name: "fields")] = plan.fields.replacing(plan.changed)
        }
        for (shard, pages) in Dictionary(grouping: rendered.keys, by: { $0 / SavedBuild.shardSize })
        {
            guard var records = remembered.records(inShard: shard) else { return forget() }
            for page in pages {
                guard let record = rendered[page]?.record,
                    page % SavedBuild.shardSize < records.count
                else { return forget() }
                records[page % SavedBuild.shardSize] = record
            }
            pieces[.init(name: "records", number: shard)] = SavedBuild.bytes(records)
        }
        if !rendered.isEmpty {
            guard let readers = remembered.readers() else { return forget() }
            build.summary.comparedKeys.formUnion(rendered.values.flatMap(\.keys))
            let isKnown = rendered.allSatisfy { page, read in
                read.notes.allSatisfy { readers.pages(reading: $0).contains(page) }
            }
            if !isKnown {
                guard let all = allReaders(remembered, rendered, plan.site) else { return forget() }
                pieces[.init(name: "readers")] = all
            }
        }
        pieces[.init(name: "summary")] = SavedBuild.bytes(
            build.summary, program: program, output: source.output)
        if !remembered.change(pieces) { forget() }
    }

    private func allReaders(
        _ remembered: SavedBuild, _ rendered: [Int: PageReads], _ site: Site
    ) -> [UInt8]? {
        var notes: [[NoteID]] = []
        for first in stride(from: 0, to: site.pages.count, by: SavedBuild.shardSize) {
            guard let records = remembered.records(inShard: first / SavedBuild.shardSize) else {
                return nil
            }
            for (index, record) in records.enumerated() {
                notes.append((rendered[first + index] ?? record.reads).notes)
            }
        }
        return SavedReaders.bytes(notes, count: site.store.slotCount)
    }

    /// Saves only what the system says now of files that are as they were.
    func refresh(_ remembered: SavedBuild, _ inputs: BuildInputs, _ found: OutputInspection) {
        let notes = inputs.notes.entries.map(\.file)
        guard program != nil, notes != remembered.notes || found.hasOtherStamps else { return }
        var build = SavedBuild(next: remembered)
        build.summary = remembered.summary
        build.notes = notes
        build.outputs = remembered.outputs.map { found.known[$0.path] ?? $0 }
        build.pages = remembered.pages
        build.sources = remembered.sources
        if !remembered.change([.init(name: "files"): build.fileBytes]) { forget() }
    }

    /// Removes what is saved: the next build remembers nothing.
    func forget() {
        guard let folder = try? Folder(path) else { return }
        for name in ["", "-journal", "-wal", "-shm", ".new"] {
            try? folder.remove(Self.fileName + name)
        }
    }
}
