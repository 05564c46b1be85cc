import Foundation
import PackagePlugin

/// Has the built-in look in `Templates/` compiled into the program.
///
/// SwiftPM's own `.embedInCode` makes an array literal of every byte, which
/// takes seconds to compile; one text literal for each file takes none.
@main
struct EmbedTemplates: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Templates")
        let output = context.pluginWorkDirectoryURL.appending(path: "BuiltInTheme.swift")
        var inputs: [URL] = []
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let url = walk?.nextObject() as? URL {
            if !url.hasDirectoryPath { inputs.append(url) }
        }
        return [
            .buildCommand(
                displayName: "Embedding Templates/",
                executable: try context.tool(named: "embed-templates").url,
                arguments: [folder.path(), output.path()], inputFiles: inputs,
                outputFiles: [output])
        ]
    }
}
