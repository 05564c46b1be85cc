/// Variables by which git tells the programs that it runs, such as a hook, which
/// repository is meant.
enum GitVariables {
    /// What `git rev-parse --local-env-vars` lists, less configuration, which is
    /// whoever's who set it; and what else ties git to one repository.
    private static let tied = [
        "ALTERNATE_OBJECT_DIRECTORIES", "COMMON_DIR", "DIR", "GRAFT_FILE", "IMPLICIT_WORK_TREE",
        "INDEX_FILE", "INTERNAL_SUPER_PREFIX", "NAMESPACE", "NO_REPLACE_OBJECTS",
        "OBJECT_DIRECTORY", "PREFIX", "QUARANTINE_PATH", "REPLACE_REF_BASE", "SHALLOW_FILE",
        "WORK_TREE",
    ]

    /// An environment in which git goes by the folder that it is run for.
    static func removed(from environment: [String: String]) -> [String: String] {
        var environment = environment
        for name in tied { environment["GIT_" + name] = nil }
        return environment
    }

    /// The settings that an environment holds (`GIT_CONFIG_KEY_0` and so on), in
    /// order.
    static func configuration(
        in environment: [String: String]
    ) -> [(key: String, value: String)] {
        let count = environment["GIT_CONFIG_COUNT"].flatMap { Int($0) } ?? 0
        // Those beyond what is there are none, however many are spoken of.
        return (0..<min(max(0, count), environment.count)).compactMap { number in
            guard let key = environment["GIT_CONFIG_KEY_\(number)"] else { return nil }
            return (key, environment["GIT_CONFIG_VALUE_\(number)"] ?? "")
        }
    }
}
