/// What Daybook keeps in an output, or in a folder that it is sent to, for
/// itself. Nothing of a site has these names at the top, in any case.
package enum ReservedOutput: String, CaseIterable {
    /// The list of what was written.
    case manifest = ".daybook-manifest"
    /// Where pages are made, where that cannot be beside the output.
    case staging = ".daybook-staging"
    /// Where files are that are sent, until they are whole.
    case upload = ".daybook-upload"

    /// What it is used for, in words.
    var use: String {
        switch self {
        case .manifest: "list of what it wrote"
        case .staging: "folder for pages that are being made"
        case .upload: "folder for files that are being sent"
        }
    }
}
