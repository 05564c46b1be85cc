// The wall around SQLite: no other file imports it.
import Bytes
import CSQLite

/// Numbered pieces of bytes under names, kept in one file and changed all at
/// once: what the saved state is made of.
///
/// A cache, never a record: whatever is wrong with the file (torn, foreign,
/// locked, of another program) reads as absence. One piece, the directory, has the
/// digests of all others, so that pieces of two changes are never taken for one:
/// the system promises nothing of the order in which it keeps them where the power
/// goes. Belongs to one thread at a time; no pointer leaves it.
final class BlobStore {
    private let handle: OpaquePointer
    private let path: String
    /// The statements that read and write a piece, once there was one to.
    private var reading: OpaquePointer?
    private var writing: OpaquePointer?

    /// The digests of all pieces.
    private var digests: [Key: UInt64] = [:]
    /// Those before the change that is under way.
    private var digestsBefore: [Key: UInt64] = [:]

    /// What a piece is called.
    struct Key: Hashable {
        var name: String
        var number = 0

        fileprivate static let directory = Key(name: "directory")
    }

    /// Marks the file as ours (`DYBK`), with the form of what is in it.
    private static let applicationID = 0x4459_424B

    /// Opens the file at `path`; nil where there is none, or none of ours.
    init?(reading path: String) {
        self.path = path
        guard let handle = Self.open(path, SQLITE_OPEN_READWRITE) else { return nil }
        self.handle = handle
        guard integer("PRAGMA application_id") == Self.applicationID else {
            sqlite3_close_v2(handle)
            return nil
        }
        run("PRAGMA journal_mode=TRUNCATE")
        run("PRAGMA synchronous=OFF")
        readDirectory()
    }

