import Bytes
import Notes
import Publishing

extension BuildOptions {
    /// Works out what was typed: the meaning of the options that say what to
    /// build. The site is in `folder`.
    ///
    /// What the surroundings give (the clock, the current folder, the number of
    /// processors) is put in here: no floor below asks for it.
    init(_ arguments: Arguments, folder: String?) throws(UsageError) {
        self.init(
            folder: FilePath.normalized(Console.absolute(folder ?? ".")),
            now: try Self.moment(arguments.options["now"]))
        output = arguments.options["output"].map { Console.absolute($0) }
        drafts = arguments.has("drafts")
        future = arguments.has("future")
        keepsGoing = arguments.has("keep-going")
        startsClean = arguments.has("clean")
        state = arguments.options["state"].map { Console.absolute($0) } ?? self.folder + "/.daybook"
        program = Console.programFingerprint()
        isStrict = arguments.has("strict")
        environment = Console.environment()
        jobs = Console.processorCount()
        if let text = arguments.options["base-url"] {
            guard let url = SiteSettings.baseURL(text) else {
                throw .invalidValue(
                    text, option: "base-url",
                    expected: "an address such as https://example.org/notes/")
            }
            baseURL = url
        }
        if let text = arguments.options["jobs"] {
            guard let number = Int(text), (1...1024).contains(number) else {
                throw .invalidValue(text, option: "jobs", expected: "a number from 1 on")
            }
            jobs = number
        }
    }

    /// Likewise for a command about one note: the site is where `--site` says,
    /// else the one that the current folder is in.
    init(ofNoteCommand arguments: Arguments) throws(UsageError) {
        try self.init(
            arguments,
            folder: arguments.options["site"] ?? SiteFolder.found(from: Console.currentFolder()))
    }

    /// The moment of the build: `--now`, else `SOURCE_DATE_EPOCH`, else the
    /// clock. A time without an offset is in UTC: the site's zone is not known
    /// yet, and a moment must not depend on it.
    private static func moment(_ text: String?) throws(UsageError) -> Instant {
        if let text {
            guard let date = try? NoteDate(parsing: text) else {
                throw .invalidValue(
                    text, option: "now", expected: "a time such as 2024-12-24T08:00+01:00")
            }
            return date.start(in: .utc)
        }
        if let epoch = Console.variable("SOURCE_DATE_EPOCH") {
            guard let seconds = Int64(epoch), (-(1 << 40)...(1 << 40)).contains(seconds) else {
                throw .invalidVariable(
                    epoch, name: "SOURCE_DATE_EPOCH", expected: "whole seconds since 1970")
            }
            return Instant(seconds: seconds)
        }
        return Instant(milliseconds: Console.clock())
    }
}
