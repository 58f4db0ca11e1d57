import ActorStore

/// The examples in the article "Logging and metrics".
struct LoggingAndMetrics {
  struct Shop: Equatable, Sendable {
    var items: [String] = []
    var user = ""
    var password = Password(text: "initial")
  }

  struct Add: Mutation {
    let item: String

    func run(_ shop: inout Shop) { shop.items.append(item) }
  }

  struct Tick: Mutation {
    func run(_ shop: inout Shop) {}
  }

  struct LogIn: Mutation {
    let user: String
    let password: Password

    func run(_ shop: inout Shop) {
      shop.user = user
      shop.password = password
    }
  }

  /// A password that no log shows.
  struct Password: CustomReflectable, Equatable, Sendable {
    let text: String

    var customMirror: Mirror { Mirror(self, children: ["text": "hidden"]) }
  }

  /// A file, as far as the examples use one.
  final class Lines: Sendable {
    private let continuation: AsyncStream<String>.Continuation
    private let stream: AsyncStream<String>

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func append(_ line: String) { continuation.yield(line) }

    /// Ends the file, and returns its lines.
    func end() async -> [String] {
      continuation.finish()
      return await stream.reduce(into: []) { $0.append($1) }
    }
  }

  /// Runs the examples of logging, and returns the lines that they write.
  func log() async -> [String] {
    let file = Lines()

    let filter = LogFilter.all
      .excluding(Tick.self)
      .outcomes(.committed, .failed, .vetoed)
    let sink = LogSink(backlog: 1_000) { record in file.append(record.text(.line)) }
    let store = Store(
      Shop(), guards: [ActionLogger(to: sink, filter: filter, differenceLines: 10, clock: nil)], name: "shop")

    await store.dispatch(Add(item: "tea"))
    await store.dispatch(Tick())
    await store.dispatch(LogIn(user: "Ann", password: Password(text: "secret")))
    return await file.end()
  }

  /// Runs the examples of metrics, and returns the text for Prometheus.
  func measure() async -> String {
    let metrics = StoreMetrics()
    let shop = Store(Shop(), guards: [metrics.makeGuard()], name: "shop")

    let rooms = ["hall", "yard"].map { Store($0, guards: [metrics.makeGuard()], name: "room") }

    await shop.dispatch(Add(item: "tea"))
    for room in rooms { await room.dispatch(label: "rename") { $0 += "!" } }

    for action in metrics.actions {
      print("\(action.name): \(action.counts[.failed] ?? 0) failed, 99% ran for at most \(action.ran.p99)")
    }
    for queue in metrics.queues where queue.longest > 100 {
      print("up to \(queue.longest) actions waited in \(queue.store)")
    }
    return withExtendedLifetime((shop, rooms)) { metrics.prometheusText }
  }
}
