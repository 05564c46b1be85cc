import Bytes

/// What a transport needs to know.
struct SendingContext {
    /// The site folder.
    var site: String
    /// The output folder.
    var output: String
    /// A folder for lists and the like.
    var work: Folder
    /// The variables that tools are given.
    var environment: [String: String]
    /// The moment, for what keeps one.
    var seconds: Int64
    /// Whether nothing is to be changed at the target.
    var isDryRun: Bool

    /// A program of the system; nil where it is not installed.
    func program(_ name: String) -> ExternalProgram? {
        ExternalProgram(name, environment: environment, work: work)
    }
}
