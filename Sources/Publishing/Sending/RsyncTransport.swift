import Bytes
import Notes

/// Sends by rsync, to a folder here or on another machine.
///
/// Every list is given by NUL. Files are compared by their bytes at both ends,
/// so that what has arrived is not sent again, and land under a name of their
/// own in `.daybook-upload` until they are whole.
struct RsyncTransport: FileTransport {
    let target: PublishTarget
    private let program: ExternalProgram
    private let shell: ExternalProgram?
    private let shellOptions: [String]
    let work: Folder
    private let source: String
    /// The place, ending in `/`, as rsync takes it.
    private let place: String
    private let isRemote: Bool
    private let isDryRun: Bool
    private var lock: HeldLock?
    /// Whether there is a folder at the place.
    private var isThere = true

    let batchSize: Int? = nil

    /// Where files are until they are whole.
    private static let uploadFolder = ReservedOutput.upload.rawValue

    init(
        _ target: PublishTarget, to destination: String, _ context: SendingContext
    ) throws(PublishFailure) {
        self.target = target
        isDryRun = context.isDryRun
        work = context.work
        source = context.output + "/"
        guard let rsync = context.program("rsync") else {
            throw PublishFailure(.missingTool("rsync", package: "rsync"), target)
        }
        program = rsync
        isRemote = RsyncPlace.host(of: destination) != nil
        let words = Self.words(context.environment["RSYNC_RSH"] ?? "ssh")
        shell =
            isRemote && !RsyncPlace.isDaemon(destination)
            ? context.program(words.first ?? "ssh") : nil
        shellOptions = Array(words.dropFirst())
        if isRemote {
            if shell == nil, !RsyncPlace.isDaemon(destination) {
                throw PublishFailure(
                    .missingTool(words.first ?? "ssh", package: "openssh-client"), target)
            }
            place =
                destination.hasSuffix("/") || destination.hasSuffix(":")
                ? destination : destination + "/"
        } else {
            let path = TargetFolder.ofRsync(destination, site: context.site) ?? destination
            place = path == "/" ? path : path + "/"
        }
    }

