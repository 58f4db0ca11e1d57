// Declarations that mirror those of swift-distributed-tracing, so that this package compiles an example without a
// dependency.

protocol TracerInstant: Comparable, Hashable, Sendable {
  var nanosecondsSinceEpoch: UInt64 { get }
}

struct DefaultTracerClock {
  struct Timestamp: TracerInstant {
    let nanosecondsSinceEpoch: UInt64

    static func < (one: Self, other: Self) -> Bool { one.nanosecondsSinceEpoch < other.nanosecondsSinceEpoch }
  }

  /// The time in a simulated world, which never passes.
  static var now: Timestamp { Timestamp(nanosecondsSinceEpoch: 10_000_000_000) }
}

struct SpanStatus: Equatable {
  enum Code {
    case ok, error
  }

  let code: Code
}

protocol Span: Sendable {
  var attributes: [String: String] { get nonmutating set }

  func setStatus(_ status: SpanStatus)
  func recordError(_ error: any Error)
  func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant)
}

protocol Tracer: Sendable {
  func startSpan(_ operationName: String, at instant: @autoclosure () -> some TracerInstant) -> any Span
}

struct NoOpTracer: Tracer {
  struct NoOpSpan: Span {
    var attributes: [String: String] {
      get { [:] }
      nonmutating set {}
    }

    func setStatus(_ status: SpanStatus) {}
    func recordError(_ error: any Error) {}
    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {}
  }

  func startSpan(_ operationName: String, at instant: @autoclosure () -> some TracerInstant) -> any Span { NoOpSpan() }
}

enum InstrumentationSystem {
  static var tracer: any Tracer { NoOpTracer() }
}
