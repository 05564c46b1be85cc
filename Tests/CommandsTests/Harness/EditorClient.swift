import Foundation
import Testing

/// Speaks to a served site's editor as its page does.
final class EditorClient {
    let served: ServedSite
    let token: String

    init(_ served: ServedSite) throws {
        self.served = served
        let page = try HTTPConnection(served.editor).ask("GET", "/")
        #expect(page.status == 200)
        token = try #require(
            page.text.pieces(between: "name=\"daybook-token\" content=\"", and: "\"").first)
        #expect(token.count == 32)
    }

    struct Answer {
        var status: Int
        var text: String
        var json: [String: Any]

        subscript(key: String) -> String { json[key] as? String ?? "" }
    }

    private func answer(_ response: HTTPConnection.Response) -> Answer {
        let json = try? JSONSerialization.jsonObject(with: response.body) as? [String: Any]
        return Answer(status: response.status, text: response.text, json: json ?? [:])
    }

    func get(_ path: String) throws -> Answer {
        answer(
            try HTTPConnection(served.editor).ask(
                "GET", "/api/" + path, headers: ["Daybook-Token": token]))
    }

    func post(_ path: String, _ body: [String: Any?]) throws -> Answer {
        let object = body.mapValues { $0 ?? NSNull() }
        let data = try JSONSerialization.data(withJSONObject: object)
        return try post(path, data)
    }

    /// Posts an object with pictures behind it, as the page does.
    func post(_ path: String, _ body: [String: Any?], pictures: [(name: String, data: Data)]) throws
        -> Answer
    {
        var object = body.mapValues { $0 ?? NSNull() }
        object["pictures"] = pictures.map { ["name": $0.name, "size": $0.data.count] }
        let json = try JSONSerialization.data(withJSONObject: object)
        return try post(
            "\(path)?json=\(json.count)", pictures.reduce(json) { $0 + $1.data })
    }

    func post(_ path: String, _ data: Data) throws -> Answer {
        answer(
            try HTTPConnection(served.editor).ask(
                "POST", "/api/" + path, headers: ["Daybook-Token": token], body: data))
    }

    /// The titles of the list, by path.
    func list() throws -> [String: [String: Any]] {
        let rows = try get("notes").json["notes"] as? [[String: Any]] ?? []
        return Dictionary(rows.map { ($0["path"] as? String ?? "", $0) }) { $1 }
    }

    /// What a note is saved with: what was opened of it, and changes.
    func asking(_ opened: Answer, _ changes: [String: Any?]) -> [String: Any?] {
        [
            "path": opened["path"], "revision": opened["revision"], "opened": opened["source"],
        ].merging(changes) { $1 }
    }

    /// Opens a note and saves changes of it.
    func save(_ path: String, _ changes: [String: Any?]) throws -> Answer {
        let note = try get("note?path=\(path)")
        return try post(
            "save", ["path": path, "revision": note["revision"]].merging(changes) { $1 })
    }
}
