import Synchronization

// Declarations that mirror those of swift-metrics, so that this package compiles an example without a dependency.

/// The metrics that the stand-ins have got.
enum NotedMetrics {
  private static let notes = Mutex<[String]>([])

  static var all: [String] { notes.withLock { $0 } }

  static func note(_ label: String, _ dimensions: [(String, String)], _ value: String) {
    let dimensions = dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: ",")
    notes.withLock { $0.append("\(label){\(dimensions)} \(value)") }
  }
}

final class Counter: Sendable {
  private let label: String
  private let dimensions: [(String, String)]

  init(label: String, dimensions: [(String, String)] = []) {
    self.label = label
    self.dimensions = dimensions
  }

  func increment() { NotedMetrics.note(label, dimensions, "+1") }
}

final class Timer: Sendable {
  private let label: String
  private let dimensions: [(String, String)]

  init(label: String, dimensions: [(String, String)] = []) {
    self.label = label
    self.dimensions = dimensions
  }

  func record(duration: Duration) { NotedMetrics.note(label, dimensions, "\(duration)") }
}