    /// Makes an empty file at `path`, which nobody reads until it is renamed to
    /// its place; nil where that cannot be done.
    init?(creating path: String) {
        self.path = path
        guard let handle = Self.open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) else {
            return nil
        }
        self.handle = handle
        let isMade =
            run("PRAGMA journal_mode=OFF") && run("PRAGMA synchronous=OFF")
            && run("PRAGMA page_size=16384")
            && run("PRAGMA application_id=\(Self.applicationID)")
            && run(
                "CREATE TABLE piece (name TEXT NOT NULL, number INTEGER NOT NULL, "
                    + "bytes BLOB NOT NULL, PRIMARY KEY (name, number)) WITHOUT ROWID")
        if !isMade {
            sqlite3_close_v2(handle)
            return nil
        }
    }

    deinit {
        sqlite3_finalize(reading)
        sqlite3_finalize(writing)
        sqlite3_close_v2(handle)
    }

    private static func open(_ path: String, _ flags: Int32) -> OpaquePointer? {
        var handle: OpaquePointer?
        guard sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
            sqlite3_close_v2(handle)
            return nil
        }
        return handle
    }

    @discardableResult
    private func run(_ sql: String) -> Bool {
        sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
    }

    private func integer(_ sql: String) -> Int? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
        defer { sqlite3_finalize(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
        return Int(sqlite3_column_int64(statement, 0))
    }

    // MARK: Reading

    /// The bytes of a piece; nil where there is none, or it is not what was
    /// written.
    func bytes(_ key: Key) -> [UInt8]? {
        guard let digest = digests[key] else { return nil }
        return stored(key).flatMap { Self.digest($0) == digest ? $0 : nil }
    }

    /// The bytes of all pieces of a name, by their numbers, which go up from 0;
    /// nil where one is not what was written.
    func allBytes(_ name: String) -> [[UInt8]]? {
        // One after the other, as they stand: each by itself would be looked for from
        // the root of the tree.
        var statement: OpaquePointer?
        let sql = "SELECT number, bytes FROM piece WHERE name = ?1 ORDER BY number"
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
        defer { sqlite3_finalize(statement) }
        return name.withCString { text -> [[UInt8]]? in
            // The text is valid for as long as the statement runs.
            sqlite3_bind_text(statement, 1, text, -1, nil)
            var pieces: [[UInt8]] = []
            while true {
                let digest = digests[Key(name: name, number: pieces.count)]
                switch sqlite3_step(statement) {
                case SQLITE_DONE: return digest == nil ? pieces : nil
                case SQLITE_ROW:
                    let bytes = Self.blob(statement, column: 1)
                    guard sqlite3_column_int64(statement, 0) == Int64(pieces.count),
                        Self.digest(bytes) == digest
                    else { return nil }
                    pieces.append(bytes)
                default: return nil
                }
            }
        }
    }

    private static func blob(_ statement: OpaquePointer?, column: Int32) -> [UInt8] {
        let count = Int(sqlite3_column_bytes(statement, column))
        let start = sqlite3_column_blob(statement, column)
        return [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    private func stored(_ key: Key) -> [UInt8]? {
        guard let statement = reading ?? prepareReading() else { return nil }
        defer { sqlite3_reset(statement) }
        return key.name.withCString { name in
            // The text is valid for as long as the statement runs.
            sqlite3_bind_text(statement, 1, name, -1, nil)
            sqlite3_bind_int64(statement, 2, Int64(key.number))
            guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
            return Self.blob(statement, column: 0)
        }
    }

    private func prepareReading() -> OpaquePointer? {
        let sql = "SELECT bytes FROM piece WHERE name = ?1 AND number = ?2"
        sqlite3_prepare_v2(handle, sql, -1, &reading, nil)
        return reading
    }

    /// Reads the digests of all pieces; none where they are not what was written.
    private func readDirectory() {
        guard let bytes = stored(.directory), bytes.count >= 8 else { return }
        var reader = BinaryReader(bytes, 8..<bytes.count)
        var found: [Key: UInt64] = [:]
        for _ in reader.list({ reader in
            let key = Key(name: reader.text(), number: reader.number())
            found[key] = reader.fixed()
        }) {}
        var head = BinaryReader(bytes, 0..<8)
        guard reader.isSound, head.fixed() == Self.digest(Array(bytes[8...])) else { return }
        digests = found
    }

    private func directory() -> [UInt8] {
        var rest = BinaryWriter(capacity: digests.count * 24)
        rest.write(list: digests) { writer, entry in
            writer.write(entry.key.name)
            writer.write(entry.key.number)
            writer.write(fixed: entry.value)
        }
        var writer = BinaryWriter(capacity: rest.count + 8)
        writer.write(fixed: Self.digest(rest.bytes))
        writer.write(rest)
        return writer.bytes
    }

    // MARK: Writing

    /// A piece with what it is called.
    typealias Piece = (key: Key, bytes: [UInt8])

    /// Writes pieces over those of their names, all of them or none. Whether it
    /// could.
    func change(_ pieces: [Piece]) -> Bool {
        guard begin() else { return false }
        guard pieces.allSatisfy({ put($0) }) else {
            return giveUp()
        }
        return commit()
    }

    /// Begins a change: pieces that are put until ``commit()`` are written then,
    /// or none is. Whether it could.
    func begin() -> Bool {
        digestsBefore = digests
        return run("BEGIN IMMEDIATE")
    }

    /// Ends a change. Whether all of it is written.
    func commit() -> Bool {
        guard write((.directory, directory())), run("COMMIT") else { return giveUp() }
        return true
    }

    /// Ends a change without it; false.
    private func giveUp() -> Bool {
        digests = digestsBefore
        run("ROLLBACK")
        return false
    }

    /// Writes a piece over that of its name. Whether it could.
    func put(_ piece: Piece) -> Bool {
        digests[piece.key] = Self.digest(piece.bytes)
        return write(piece)
    }

    private func write(_ piece: Piece) -> Bool {
        let statement = writing ?? prepareWriting()
        return piece.key.name.withCString { name in
            piece.bytes.withUnsafeBytes { buffer in
                // Both are valid for as long as the statement runs.
                sqlite3_bind_text(statement, 1, name, -1, nil)
                sqlite3_bind_int64(statement, 2, Int64(piece.key.number))
                // An empty piece is empty bytes, not NULL.
                if buffer.isEmpty {
                    sqlite3_bind_zeroblob(statement, 3, 0)
                } else {
                    sqlite3_bind_blob64(
                        statement, 3, buffer.baseAddress, UInt64(buffer.count), nil)
                }
                let isWritten = sqlite3_step(statement) == SQLITE_DONE
                sqlite3_reset(statement)
                return isWritten
            }
        }
    }

    private func prepareWriting() -> OpaquePointer? {
        let sql =
            "INSERT OR REPLACE INTO piece (name, number, bytes) VALUES (?1, ?2, ?3)"
        sqlite3_prepare_v2(handle, sql, -1, &writing, nil)
        return writing
    }

    private static func digest(_ bytes: [UInt8]) -> UInt64 { Fingerprint(of: bytes).bits }
}
