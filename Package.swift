// swift-tools-version: 6.2
import PackageDescription

// The house, from the ground up. A target may name only targets further up in
// this file: edges run down. Decision DB-0001 has the reasons.

/// Links a C library's archive on Linux, so that the program needs no package
/// at run time, and its shared form elsewhere.
func archive(_ name: String) -> [LinkerSetting] {
    [
        .linkedLibrary(":lib\(name).a", .when(platforms: [.linux])),
        .linkedLibrary(name, .when(platforms: [.macOS])),
    ]
}

let walls: [Target] = [
    .systemLibrary(
        name: "CCmark", providers: [.apt(["libcmark-dev"]), .brew(["cmark"])]),
    .systemLibrary(
        name: "CYAML", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(
        name: "CXXHash", providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
    .systemLibrary(
        name: "CUTF8Proc", providers: [.apt(["libutf8proc-dev"]), .brew(["utf8proc"])]),
    .systemLibrary(
        name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
        name: "CBrotli", providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
        name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .target(name: "CNoTLS"),
    .target(name: "CArena", dependencies: ["CCmark"]),
]

let floors: [Target] = [
    // 1: places, messages; buffers, hashing, Unicode, files
    .target(
        name: "Bytes", dependencies: ["CXXHash", "CUTF8Proc", "CBrotli", "CZlib"],
        linkerSettings: archive("xxhash") + archive("utf8proc") + archive("brotlienc")
            + archive("brotlicommon") + archive("z")
            + [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "Diagnostics", dependencies: ["Bytes"]),
    // 2: text formats
    .target(
        name: "YAML", dependencies: ["CYAML", "Bytes", "Diagnostics"],
        linkerSettings: archive("yaml")),
    .target(
        name: "Markup", dependencies: ["CCmark", "CArena", "Bytes", "Diagnostics"],
        linkerSettings: archive("cmark")),
    // 3: side by side; none knows another, nor notes
    .target(name: "Templating", dependencies: ["Bytes", "Diagnostics"]),
    .target(name: "Tracking", dependencies: ["Bytes"]),
    .target(name: "Watching", dependencies: ["Diagnostics", "Bytes"]),
    // 4: the domain
    .target(name: "Notes", dependencies: ["YAML", "Markup", "Bytes", "Diagnostics"]),
    // 5: the one floor that knows those below
    .target(
        name: "Publishing",
        dependencies: [
            "Notes", "Templating", "Tracking", "Markup", "YAML", "Diagnostics", "Bytes",
            "CSQLite",
        ],
        exclude: ["Publishing.docc"],
        linkerSettings: archive("sqlite3") + [.linkedLibrary("m", .when(platforms: [.linux]))],
        plugins: ["EmbedTemplates"]),
    // 6: the site while it is written
    .target(
        name: "Preview",
        dependencies: [
            "Publishing", "Notes", "Watching", "Markup", "Diagnostics", "Bytes", "CMicroHTTPD",
            "CNoTLS",
        ],
        exclude: ["Pages"], linkerSettings: archive("microhttpd"),
        plugins: ["EmbedTemplates"]),
    // 7: what was typed
    .target(
        name: "Commands",
        dependencies: [
            "Preview", "Publishing", "Notes", "Watching", "YAML", "Diagnostics", "Bytes",
        ]),
    // 8: the program
    .executableTarget(name: "daybook", dependencies: ["Commands"]),
]

// Run while building: the look in `Templates/`, and the preview's own pages,
// become part of the program.
let buildTools: [Target] = [
    .executableTarget(name: "embed-templates", dependencies: ["Bytes"]),
    .plugin(
        name: "EmbedTemplates", capability: .buildTool(), dependencies: ["embed-templates"],
        path: "Sources/EmbedTemplates"),
]

let tests: [Target] = [
    .testTarget(name: "BytesTests", dependencies: ["Bytes"]),
    .testTarget(name: "DiagnosticsTests", dependencies: ["Diagnostics"]),
    .testTarget(name: "YAMLTests", dependencies: ["YAML", "Diagnostics"]),
    .testTarget(name: "MarkupTests", dependencies: ["Markup", "Bytes", "CCmark"]),
    .testTarget(
        name: "TemplatingTests", dependencies: ["Templating", "Diagnostics", "Bytes"],
        exclude: ["Jinja2Cases"]),
    .testTarget(name: "WatchingTests", dependencies: ["Watching", "Diagnostics", "Bytes"]),
    .testTarget(name: "NotesTests", dependencies: ["Notes", "Markup", "YAML", "Diagnostics"]),
    .testTarget(
        name: "PublishingTests",
        dependencies: [
            "Publishing", "Notes", "Tracking", "Templating", "YAML", "Markup", "Diagnostics",
            "Bytes",
        ]),
    .testTarget(
        name: "PreviewTests",
        dependencies: [
            "Preview", "Publishing", "Notes", "Watching", "YAML", "Diagnostics", "Bytes",
        ]),
    .testTarget(
        name: "CommandsTests",
        dependencies: ["Commands", "daybook", "Publishing", "Notes", "Diagnostics"]),
]

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

for target in floors + tests + buildTools where target.type != .plugin {
    target.swiftSettings = strict
}

let package = Package(
    name: "daybook",
    platforms: [.macOS("26.0")],
    products: [.executable(name: "daybook", targets: ["daybook"])],
    targets: walls + buildTools + floors + tests
)
