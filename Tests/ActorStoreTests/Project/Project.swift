import Foundation

/// The files of this package.
enum Project {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The Swift files below a folder, with their texts.
  static func sources(_ folder: String) throws -> [(path: String, text: String)] {
    let paths = FileManager.default.subpaths(atPath: root.appending(path: folder).path()) ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.map { ($0, try text("\(folder)/\($0)")) }
  }
}
