/// A request as it came in; nothing in it is to be believed.
package struct HTTPRequest: Sendable {
    /// `GET`, in the letters that were sent.
    package var method: String
    /// What was asked for, as sent: percent-encoded, with its query.
    package var target: [UInt8]
    /// The headers in their order, names in lower case.
    package var headers: [(name: String, value: String)]
    /// The body; empty until all of it is there.
    package var body: [UInt8] = []

    /// A request.
    package init(
        _ method: String, _ target: String, headers: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) {
        self.method = method
        self.target = Array(target.utf8)
        self.headers = headers
        self.body = body
    }

    /// The value of the first header of a name (in lower case).
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// How many bytes of body are announced; nil where that is not said.
    var announcedLength: Int? {
        guard let text = header("content-length") else { return hasBody ? nil : 0 }
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        // More digits than a number can hold are too many bytes as well.
        return Int(text) ?? .max
    }

    private var hasBody: Bool { header("transfer-encoding") != nil }
}
