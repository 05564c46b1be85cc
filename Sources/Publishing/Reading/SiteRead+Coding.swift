import Bytes
import Notes

/// Reads as bytes: how a page's record and the saved state hold them.
extension SiteRead {
    /// Writes the question.
    func write(to writer: inout BinaryWriter) {
        writer.write(byte: code)
        switch self {
        case .field(let field, let id):
            writer.write(byte: field.rawValue)
            writer.write(id.rawValue)
        case .extra(let name, let id), .part(let name, let id):
            writer.write(id.rawValue)
            writer.write(name)
        case .address(let id), .image(let id), .neighbours(let id), .backlinks(let id):
            writer.write(id.rawValue)
        case .link(let id, let index), .sentence(let id, let index):
            writer.write(id.rawValue)
            writer.write(index)
        case .count(let list), .sections(let list): list.write(to: &writer)
        case .slice(let list, let range):
            list.write(to: &writer)
            writer.write(range)
        case .tag(let text), .tagChildren(let text), .folderChildren(let text),
            .folderCount(let text), .folder(let text), .extraSetting(let text),
            .collection(let text), .output(let text), .template(let text):
            writer.write(text)
        case .yearBeside(let name, let offset):
            writer.write(name)
            writer.write(offset)
        case .setting(let setting): writer.write(byte: setting.rawValue)
        case .tags, .datedCount, .folderIndex, .years, .pageCount, .collections: break
        }
    }

    /// A number that no other question shares but by an accident of 1 in 2^56,
    /// as of any two fingerprints. Never 0.
    var number: UInt64 {
        let head = UInt64(code + 1) << 56
        func tail(_ id: NoteID, _ rest: Int = 0) -> UInt64 {
            head | UInt64(truncatingIfNeeded: id.rawValue) << 24
                | UInt64(truncatingIfNeeded: rest) & 0xFF_FFFF
        }
        func tail(_ fingerprint: Fingerprint) -> UInt64 { head | fingerprint.bits >> 8 }
        switch self {
        case .field(let field, let id): return tail(id, Int(field.rawValue))
        case .link(let id, let index), .sentence(let id, let index): return tail(id, index)
        case .address(let id), .image(let id), .neighbours(let id), .backlinks(let id):
            return tail(id)
        case .tag(let text), .tagChildren(let text), .folderChildren(let text),
            .folderCount(let text), .folder(let text), .extraSetting(let text),
            .collection(let text), .output(let text), .template(let text):
            return tail(Fingerprint(of: text))
        case .setting(let setting): return head | UInt64(setting.rawValue)
        case .tags, .datedCount, .folderIndex, .years, .pageCount, .collections: return head
        case .extra, .part, .count, .slice, .sections, .yearBeside:
            var writer = BinaryWriter(capacity: 128)
            write(to: &writer)
            return tail(writer.withBytes { Fingerprint(of: UnsafeRawBufferPointer($0)) })
        }
    }

    /// The number of the case: what stands for it in bytes.
    private var code: UInt8 {
        switch self {
        case .field: 0
        case .extra: 1
        case .part: 2
        case .address: 3
        case .link: 4
        case .sentence: 5
        case .image: 6
        case .neighbours: 7
        case .backlinks: 8
        case .count: 9
        case .slice: 10
        case .sections: 11
        case .tag: 12
        case .tagChildren: 13
        case .tags: 14
        case .yearBeside: 15
        case .datedCount: 16
        case .years: 17
        case .folderChildren: 18
        case .folderCount: 19
        case .folder: 20
        case .setting: 21
        case .extraSetting: 22
        case .collection: 23
        case .output: 24
        case .pageCount: 25
        case .template: 26
        case .collections: 27
        case .folderIndex: 28
        }
    }

    /// Reads a question; nil for what no version of this program wrote.
    init?(from reader: inout BinaryReader) {
        func id() -> NoteID { NoteID(rawValue: reader.number()) }
        func noteAndText() -> (NoteID, String) { (id(), reader.text()) }
        func noteAndNumber() -> (NoteID, Int) { (id(), reader.number()) }
        switch reader.byte() {
        case 0:
            guard let field = NoteField(rawValue: reader.byte()) else { return nil }
            self = .field(field, id())
        case 1:
            let (id, name) = noteAndText()
            self = .extra(name, id)
        case 2:
            let (id, name) = noteAndText()
            self = .part(name, id)
        case 3: self = .address(id())
        case 4:
            let (id, index) = noteAndNumber()
            self = .link(id, index)
        case 5:
            let (id, index) = noteAndNumber()
            self = .sentence(id, index)
        case 6: self = .image(id())
        case 7: self = .neighbours(id())
        case 8: self = .backlinks(id())
        case 9:
            guard let list = NoteList(from: &reader) else { return nil }
            self = .count(list)
        case 10:
            guard let list = NoteList(from: &reader) else { return nil }
            self = .slice(list, reader.range())
        case 11:
            guard let list = NoteList(from: &reader) else { return nil }
            self = .sections(list)
        case 12: self = .tag(reader.text())
        case 13: self = .tagChildren(reader.text())
        case 14: self = .tags
        case 15: self = .yearBeside(reader.text(), reader.number())
        case 16: self = .datedCount
        case 17: self = .years
        case 18: self = .folderChildren(reader.text())
        case 19: self = .folderCount(reader.text())
        case 20: self = .folder(reader.text())
        case 21:
            guard let setting = Setting(rawValue: reader.byte()) else { return nil }
            self = .setting(setting)
        case 22: self = .extraSetting(reader.text())
        case 23: self = .collection(reader.text())
        case 24: self = .output(reader.text())
        case 25: self = .pageCount
        case 26: self = .template(reader.text())
        case 27: self = .collections
        case 28: self = .folderIndex
        default: return nil
        }
        guard reader.isSound else { return nil }
    }

