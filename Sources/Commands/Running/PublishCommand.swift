import Bytes
import Diagnostics
import Publishing

/// `daybook publish`.
enum PublishCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitCode {
        var options = try BuildOptions(ofNoteCommand: arguments)
        // Errors stop it whatever was typed.
        options.keepsGoing = false
        let progress = ProgressLine(console)
        if let progress { options.progress = { progress.show($0) } }
        var builder: Builder
        do throws(FileError) {
            builder = try Builder(options)
        } catch {
            console.sayFault(error.message)
            return .failed
        }
        let target = try target(arguments, builder.source)
        let base = try purgeBase(arguments, builder.source.settings)
        let isDryRun = arguments.has("dry-run")
        var list: ReportFile?
        if let path = arguments.options["purge-list"], !isDryRun {
            do throws(FileError) {
                list = try ReportFile(at: path)
            } catch {
                console.sayFault("nothing was sent: \(error.message)")
                return .failed
            }
        }
        let report = builder.build()
        progress?.clear()
        var printer = DiagnosticPrinter(style: Console.style, text: builder.text)
        var sent: Publisher.Report?
        var messages = report.messages
        if !report.hasFailed {
            do throws(PublishFailure) {
                guard let target else { throw PublishFailure.noTargets }
                sent = try send(builder.source, to: target, options, arguments)
            } catch {
                messages.append(error.message)
            }
        }
        BuildCommand.say(messages, options, &printer, console)
        var code: ExitCode = sent == nil ? .failed : .good
        if let sent, let base, let list {
            do throws(FileError) {
                try list.write(sent.addresses(base: base).map { $0 + "\n" }.joined())
            } catch {
                console.sayFault(
                    "the site was sent, and its list for a CDN is lost: \(error.message); "
                        + "`daybook publish --clean --purge-list` sends and lists every file")
                code = .failed
            }
        }
        let isVerbose = arguments.has("verbose")
        var shown = report
        shown.messages = messages
        JobSummary.publish(shown, sent: sent, to: target, console)
        if arguments.has("json") {
            let json = PublishText.json(
                sent, target, ReportText.json(shown, isVerbose: isVerbose, &printer),
                isVerbose: isVerbose)
            console.result(json.line + "\n")
        } else {
            // What is sent is the whole site: going on is a build's.
            var said = report
            said.couldGoOn = false
            console.say(ReportText.words(said, isVerbose: isVerbose, &printer))
            if let target {
                console.say(
                    PublishText.words(
                        sent, target, isDryRun: isDryRun, isVerbose: isVerbose))
            }
        }
        if base != nil, isDryRun {
            console.say("no list for a CDN was written: nothing was sent\n")
        }
        return code
    }

    private static func send(
        _ source: SiteSource, to target: PublishTarget, _ options: BuildOptions,
        _ arguments: Arguments
    ) throws(PublishFailure) -> Publisher.Report {
        let work: Folder
        do throws(FileError) {
            work = try Console.makeTemporaryFolder()
        } catch {
            throw PublishFailure(error, target)
        }
        defer { Console.removeTemporaryFolder(work) }
        let publisher = Publisher(
            source, to: target, options: options, isDryRun: arguments.has("dry-run"),
            environment: Console.environment(), work: work)
        return try publisher.publish()
    }

    /// The target that was typed, else the only one; nil where the settings have
    /// none.
    private static func target(
        _ arguments: Arguments, _ source: SiteSource
    ) throws(UsageError) -> PublishTarget? {
        let targets = source.settings.targets
        let names = targets.map { "`\($0.name)`" }.joined(separator: ", ")
        guard let name = arguments.argument else {
            guard targets.count < 2 else {
                throw .missingArgument("one of the targets: \(names)", command: "publish")
            }
            return targets.first
        }
        guard let target = targets.first(where: { $0.name == name }) else {
            guard !targets.isEmpty else { return nil }
            let closest = closestName(to: name, among: targets.map(\.name))
            throw .invalidArgument(
                name, command: "publish",
                expected: targets.count == 1 ? "the target \(names)" : "one of \(names)",
                closest: closest)
        }
        return target
    }

    /// What the URLs of the list for a CDN begin with; nil where none is asked for.
    private static func purgeBase(
        _ arguments: Arguments, _ settings: SiteSettings
    ) throws(UsageError) -> String? {
        guard arguments.has("purge-list") else { return nil }
        guard let base = settings.baseURL else { throw .needsBaseURL(option: "purge-list") }
        return base
    }
}
