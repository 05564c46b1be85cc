import Bytes
import Diagnostics
import Notes

/// Opens the state that the latest build saved, and saves this one's.
///
/// The folder is a cache that may vanish at any time: whatever cannot be read or
/// written here costs the next build time, and nothing else.
struct StateKeeper: Sendable {
    /// Whether anything is remembered and saved.
    let isKept: Bool

    private let source: SiteSource
    private let path: String
    /// Stands for the program.
    private let program: Fingerprint
    private let startsClean: Bool

    private static let fileName = "state.db"

    init(_ options: BuildOptions, _ source: SiteSource) {
        self.source = source
        path = FilePath.normalized(options.state ?? "")
        isKept = options.state != nil && !options.isDryRun
        program = options.program
        startsClean = options.startsClean
    }

    /// The file system's time before the first look at any file, in nanoseconds:
    /// what changes from then on cannot be told by its stamp.
    ///
    /// Makes the folder, which no version control should hold, and touches a
    /// file in it. Zero where that cannot be done, which trusts no stamp.
    func moment() -> Int64 {
        guard isKept, (try? FilePath.makeFolders(path)) != nil, let folder = try? Folder(path)
        else { return 0 }
        if folder.status(".gitignore") == nil {
            try? folder.write(Array("*\n".utf8), to: ".gitignore")
        }
        guard (try? folder.write(Array("now\n".utf8), to: "clock")) != nil else { return 0 }
        return folder.status("clock")?.changed ?? 0
    }

    // MARK: Reading

    /// What the latest build left; empty where nothing can be believed, or the
    /// build is to start clean.
    func open(_ workers: Workers) -> LatestBuild {
        guard isKept, !startsClean, let store = BlobStore(reading: path + "/" + Self.fileName),
            let head = store.bytes(.init(name: "summary")),
            let outline = store.bytes(.init(name: "outline"))
        else { return LatestBuild() }
        var reader = BinaryReader(head)
        guard reader.fingerprint() == program, reader.text() == source.output else {
            return LatestBuild()
        }
        let summary = BuildSummary(from: &reader)
        var rest = BinaryReader(outline)
        let pages = rest.list { $0.number() }
        let sources = rest.list {
            LatestBuild.SavedSource(
                place: $0.number(), path: $0.text(), stamp: FileStamp(from: &$0))
        }
        let notePieces = store.allBytes("notes")
        let outputPieces = store.allBytes("outputs")
        let (notes, outputs) = workers.both {
            SavedFile.list(of: notePieces)
        } and: {
            SavedFile.list(of: outputPieces)
        }
        guard reader.isSound, rest.isSound, let notes, let outputs,
            (pages + sources.map(\.place)).allSatisfy({ outputs.indices.contains($0) })
        else { return LatestBuild() }
        var build = LatestBuild()
        build.summary = summary
        build.notes = notes
        build.outputs = OutputFiles(
            OutputList(paths: outputs.map(\.path), pages: pages), hashes: outputs.map(\.hash),
            stamps: outputs.map(\.stamp))
        build.sources = sources
        build.parts = SavedParts(store)
        return build
    }

    // MARK: Writing

    private typealias Pieces = [BlobStore.Piece]

    /// Saves all that is in memory of a build.
    func save(_ build: LatestBuild, _ workers: Workers) {
        guard isKept, let parts = build.parts as? KeptParts else { return }
        let draft = path + "/" + Self.fileName + ".new"
        // Two builds for two outputs may share the folder: the later one's state is
        // not saved.
        guard let folder = try? Folder(path), folder.lock() else { return }
        for name in [".new", ".new-journal"] { try? folder.remove(Self.fileName + name) }
        do {
            guard let store = BlobStore(creating: draft), store.begin() else { return }
            let makers = makers(build, parts)
            var isWritten = true
            workers.stream(makers.count) {
                makers[$0]()
            } take: {
                isWritten = isWritten && store.put($0)
            }
            guard isWritten, store.commit() else { return }
        }
        // A journal of the old file must never be taken for one of the new.
        for name in ["-journal", "-wal", "-shm"] { try? folder.remove(Self.fileName + name) }
        try? folder.rename(Self.fileName + ".new", to: Self.fileName, in: folder)
    }

    private typealias Maker = @Sendable () -> BlobStore.Piece

    /// What makes the pieces of the saved state, the largest first, so that all
    /// workers end together.
    private func makers(_ build: LatestBuild, _ parts: KeptParts) -> [Maker] {
        let site = parts.site
        let (notes, outputs, memories) = (build.notes, build.outputs, parts.memories)
        let (readers, summary) = (parts.readers, build.summary)
        let (outline, keeper) = (Self.outline(build), self)
        var makers: [Maker] = [
            {
                var writer = BinaryWriter(capacity: site.store.slotCount * 128)
                site.write(to: &writer)
                return (.init(name: "plan"), writer.bytes)
            },
            { (.init(name: "readers"), SavedReaders.bytes(readers)) },
        ]
        func add(
            _ name: String, _ count: Int, by size: Int,
            _ bytes: @escaping @Sendable (Range<Int>) -> [UInt8]
        ) {
            for (number, range) in Self.shards(count, size).enumerated() {
                makers.append { (.init(name: name, number: number), bytes(range)) }
            }
        }
        add("records", memories.count, by: SavedParts.recordShard) {
            SavedParts.bytes(memories[$0])
        }
        add(
            "fields", site.store.slotCount, by: SavedParts.fileShard, parts.fieldPieceMaker())
        add("notes", notes.count, by: SavedParts.fileShard) { SavedFile.bytes(notes[$0]) }
        add("outputs", outputs.list.paths.count, by: SavedParts.fileShard) {
            SavedFile.bytes(outputs, $0)
        }
        makers.append { (.init(name: "summary"), keeper.bytes(summary)) }
        makers.append { (.init(name: "outline"), outline) }
        return makers
    }

