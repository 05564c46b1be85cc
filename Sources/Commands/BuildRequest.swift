import Notes
import Publishing

extension BuildOptions {
    /// Works out what was typed: the meaning of the options that say what to
    /// build.
    init(_ arguments: Arguments) throws(UsageError) {
        self.init(folder: arguments.argument ?? ".", now: try Self.moment(arguments.options["now"]))
        output = arguments.options["output"]
        drafts = arguments.has("drafts")
        future = arguments.has("future")
        keepsGoing = arguments.has("keep-going")
        startsClean = arguments.has("clean")
        isStrict = arguments.has("strict")
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
        if let epoch = Console.variable("SOURCE_DATE_EPOCH"), !epoch.isEmpty {
            guard let seconds = Int64(epoch), (-(1 << 40)...(1 << 40)).contains(seconds) else {
                throw .invalidValue(
                    epoch, option: "now", expected: "whole seconds in SOURCE_DATE_EPOCH")
            }
            return Instant(seconds: seconds)
        }
        return Instant(milliseconds: Console.clock())
    }
}
