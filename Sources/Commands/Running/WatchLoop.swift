import Bytes
import Diagnostics
import Notes
import Preview
import Publishing
import Watching

/// `daybook build --watch` and `daybook serve`: builds, then waits for changes
/// and builds again, until it is told to end.
///
/// One thread does both, so builds never overlap. All that is kept from one
/// build to the next is in here.
struct WatchLoop {
    private let arguments: Arguments
    private let console: Console
    /// What the builds describe, the first of them.
    private let options: BuildOptions
    /// What is written besides the output, and is no source wherever it lies: the
    /// state, the list of what changed, a service's report.
    private let written: [String]
    /// What the builds remember, each for the next.
    private var session: BuildSession
    private let progress: ProgressLine?
    /// Shows the site meanwhile, where it is to be shown.
    private let preview: PreviewServer?
    /// Whether the moment of the builds was given, so that no time goes by.
    private let hasFixedMoment: Bool
    /// The moment of the latest build.
    private var moment: Instant
    /// The places that are watched.
    private var places: SourcePlaces
    /// When the site changes by itself, as the latest build had it.
    private var changesAt: Instant?
    /// The latest build, where another process had the output: what it did not
    /// write is still to be written.
    private var waiting: BuildReport?
    /// What the system said of files that the editor wrote, just before they were
    /// read: an event that tells of nothing newer is not worth a build. No file is
    /// nil.
    private var answered: [String: FileStatus?] = [:]
    /// How often each warning was in the latest build, less their places: one
    /// that stays is not said again at every save.
    private var warnings: [String: Int] = [:]

    /// What made a build necessary.
    enum Cause: Equatable {
        /// It is the first.
        case start
        /// Files may have changed.
        case changed(ChangedPaths)
        /// A note falls due, or expires.
        case clock
        /// The output, which another process had, is free.
        case output
        /// The output is gone.
        case loss
    }

    /// The pause between two looks at an output that another process has.
    private static let outputPause: Int64 = 200

    /// The longest wait for a moment of the clock, which may be set meanwhile.
    private static let longestWait: Int64 = 60_000

    /// A loop of builds as `arguments` ask for them, which `preview` shows. Fails
    /// where there is no such folder.
    init(
        _ arguments: Arguments, _ options: BuildOptions, _ console: Console,
        shownBy preview: PreviewServer? = nil
    ) throws(FileError) {
        self.arguments = arguments
        self.preview = preview
        self.console = console
        var options = options
        progress = ProgressLine(console)
        if let progress { options.progress = { progress.show($0) } }
        session = BuildSession(options)
        self.options = options
        let list = arguments.options["changed"].map { [$0, Console.draft(of: $0)] } ?? []
        written =
            (options.state.map { [$0] } ?? []) + list.map { Console.absolute($0) }
            + Annotations.writtenFiles
        moment = options.now
        hasFixedMoment = arguments.has("now") || Console.variable("SOURCE_DATE_EPOCH") != nil
        places = SourcePlaces(try SiteSource(options), written: written)
    }

    /// Builds and waits until a signal ends it. `begin` is called after the first
    /// build, and says whether to go on.
    mutating func run(
        _ interrupt: Interrupt, then begin: () -> Bool
    ) throws(FileError) -> ExitCode {
        StopSignals.stop(interrupt)
        // Watched before the first look: nothing falls between.
        var watch = Watch(
            WatchedPlaces(places), polls: arguments.has("poll"), interrupt: interrupt,
            clock: Console.monotonicClock)
        var polling = tellPolling(watch.pollingReason, before: nil)
        build(.start, &watch)
        guard begin() else { return .failed }
        console.say("watching for changes; Ctrl-C ends\n")
        while console.failure == nil {
            // What there is time for is done before it is needed.
            let isPreparing = preview?.prepare(session) ?? false
            let outcome = watch.next(within: isPreparing ? 0 : pause)
            polling = tellPolling(watch.pollingReason, before: polling)
            switch outcome {
            case .changed(let paths) where isAnswered(paths): break
            case .changed(let paths):
                answered = [:]
                build(.changed(paths), &watch)
            case .elapsed:
                if let waiting {
                    if waiting.isOutputFree { build(.output, &watch) }
                } else if isDue {
                    build(.clock, &watch)
                }
            case .woken:
                // The editor has written: no need to be told by the system too.
                let paths = preview?.answerEditor(&session) ?? []
                for path in paths { answered[path] = .some(FilePath.status(path)) }
                if !paths.isEmpty { build(.changed(.paths(paths)), &watch) }
                if preview?.takeLoss() == true { build(.loss, &watch) }
            case .stopped:
                session.save()
                return .good
            }
        }
        // Nobody hears any more; what was built is as good as ever.
        session.save()
        return .failed
    }

