import Bytes

/// A way to a target.
protocol SendingTransport {
    /// The target's list of what Daybook put there, which is empty where there
    /// is none yet. Takes the target first where that can be taken.
    mutating func open() throws(PublishFailure) -> OutputManifest

    /// Of some paths those where anything stands, and of `folders` those where
    /// something else does, such as a file or a link.
    func occupied(
        _ paths: [String], folders: [String]
    ) throws(PublishFailure) -> [String]

    /// What stands in some folders of the target that is no folder, at any depth.
    func contents(of folders: [String]) throws(PublishFailure) -> [String]

    /// Brings the target from `old` to `new`.
    func send(_ plan: UploadPlan, from old: OutputManifest, to new: OutputManifest)
        throws(PublishFailure)

    /// How often it is tried while somebody else comes in between.
    var attempts: Int { get }
}

/// A target that files are put into one by one.
protocol FileTransport: SendingTransport {
    /// Where it sends to.
    var target: PublishTarget { get }
    /// A folder of its own for lists and the like.
    var work: Folder { get }
    /// Puts files of the output there, in any order.
    func copy(_ paths: [String]) throws(PublishFailure)
    /// Removes files; those that are not there are none.
    func remove(_ paths: [String]) throws(PublishFailure)
    /// Removes those of some folders, deepest first, that are empty.
    func removeEmptyFolders(_ folders: [String]) throws(PublishFailure)
    /// Replaces the target's list, and clears away what an upload leaves behind.
    func put(_ list: [UInt8], isLast: Bool) throws(PublishFailure)
    /// The target's list as it is now; nil where it is held and needs no look.
    func currentList() throws(PublishFailure) -> OutputManifest?
    /// Files after which the list is put again, so that an upload that breaks
    /// off goes on there; nil where what has arrived is known without.
    var batchSize: Int? { get }
    /// What is said where somebody else came in between.
    var overtaken: PublishFailure { get }
}

extension FileTransport {
    var attempts: Int { 1 }

    /// Does work with files of the folder for lists; what the system refuses
    /// there is a failure to publish.
    func inWork<Value>(
        _ work: (Folder) throws(FileError) -> Value
    ) throws(PublishFailure) -> Value {
        do throws(FileError) {
            return try work(self.work)
        } catch {
            throw PublishFailure(.file(error), target)
        }
    }

    /// Sends in the order that keeps every page whole. The list names old and
    /// new files before the first is sent, so that whoever comes after a kill
    /// knows both for Daybook's.
    func send(
        _ plan: UploadPlan, from old: OutputManifest, to new: OutputManifest
    ) throws(PublishFailure) {
        // Somebody may have been here since the plan was made.
        if let now = try currentList(), now != old { throw overtaken }
        var list = new
        // Two uploads of the same must not take each other's list for their own.
        list.mark = String(UInt64.random(in: .min ... .max), radix: 36)
        list.arrived = old.arrived
        for (path, hash) in old.files where new.files[path] == nil { list.files[path] = hash }
        // What is being sent is neither the old nor the new until it is there.
        for path in plan.sent { list.files[path] = .some(nil) }
        try put(list.bytes, isLast: false)
        try remove(plan.early)
        try removeEmptyFolders(plan.foldersMakingRoom)
        for group in [plan.assets, plan.newPages, plan.changedPages, plan.announcements] {
            var rest = group[...]
            while !rest.isEmpty {
                let batch = Array(rest.prefix(batchSize ?? rest.count))
                rest = rest.dropFirst(batch.count)
                try copy(batch)
                guard batchSize != nil, !rest.isEmpty else { continue }
                for path in batch {
                    list.files[path] = new.files[path]
                    list.arrived.insert(ExactPath(path))
                }
                try put(list.bytes, isLast: false)
            }
        }
        try remove(plan.removed)
        let room = Set(plan.foldersMakingRoom)
        try removeEmptyFolders(plan.emptied.filter { !room.contains($0) })
        if let now = try currentList(), now != list { try giveUp(plan, finding: now) }
        try put(new.bytes, isLast: true)
        if let now = try currentList(), now != new { try giveUp(plan, finding: now) }
    }

    /// Says in the target's list that nobody can tell whose files came last, where
    /// both have sent, so that the next upload sends them again.
    ///
    /// The other one may be about to put its own list: it is looked at until that
    /// says so.
    private func giveUp(_ plan: UploadPlan, finding found: OutputManifest) throws(PublishFailure) {
        var found = found
        for _ in 0..<3 {
            var both = found
            for path in plan.sent { both.files[path] = .some(nil) }
            try put(both.bytes, isLast: false)
            guard let now = try currentList(), now != both else { break }
            found = now
        }
        throw overtaken
    }
}
