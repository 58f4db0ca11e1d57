import Foundation

/// The files of this package.
enum Project {
  struct Source {
    /// The path within the folder.
    let path: String
    let text: String

    /// The lines that are not comments, without multiline string literals.
    var code: [Substring] {
      text.replacing(/(?s)""".*?"""/, with: "").split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    }
  }

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  static func isFolder(_ path: String) -> Bool {
    (try? root.appending(path: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
  }

  /// The files with these extensions in a folder and its subfolders, or the file at a path.
  static func sources(_ path: String, extensions: [String] = ["swift"]) throws -> [Source] {
    guard let paths = FileManager.default.subpaths(atPath: root.appending(path: path).path()), !paths.isEmpty else {
      return [Source(path: path, text: try text(path))]
    }
    return try paths.filter { file in extensions.contains { file.hasSuffix(".\($0)") } }
      .map { Source(path: $0, text: try text("\(path)/\($0)")) }
  }
}
