import Notes
import Synchronization

extension Site {
    /// The notes of a list, in its order.
    ///
    /// Lists that pages are planned from are at hand; queries of templates are
    /// answered once and remembered.
    func ids(of list: NoteList) -> [NoteID] {
        switch list {
        case .listed: listed.ids
        case .published: published
        case .year(let name): years.first { $0.name == name }?.ids ?? []
        case .tag(let key): tagIndexes[key].map { tags[$0].ids } ?? []
        case .folder(let path): folderIndexes[path].map { folders[$0].ids } ?? []
        case .slice(let base, let range):
            Array(ids(of: base)[range.clamped(to: 0..<ids(of: base).count)])
        case .query, .section: results(of: list).ids
        }
    }

    /// The answer to a list as sections; lists without any are one section.
    func results(of list: NoteList) -> QueryResults {
        if let known = answers.withLock({ $0[list] }) { return known }
        let results: QueryResults
        switch list {
        case .query(let query, let base):
            results = query.results(among: ids(of: base), in: store, zone: settings.zone)
        case .section(let base, let key):
            results = QueryResults(
                sections: self.results(of: base).section(key).map { [$0] } ?? [])
        default:
            let ids = ids(of: list)
            results = QueryResults(sections: ids.isEmpty ? [] : [.init(key: "", ids: ids)])
        }
        // Two workers may both have worked it out: the answers are equal.
        answers.withLock { $0[list] = results }
        return results
    }
}