    // MARK: Waiting

    /// How long to wait for a change, in milliseconds; nil for as long as it
    /// takes.
    private var pause: Int64? {
        if waiting != nil { return Self.outputPause }
        guard !hasFixedMoment, let changesAt else { return nil }
        return min(max(0, changesAt.milliseconds - Console.clock()), Self.longestWait)
    }

    private var isDue: Bool {
        !hasFixedMoment && changesAt.map { $0.milliseconds <= Console.clock() } ?? false
    }

    private func tellPolling(
        _ reason: PollingReason?, before: PollingReason?
    ) -> PollingReason? {
        if reason != before, let message = reason?.message {
            var printer = DiagnosticPrinter(style: Console.style) { _ in nil }
            console.say(printer.print(message))
        }
        return reason
    }

    /// Whether the system tells of nothing but what the editor wrote.
    private func isAnswered(_ paths: ChangedPaths) -> Bool {
        guard case .paths(let paths) = paths else { return false }
        return paths.allSatisfy { path in
            answered[path].map { $0 == FilePath.status(path) } ?? false
        }
    }

    // MARK: Building

    /// Builds, says what came of it, and watches other places where the settings
    /// now say so.
    private mutating func build(_ cause: Cause, _ watch: inout Watch) {
        progress?.start()
        do throws(FileError) {
            let start = Console.monotonicClock()
            let report = try build(after: cause)
            progress?.clear()
            changesAt = report.changesAt
            waiting = report.foundOutputTaken ? report : nil
            let milliseconds = Int(Console.monotonicClock() - start)
            preview?.take(report, of: session, after: cause.changes)
            list(report)
            say(report, cause, milliseconds: milliseconds)
            guard let source = session.source else { return }
            let places = SourcePlaces(source, written: written)
            guard places != self.places else { return }
            self.places = places
            watch.follow(WatchedPlaces(places))
        } catch {
            // The folder is gone for the moment; the watch tells of its return.
            progress?.clear()
            changesAt = nil
            waiting = nil
            console.sayAlways("daybook: \(error.message)\n")
        }
    }

    /// Writes the list of what a build changed, where one is asked for.
    private func list(_ report: BuildReport) {
        guard let file = arguments.options["changed"] else { return }
        do throws(FileError) {
            try Console.replaceFile(at: file, with: ReportText.changes(report))
        } catch {
            console.sayAlways("daybook: \(error.message)\n")
        }
    }

    /// The one call that builds.
    private mutating func build(after cause: Cause) throws(FileError) -> BuildReport {
        if !hasFixedMoment { moment = Instant(milliseconds: Console.clock()) }
        // What the latest one saw and could not write is looked at again.
        let changes = waiting == nil ? cause.changes : .everything
        return try session.build(after: changes, at: moment)
    }

    private mutating func say(_ report: BuildReport, _ cause: Cause, milliseconds: Int) {
        var printer = DiagnosticPrinter(style: Console.style, text: session.text)
        var said: [Diagnostic] = []
        var warnings: [String: Int] = [:]
        for message in report.messages {
            if message.severity == .error {
                console.sayAlways(printer.print(message))
                said.append(message)
                continue
            }
            // Not by its place, which moves with edits above it.
            let name = "\(message.id) \(message.span?.file ?? "") \(message.message)"
            let count = warnings[name, default: 0] + 1
            warnings[name] = count
            guard count > self.warnings[name, default: 0] else { continue }
            console.say(printer.print(message))
            said.append(message)
        }
        self.warnings = warnings
        // A report is of all that is wrong, a line of a log of what is new.
        Annotations.publish(
            Annotations.service == .gitlab ? report.messages : said, site: options.folder,
            mayWrite: true, &printer, console)
        JobSummary.publish(report, console)
        let isVerbose = arguments.has("verbose")
        if arguments.has("json") {
            let json = ReportText.json(
                report, isVerbose: isVerbose, &printer, cause, in: places.site,
                milliseconds: milliseconds)
            console.result(json.line + "\n")
        } else if cause == .start {
            console.say(ReportText.words(report, isVerbose: isVerbose, &printer))
        } else {
            console.say(
                ReportText.line(
                    report, cause, in: places.site, milliseconds: milliseconds))
        }
    }
}

extension WatchLoop.Cause {
    /// What the build has to look at.
    var changes: BuildSession.Changes {
        switch self {
        case .start, .output, .loss, .changed(.everything): .everything
        case .changed(.paths(let paths)): .paths(paths)
        case .clock: .paths([])
        }
    }
}

extension WatchedPlaces {
    /// The places of a site.
    init(_ places: SourcePlaces) {
        self.init(anchor: places.site, folders: places.folders, files: places.files) {
            places.leavesOut($0, isFolder: $1)
        }
        reach = places.reach
    }
}