    /// The query that the answer is worked out by.
    var list: NoteList? {
        switch self {
        case .count(let list), .slice(let list, _), .sections(let list): list
        default: nil
        }
    }
}

extension NoteList {
    /// Writes the list's definition.
    func write(to writer: inout BinaryWriter) {
        switch self {
        case .listed: writer.write(byte: 0)
        case .published: writer.write(byte: 1)
        case .year(let name):
            writer.write(byte: 2)
            writer.write(name)
        case .tag(let key):
            writer.write(byte: 3)
            writer.write(key)
        case .folder(let path):
            writer.write(byte: 4)
            writer.write(path)
        case .slice(let base, let range):
            writer.write(byte: 5)
            base.write(to: &writer)
            writer.write(range)
        case .query(let query, let base):
            writer.write(byte: 6)
            query.write(to: &writer)
            base.write(to: &writer)
        case .section(let base, let key):
            writer.write(byte: 7)
            base.write(to: &writer)
            writer.write(key)
        }
    }

    /// Reads a list's definition.
    init?(from reader: inout BinaryReader) {
        func base() -> NoteList? { NoteList(from: &reader) }
        switch reader.byte() {
        case 0: self = .listed
        case 1: self = .published
        case 2: self = .year(reader.text())
        case 3: self = .tag(reader.text())
        case 4: self = .folder(reader.text())
        case 5:
            guard let base = base() else { return nil }
            self = .slice(base, reader.range())
        case 6:
            guard let query = NoteQuery(from: &reader), let base = base() else { return nil }
            self = .query(query, of: base)
        case 7:
            guard let base = base() else { return nil }
            self = .section(base, key: reader.text())
        default: return nil
        }
        guard reader.isSound else { return nil }
    }

    /// The keys by which notes are compared to make the list: an edit of such a
    /// field may change it.
    var comparedKeys: [NoteQuery.Key] {
        switch self {
        case .slice(let base, _), .section(let base, _): base.comparedKeys
        case .query(let query, let base): query.comparedKeys + base.comparedKeys
        case .listed, .published, .year, .tag, .folder: []
        }
    }
}

extension NoteQuery {
    /// The keys by which it compares notes.
    var comparedKeys: [Key] {
        conditions.map(\.key) + sort.map(\.key)
            + [grouping].compactMap { grouping in
                if case .key(let key)? = grouping { key } else { nil }
            }
    }

    fileprivate func write(to writer: inout BinaryWriter) {
        writer.write(list: conditions) { writer, condition in
            condition.key.write(to: &writer)
            writer.write(condition.relation.rawValue)
            writer.write(condition.value)
        }
        writer.write(list: sort) { writer, key in
            key.key.write(to: &writer)
            writer.write(key.isDescending)
        }
        switch grouping {
        case nil: writer.write(byte: 0)
        case .year?: writer.write(byte: 1)
        case .month?: writer.write(byte: 2)
        case .tag?: writer.write(byte: 3)
        case .folder?: writer.write(byte: 4)
        case .key(let key)?:
            writer.write(byte: 5)
            key.write(to: &writer)
        }
        writer.write(optional: limit) { $0.write($1) }
    }

    fileprivate init?(from reader: inout BinaryReader) {
        var isKnown = true
        let conditions = reader.list { reader -> Condition in
            let key = Key(from: &reader)
            let relation = Condition.Relation(rawValue: reader.text())
            if relation == nil { isKnown = false }
            return Condition(key, relation ?? .equal, reader.text())
        }
        let sort = reader.list { SortKey(Key(from: &$0), descending: $0.flag()) }
        let grouping: Grouping?
        switch reader.byte() {
        case 0: grouping = nil
        case 1: grouping = .year
        case 2: grouping = .month
        case 3: grouping = .tag
        case 4: grouping = .folder
        case 5: grouping = .key(Key(from: &reader))
        default: return nil
        }
        self.init(conditions, sort: sort, by: grouping, limit: reader.optional { $0.number() })
        guard isKnown, reader.isSound else { return nil }
    }
}

extension NoteQuery.Key {
    // By name: what is no field's name is an extra key, which a name that is a
    // field's is marked as.
    fileprivate func write(to writer: inout BinaryWriter) {
        switch self {
        case .extra(let name): writer.write("extra." + name)
        default: writer.write("\(self)")
        }
    }

    fileprivate init(from reader: inout BinaryReader) {
        self.init(reader.text())
    }
}

extension BinaryWriter {
    fileprivate mutating func write(_ range: Range<Int>) {
        write(range.lowerBound)
        write(range.upperBound)
    }
}

extension BinaryReader {
    fileprivate mutating func range() -> Range<Int> {
        let (start, end) = (number(), number())
        return start..<max(start, end)
    }
}
