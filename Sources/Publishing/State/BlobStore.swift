// The wall around SQLite: no other file imports it.
import Bytes
import CSQLite

/// Numbered pieces of bytes under names, kept in one file and changed all at
/// once: what the saved state is made of.
///
/// A cache, never a record: whatever is wrong with the file (torn, foreign,
/// locked, of another program) reads as absence. Belongs to one thread at a
/// time; no pointer leaves it.
final class BlobStore {
    private let handle: OpaquePointer
    private let path: String
    /// The statement that writes a piece, once there was one to write.
    private var writing: OpaquePointer?

    /// What a piece is called.
    struct Key: Hashable {
        var name: String
        var number = 0
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
                    + "digest INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (name, number)) "
                    + "WITHOUT ROWID")
        if !isMade {
            sqlite3_close_v2(handle)
            return nil
        }
    }

    deinit {
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

    /// The bytes of a piece; nil where there is none, or it is not what was
    /// written.
    func bytes(_ key: Key) -> [UInt8]? {
        var statement: OpaquePointer?
        let sql = "SELECT digest, bytes FROM piece WHERE name = ?1 AND number = ?2"
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
        defer { sqlite3_finalize(statement) }
        let found = key.name.withCString { name -> [UInt8]? in
            // The text is valid for as long as the statement runs.
            sqlite3_bind_text(statement, 1, name, -1, nil)
            sqlite3_bind_int64(statement, 2, Int64(key.number))
            guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
            let count = Int(sqlite3_column_bytes(statement, 1))
            let start = sqlite3_column_blob(statement, 1)
            let bytes = [UInt8](
                UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
            let digest = UInt64(bitPattern: sqlite3_column_int64(statement, 0))
            return Self.digest(bytes) == digest ? bytes : nil
        }
        return found
    }

    /// The bytes of all pieces of a name, by their numbers, which go up from 0;
    /// nil where one is not what was written.
    func allBytes(_ name: String) -> [[UInt8]]? {
        var statement: OpaquePointer?
        let sql = "SELECT number, digest, bytes FROM piece WHERE name = ?1 ORDER BY number"
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
        defer { sqlite3_finalize(statement) }
        return name.withCString { name -> [[UInt8]]? in
            // The text is valid for as long as the statement runs.
            sqlite3_bind_text(statement, 1, name, -1, nil)
            var pieces: [[UInt8]] = []
            while true {
                switch sqlite3_step(statement) {
                case SQLITE_DONE: return pieces
                case SQLITE_ROW:
                    let count = Int(sqlite3_column_bytes(statement, 2))
                    let start = sqlite3_column_blob(statement, 2)
                    let bytes = [UInt8](
                        UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
                    let digest = UInt64(bitPattern: sqlite3_column_int64(statement, 1))
                    guard sqlite3_column_int64(statement, 0) == Int64(pieces.count),
                        Self.digest(bytes) == digest
                    else { return nil }
                    pieces.append(bytes)
                default: return nil
                }
            }
        }
    }

    /// A piece with what it is called.
    typealias Piece = (key: Key, bytes: [UInt8])

    /// Writes pieces over those of their names, all of them or none. Whether it
    /// could.
    func change(_ pieces: [Piece]) -> Bool {
        guard begin() else { return false }
        guard pieces.allSatisfy({ put($0) }) else {
            run("ROLLBACK")
            return false
        }
        return commit()
    }

    /// Begins a change: pieces that are put until ``commit()`` are written then,
    /// or none is. Whether it could.
    func begin() -> Bool { run("BEGIN IMMEDIATE") }

    /// Ends a change. Whether all of it is written.
    func commit() -> Bool { run("COMMIT") }

    /// Writes a piece over that of its name. Whether it could.
    func put(_ piece: Piece) -> Bool {
        let statement = writing ?? prepareWriting()
        return piece.key.name.withCString { name in
            piece.bytes.withUnsafeBytes { buffer in
                // Both are valid for as long as the statement runs.
                sqlite3_bind_text(statement, 1, name, -1, nil)
                sqlite3_bind_int64(statement, 2, Int64(piece.key.number))
                sqlite3_bind_int64(statement, 3, Int64(bitPattern: Self.digest(piece.bytes)))
                // An empty piece is empty bytes, not NULL.
                if buffer.isEmpty {
                    sqlite3_bind_zeroblob(statement, 4, 0)
                } else {
                    sqlite3_bind_blob64(
                        statement, 4, buffer.baseAddress, UInt64(buffer.count), nil)
                }
                let isWritten = sqlite3_step(statement) == SQLITE_DONE
                sqlite3_reset(statement)
                return isWritten
            }
        }
    }

    private func prepareWriting() -> OpaquePointer? {
        let sql =
            "INSERT OR REPLACE INTO piece (name, number, digest, bytes) VALUES (?1, ?2, ?3, ?4)"
        sqlite3_prepare_v2(handle, sql, -1, &writing, nil)
        return writing
    }

    private static func digest(_ bytes: [UInt8]) -> UInt64 { Fingerprint(of: bytes).bits }
}
