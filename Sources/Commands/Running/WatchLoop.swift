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
    /// The folder of the saved state.
    private let state: String?
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
    /// The warnings of the latest build, less their places: one that stays is
    /// not said again at every save.
    private var warnings: Set<String> = []

    /// What made a build necessary.
    enum Cause: Equatable {
        /// It is the first.
        case start
        /// Files may have changed.
        case changed(ChangedPaths)
        /// A note falls due, or expires.
        case clock
    }

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
        state = options.state
        moment = options.now
        hasFixedMoment = arguments.has("now") || Console.variable("SOURCE_DATE_EPOCH") != nil
        places = SourcePlaces(try SiteSource(options), state: options.state)
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
            // What there is time for is brought into memory before it is needed.
            let isIdle = preview != nil && session.load(256)
            let outcome = watch.next(within: isIdle ? 0 : pause)
            polling = tellPolling(watch.pollingReason, before: polling)
            switch outcome {
            case .changed(let paths): build(.changed(paths), &watch)
            case .elapsed: if isDue { build(.clock, &watch) }
            case .woken:
                // The editor has written: no need to be told by the system too.
                let paths = preview?.answerEditor(&session) ?? []
                if !paths.isEmpty { build(.changed(.paths(paths)), &watch) }
            case .stopped:
                session.save()
                return .good
            }
        }
        return .failed
    }

    // MARK: Waiting

    /// How long to wait for a change, in milliseconds; nil for as long as it
    /// takes.
    private var pause: Int64? {
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
            preview?.take(report, of: session, after: cause.changes)
            say(report, cause, milliseconds: Int(Console.monotonicClock() - start))
            guard let source = session.source else { return }
            let places = SourcePlaces(source, state: state)
            guard places != self.places else { return }
            self.places = places
            watch.follow(WatchedPlaces(places))
        } catch {
            // The folder is gone for the moment; the watch tells of its return.
            progress?.clear()
            changesAt = nil
            console.sayAlways("daybook: \(error.message)\n")
        }
    }

    /// The one call that builds.
    private mutating func build(after cause: Cause) throws(FileError) -> BuildReport {
        if !hasFixedMoment { moment = Instant(milliseconds: Console.clock()) }
        return try session.build(after: cause.changes, at: moment)
    }

    private mutating func say(_ report: BuildReport, _ cause: Cause, milliseconds: Int) {
        var printer = DiagnosticPrinter(style: Console.style, text: session.text)
        var warnings: Set<String> = []
        for message in report.messages {
            if message.severity == .error {
                console.sayAlways(printer.print(message))
                continue
            }
            // Not by its place, which moves with edits above it.
            let name = "\(message.id) \(message.span?.file ?? "") \(message.message)"
            if warnings.insert(name).inserted, !self.warnings.contains(name) {
                console.say(printer.print(message))
            }
        }
        self.warnings = warnings
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
        case .start, .changed(.everything): .everything
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
