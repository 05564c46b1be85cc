package import Bytes
import Notes

/// Sends what was built to a target: what the target does not have, and nothing
/// else.
///
/// What the target has is known by the list that is kept there. A fresh
/// checkout, another machine or a lost state send no more than this one would,
/// and a file there that Daybook did not put there is left alone.
package struct Publisher {
    private let source: SiteSource
    private let target: PublishTarget
    private let sendsAll: Bool
    private let context: SendingContext

    /// A publisher of what `source` was built to.
    ///
    /// `work` is a folder of its own for lists; `environment` is what tools are
    /// given. Where `isDryRun`, nothing is changed at the target.
    package init(
        _ source: SiteSource, to target: PublishTarget, options: BuildOptions, isDryRun: Bool,
        environment: [String: String], work: Folder
    ) {
        self.source = source
        self.target = target
        sendsAll = options.startsClean
        context = SendingContext(
            site: source.path, output: source.output, work: work, environment: environment,
            seconds: options.now.seconds, isDryRun: isDryRun)
    }

    /// What was done.
    package struct Report: Sendable {
        /// Paths of files that were sent, sorted.
        package var sent: [String]
        /// Paths of files that were removed, sorted.
        package var removed: [String]
        /// Paths of files that runs which broke off had sent, and nobody was told
        /// of, sorted.
        package var arrived: [String]

        /// The URLs below `base` that answer otherwise than they did when a run
        /// was last completed, sorted: for whoever keeps copies of them.
        package func addresses(base: String) -> [String] {
            Set(
                (sent + removed + arrived).map { path in
                    let isIndex = NotePath.fileName(of: path) == "index.html"
                    let page = isIndex ? String(path.dropLast("index.html".count)) : path
                    return base + AddressPath.encoded(page)
                }
            ).sorted()
        }
    }

    /// Sends it.
    package func publish() throws(PublishFailure) -> Report {
        // Nobody may build while the files are read.
        let output = try openOutput()
        defer { withExtendedLifetime(output) {} }
        let site = try manifest(in: output)
        var transport = try makeTransport()
        var attempt = 1
        while true {
            do throws(PublishFailure) {
                return try publish(site, in: output, by: &transport)
            } catch {
                guard case .overtaken = error.reason, attempt < transport.attempts else {
                    throw error
                }
                attempt += 1
            }
        }
    }

    private func openOutput() throws(PublishFailure) -> Folder {
        do throws(FileError) {
            let output = try Folder(source.output)
            if output.lock() { return output }
        } catch {
            throw PublishFailure(.file(error), target)
        }
        throw PublishFailure(.busyHere, target)
    }

    private func manifest(in output: Folder) throws(PublishFailure) -> OutputManifest {
        guard output.status(OutputManifest.fileName) != nil else {
            throw PublishFailure(.noManifest, target)
        }
        do throws(FileError) {
            return OutputManifest(reading: try output.read(OutputManifest.fileName))
        } catch {
            throw PublishFailure(.file(error), target)
        }
    }

    private func publish(
        _ site: OutputManifest, in output: Folder, by transport: inout any SendingTransport
    ) throws(PublishFailure) -> Report {
        let there = try transport.open()
        let plan = UploadPlan(from: there, to: site, sendsAll: sendsAll)
        let report = Report(
            sent: plan.sent.sorted { $0.precedes($1) }, removed: plan.gone,
            arrived: there.arrived.map(\.path).sorted { $0.precedes($1) })
        guard !plan.isEmpty || there != site else { return report }
        try refuseForeign(plan, there, transport)
        try refuseChanged(plan, site, in: output)
        if !context.isDryRun { try transport.send(plan, from: there, to: site) }
        return report
    }

    /// What stands at the target where the site's files belong, and is not
    /// Daybook's, is not replaced. Nor is what stands in the place of one of our
    /// own folders: a link there leads to files of somebody else's.
    private func refuseForeign(
        _ plan: UploadPlan, _ there: OutputManifest, _ transport: any SendingTransport
    ) throws(PublishFailure) {
        let owned = Set(there.files.keys.flatMap { NotePath.folders(above: $0) })
        let new = plan.sent.filter { there.files[$0] == nil && !owned.contains($0) }
        let folders = Set((plan.sent + plan.gone).flatMap { NotePath.folders(above: $0) })
        let found =
            try transport.occupied(new, folders: folders.sorted { $0.precedes($1) })
            .filter { there.files[$0] == nil }
            // A file takes a folder's place only where all in it is ours.
            + transport.contents(of: plan.sent.filter { owned.contains($0) })
            .filter { there.files[$0] == nil }
        guard found.isEmpty else { throw PublishFailure(.foreign(found.sorted()), target) }
    }

    /// The target's list says of each file what the build made: what is sent is read
    /// once before, since somebody may have changed it since.
    private func refuseChanged(
        _ plan: UploadPlan, _ site: OutputManifest, in output: Folder
    ) throws(PublishFailure) {
        let changed = plan.sent.filter { path in
            guard let hash = site.files[path] ?? nil else { return false }
            return (try? output.openFile(path).hash()) != hash
        }
        guard changed.isEmpty else { throw PublishFailure(.changed(changed.sorted()), target) }
    }

    private func makeTransport() throws(PublishFailure) -> any SendingTransport {
        switch target.transport {
        case .rsync(let destination):
            if let path = TargetFolder.ofRsync(destination, site: context.site) {
                try refuseOwn(path)
            }
            return try RsyncTransport(target, to: destination, context)
        case .rclone(let remote):
            guard let (prefix, path) = TargetFolder.ofRclone(remote, site: context.site) else {
                return try RcloneTransport(target, to: remote, context)
            }
            try refuseOwn(path)
            return try RcloneTransport(target, to: prefix + path, in: path, context)
        case .git(let remote, let branch):
            return try GitTransport(target, to: remote, branch: branch, context)
        }
    }

    /// What is sent into the site's own folders would be read, or built over,
    /// the next time.
    private func refuseOwn(_ path: String) throws(PublishFailure) {
        for own in [context.site, context.output]
        where FilePath.isInside(path, own) || FilePath.isInside(own, path) {
            throw PublishFailure(.insideSite(own), target)
        }
    }
}
