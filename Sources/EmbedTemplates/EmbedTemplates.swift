import Foundation
import PackagePlugin

/// Has the built-in look in `Templates/` compiled into the program, and the
/// preview's own pages into the preview.
///
/// SwiftPM's own `.embedInCode` makes an array literal of every byte, which
/// takes seconds to compile; one text literal for each file takes none.
@main
struct EmbedTemplates: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let isPreview = target.name == "Preview"
        let (name, place) =
            isPreview ? ("PreviewPages", "Sources/Preview/Pages") : ("BuiltInTheme", "Templates")
        let folder = context.package.directoryURL.appending(path: place)
        let output = context.pluginWorkDirectoryURL.appending(path: name + ".swift")
        var inputs: [URL] = []
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let url = walk?.nextObject() as? URL {
            if !url.hasDirectoryPath { inputs.append(url) }
        }
        return [
            .buildCommand(
                displayName: "Embedding \(place)/",
                executable: try context.tool(named: "embed-templates").url,
                arguments: [folder.path(), output.path(), name], inputFiles: inputs,
                outputFiles: [output])
        ]
    }
}