    private static func shards(_ count: Int, _ size: Int) -> [Range<Int>] {
        stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
    }

    private func bytes(_ summary: BuildSummary) -> [UInt8] {
        var writer = BinaryWriter(capacity: 16 * 1024)
        writer.write(program)
        writer.write(source.output)
        summary.write(to: &writer)
        return writer.bytes
    }

    private static func outline(_ build: LatestBuild) -> [UInt8] {
        var writer = BinaryWriter(capacity: build.outputs.list.pages.count * 3)
        writer.write(list: build.outputs.list.pages) { $0.write($1) }
        writer.write(list: build.sources) { writer, source in
            writer.write(source.place)
            writer.write(source.path)
            source.stamp.write(to: &writer)
        }
        return writer.bytes
    }

    /// Saves what a build with the plan of an earlier process changed: the fields of
    /// some notes, some pages, and what is known of files, compared with `notes`
    /// and `outputs` as they were. What is remembered from now on; nil where it
    /// could not be saved.
    func save(
        _ build: LatestBuild, notes: [SavedFile], outputs: OutputFiles, _ saved: SavedParts,
        _ changed: [NoteID: NoteFingerprints], _ rendered: [KeptParts.Rendered]
    ) -> LatestBuild? {
        var pieces = filePieces(build, notes, outputs)
        for (shard, entries) in Dictionary(
            grouping: changed, by: { $0.key.rawValue / SavedParts.fileShard })
        {
            let key = BlobStore.Key(name: "fields", number: shard)
            guard let bytes = saved.store.bytes(key) else { return forget() }
            // Counted from the first note of the piece.
            var piece = SavedFingerprints(pieces: [bytes])
            for (id, entry) in entries {
                piece[NoteID(rawValue: id.rawValue % SavedParts.fileShard)] = entry
            }
            pieces.append((key, piece.pieces[0]))
        }
        for (shard, pages) in Dictionary(
            grouping: rendered, by: { $0.page / SavedParts.recordShard })
        {
            guard var records = saved.records(inShard: shard) else { return forget() }
            for (page, reads, wake) in pages where page % SavedParts.recordShard < records.count {
                records[page % SavedParts.recordShard] = PageMemory(
                    reads: reads.record, wake: wake)
            }
            pieces.append(
                (.init(name: "records", number: shard), SavedParts.bytes(records[...])))
        }
        if !rendered.isEmpty {
            guard let readers = saved.readers else { return forget() }
            let isKnown = rendered.allSatisfy { page, reads, _ in
                reads.words.allSatisfy { word in
                    readers.readers(of: word.note).contains {
                        $0.page == Int32(page) && $0.fields.isSuperset(of: word.fields)
                    }
                }
            }
            if !isKnown {
                var all = readers.all
                for (page, reads, _) in rendered {
                    for word in reads.words where word.note.rawValue < all.count {
                        all[word.note.rawValue].add(Int32(page), word.fields)
                    }
                }
                pieces.append((.init(name: "readers"), SavedReaders.bytes(all)))
            }
        }
        pieces.append((.init(name: "summary"), bytes(build.summary)))
        pieces.append((.init(name: "outline"), Self.outline(build)))
        guard saved.store.change(pieces) else { return forget() }
        var build = build
        build.parts = SavedParts(saved.store)
        return build
    }

    /// The pieces of the lists of files in which anything differs.
    private func filePieces(
        _ build: LatestBuild, _ notes: [SavedFile], _ before: OutputFiles
    ) -> Pieces {
        var pieces: Pieces = []
        for (number, range) in Self.shards(build.notes.count, SavedParts.fileShard).enumerated()
        where range.contains(where: {
            build.notes[$0].stamp != notes[$0].stamp
                || build.notes[$0].hash != notes[$0].hash
        }) {
            pieces.append(
                (.init(name: "notes", number: number), SavedFile.bytes(build.notes[range])))
        }
        let now = build.outputs
        for (number, range) in Self.shards(now.list.paths.count, SavedParts.fileShard).enumerated()
        where range.contains(where: {
            now.stamps[$0] != before.stamps[$0] || now.hashes[$0] != before.hashes[$0]
        }) {
            pieces.append((.init(name: "outputs", number: number), SavedFile.bytes(now, range)))
        }
        return pieces
    }

    /// Saves only what the system says now of files that are as they were. What is
    /// remembered from now on.
    func refresh(
        _ latest: LatestBuild, _ inputs: BuildInputs, _ found: OutputInspection
    ) -> LatestBuild? {
        var build = latest
        build.notes = inputs.notes.entries.map(\.file)
        build.outputs = found.files
        guard let saved = latest.parts as? SavedParts else { return build }
        let pieces = filePieces(build, latest.notes, latest.outputs)
        if pieces.isEmpty { return build }
        return saved.store.change(pieces) ? build : forget()
    }

    /// Removes what is saved: the next build remembers nothing.
    private func forget() -> LatestBuild? {
        guard let folder = try? Folder(path) else { return nil }
        for name in ["", "-journal", "-wal", "-shm", ".new"] {
            try? folder.remove(Self.fileName + name)
        }
        return nil
    }
}