    /// The words of a command as rsync takes it: parted at blanks, quotes kept
    /// together.
    private static func words(_ command: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in command {
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == " " {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    // MARK: Opening

    mutating func open() throws(PublishFailure) -> OutputManifest {
        if !isDryRun { try take() }
        try inWork { (work) throws(FileError) in
            try? work.removeTree("fetched")
            try work.makeFolder("fetched")
        }
        let found = try fetch()
        isThere = found.isThere
        return found.list
    }

    private mutating func take() throws(PublishFailure) {
        if isRemote {
            guard let shell else { return }
            let held = try inWork { (_) throws(FileError) in
                try shell.hold(
                    shellOptions + [RsyncPlace.login(of: place), Self.lockScript],
                    input: remoteFolder + "\n")
            }
            if held.answer == "busy" { throw PublishFailure(.busy, target) }
            // A machine that lets no command run, or has no flock, cannot be
            // held; what is wrong with it otherwise rsync says better.
            if held.answer == "held" { lock = held.lock }
        } else {
            let path = place
            _ = try inWork { (_) throws(FileError) in try FilePath.makeFolders(path) }
            guard let held = try inWork({ (_) throws(FileError) in try HeldLock(folder: path) })
            else { throw PublishFailure(.busy, target) }
            lock = held
        }
    }

    private var remoteFolder: String {
        String(place.dropFirst((RsyncPlace.host(of: place) ?? "").count + 1))
    }

    /// Makes the folder that it reads the name of, and holds it until its input
    /// ends. Nothing of a site's is part of this text.
    private static let lockScript = """
        exec sh -c 'IFS= read -r folder; case $folder in "~/"*) folder=$HOME/${folder#??};; esac; \
        mkdir -p -- "${folder:=.}" && cd -- "$folder" && exec 9<. && if command -v flock >/dev/null; \
        then if flock -n 9; then echo held; else echo busy; fi; else echo free; fi; \
        exec cat >/dev/null'
        """

    /// The target's list, and whether the folder is there that would hold it.
    private func fetch() throws(PublishFailure) -> (list: OutputManifest, isThere: Bool) {
        let outcome = try run([
            "--ignore-missing-args", "--checksum", "--", place + OutputManifest.fileName,
            work.path + "/fetched/",
        ])
        // A list that is not there is passed over; a folder that is not is told.
        let isAbsent =
            [3, 23].contains(outcome.code)
            && Self.complaints(outcome).contains { $0.hasSuffix(Self.absent) }
        guard outcome.code == 0 || isAbsent else {
            throw PublishFailure(.tool("rsync", outcome), target)
        }
        guard work.status("fetched/" + OutputManifest.fileName) != nil else {
            return (OutputManifest(), !isAbsent)
        }
        let list = try inWork { (work) throws(FileError) in
            OutputManifest(reading: try work.read("fetched/" + OutputManifest.fileName))
        }
        return (list, true)
    }

    /// What rsync says of single files and folders: the system's reason is at the
    /// end, with its number, whatever language the other machine speaks.
    private static func complaints(_ outcome: ExternalProgram.Outcome) -> [Substring] {
        outcome.errors.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("rsync: ") }
    }

    /// There is nothing of this name.
    private static let absent = "(2)"
    /// There is a file where a folder would have to be.
    private static let belowFile = "(20)"

    func currentList() throws(PublishFailure) -> OutputManifest? {
        lock == nil ? try fetch().list : nil
    }

    var overtaken: PublishFailure { PublishFailure(.overtaken, target) }

    // MARK: Looking

    func occupied(_ paths: [String], folders: [String]) throws(PublishFailure) -> [String] {
        guard !(paths.isEmpty && folders.isEmpty) else { return [] }
        let expected = Set(folders)
        return try look(["--dirs"], at: folders + paths)
            .filter { !($0.isFolder && expected.contains($0.name)) }.map(\.name)
    }

    func contents(of folders: [String]) throws(PublishFailure) -> [String] {
        guard !folders.isEmpty else { return [] }
        return try look(["--recursive"], at: folders).filter { !$0.isFolder }.map(\.name)
    }

    /// What stands at some paths of the target; those where nothing does are left
    /// out.
    private func look(
        _ arguments: [String], at paths: [String]
    ) throws(PublishFailure) -> [(name: String, isFolder: Bool)] {
        guard isThere else { return [] }
        try inWork { (work) throws(FileError) in
            try? work.removeTree("nothing")
            try work.makeFolder("nothing")
        }
        let outcome = try run(
            ["--dry-run", "--links", "--specials"] + arguments + [
                "--8-bit-output", "--ignore-missing-args", "--no-implied-dirs",
                "--out-format=%i %n",
            ] + lists(place, work.path + "/nothing/"), list: paths)
        // What lies below a file cannot be looked for, and rsync says so. Anything
        // else means that the listing need not be whole.
        let isWhole =
            outcome.code == 0
            || outcome.code == 23
                && Self.complaints(outcome).allSatisfy {
                    $0.hasSuffix(Self.absent) || $0.hasSuffix(Self.belowFile)
                }
        guard isWhole else { throw PublishFailure(.tool("rsync", outcome), target) }
        var found: [(name: String, isFolder: Bool)] = []
        for line in outcome.output.split(separator: UInt8(ascii: "\n")) {
            // `>f+++++++++ name`: the second sign is what stands there.
            guard line.count > 12 else { continue }
            let isFolder = line[line.startIndex + 1] == UInt8(ascii: "d")
            var name = Self.name(line.dropFirst(12))
            if isFolder, name.hasSuffix("/") { name.removeLast() }
            found.append((name, isFolder))
        }
        return found
    }

    /// A name as rsync prints it: signs that control something as `\#012`.
    private static func name(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            let code = rest.prefix(4)
            if byte == UInt8(ascii: "\\"), code.first == UInt8(ascii: "#"), code.count == 4,
                let value = UInt8(String(decoding: code.dropFirst(), as: UTF8.self), radix: 8)
            {
                result.append(value)
                rest = rest.dropFirst(4)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    // MARK: Sending

    func copy(_ paths: [String]) throws(PublishFailure) {
        try check(
            run(
                ["--checksum", "--temp-dir=\(Self.uploadFolder)"] + lists(source, place),
                list: paths))
    }

    func remove(_ paths: [String]) throws(PublishFailure) {
        // rsync asks for the folders of what is to go, and takes nothing else
        // from there.
        try removeMissing(Set(paths.flatMap { NotePath.folders(above: $0) }), paths)
    }

    func removeEmptyFolders(_ folders: [String]) throws(PublishFailure) {
        // Those of one depth at a time: rsync goes from the outside in.
        let depths = Dictionary(grouping: folders) { $0.utf8.count { $0 == UInt8(ascii: "/") } }
        for depth in depths.keys.sorted(by: >) {
            let folders = depths[depth] ?? []
            try removeMissing(Set(folders.flatMap { NotePath.folders(above: $0) }), folders)
        }
    }

    /// Removes what a folder, in which only `folders` are, does not have.
    private func removeMissing(_ folders: Set<String>, _ paths: [String]) throws(PublishFailure) {
        guard !paths.isEmpty else { return }
        try inWork { (work) throws(FileError) in
            if work.status("missing") != nil { try work.removeTree("missing") }
            try work.makeFolder("missing")
            for folder in folders.sorted(by: { $0.utf8.count < $1.utf8.count }) {
                try work.makeFolder("missing/" + folder)
            }
        }
        let arguments = ["--delete-missing-args", "--no-implied-dirs"]
        try check(run(arguments + lists(work.path + "/missing/", place), list: paths))
    }

    func put(_ list: [UInt8], isLast: Bool) throws(PublishFailure) {
        try inWork { (work) throws(FileError) in
            try? work.removeTree("list")
            try work.makeFolder("list")
            if !isLast { try work.makeFolder("list/" + Self.uploadFolder) }
            try work.write(list, to: "list/" + OutputManifest.fileName)
        }
        // A folder that is there is emptied, of what a killed upload left; at
        // the end it goes.
        let options =
            isLast ? ["--delete-missing-args"] : ["--recursive", "--delete", "--mkpath"]
        try check(
            run(
                ["--checksum"] + options + lists(work.path + "/list/", place),
                list: [
                    isLast ? Self.uploadFolder : Self.uploadFolder + "/", OutputManifest.fileName,
                ]))
    }

    // MARK: Running

    private func lists(_ from: String, _ to: String) -> [String] {
        ["--from0", "--files-from=-", "--", from, to]
    }

    private func run(
        _ arguments: [String], list: [String] = []
    ) throws(PublishFailure) -> ExternalProgram.Outcome {
        var input: [UInt8] = []
        // A line that begins with `#` or `;` would be a comment.
        for path in list { input += Array(("./" + path).utf8) + [0] }
        return try inWork { (_) throws(FileError) in
            try program.run(arguments, input: input, adding: ["LC_ALL": "C"], held: lock)
        }
    }

    private func check(_ outcome: ExternalProgram.Outcome) throws(PublishFailure) {
        guard outcome.code == 0 else { throw PublishFailure(.tool("rsync", outcome), target) }
    }
}
