/// The calls in progress in the current task, from the innermost call to the task's own function.
///
/// Only the recorded run of a failing schedule captures traces. On a platform without them, a report shows the lanes and
/// the actions without the functions and the places.
struct CallTrace {
  /// A function in a trace.
  struct Call: Sendable {
    /// The code that contains a function.
    enum Owner {
      case client
      /// This package.
      case library
      case standardLibrary
      /// The runtime, a thunk, or a function without a module.
      case system
    }

    let owner: Owner
    /// The name without types and modules.
    let name: String
    /// An address in the function's code.
    let address: UInt64
    /// Whether this is the first part of an asynchronous function, after it has changed its executor.
    var isStart = false
    /// Whether the function awaits the call before this one in the trace.
    let isAwaiting: Bool
    /// Whether the function runs jobs, so the calls that follow in the trace belong to another task or to none.
    let isExecutor: Bool
  }

  private let calls: [Call]
  /// Whether the trace ends with the task's own function.
  ///
  /// A trace is incomplete while a function in it has not suspended yet, because the unwinder does not recognize such a
  /// function as asynchronous. A later trace of the task is complete.
  let isComplete: Bool

  /// Creates a trace of calls, without the calls that follow an executor.
  ///
  /// - Parameter isWhole: Whether the calls contain all that the unwinder found.
  init(_ calls: [Call], isWhole: Bool) {
    self.calls = Array(calls.prefix { !$0.isExecutor })
    isComplete = isWhole && self.calls.count == calls.count && calls.last?.isAwaiting == true
  }

  /// The innermost call in a client's code, or `nil` if only the libraries run.
  var site: Call? { calls.first { $0.owner == .client } }

  /// The function that the task was started with, or `nil` if it is unknown or one of the libraries'.
  var taskFunction: Call? {
    guard isComplete, let last = calls.last(where: { $0.owner != .system }), last.owner == .client else { return nil }
    return last
  }
}

extension CallTrace.Call {
  /// Creates a call from a symbol of the executable.
  ///
  /// - Parameters:
  ///   - symbol: The mangled name.
  ///   - name: The name without types and modules.
  ///   - isThunk: Whether the compiler generated the function to convert or apply another one.
  ///   - fullName: The name with types and modules, which is evaluated only if the mangled name does not
  ///     begin with a client's module.
  init(
    symbol: String,
    name: String,
    isThunk: Bool,
    address: UInt64,
    isAwaiting: Bool,
    fullName: () -> String
  ) {
    owner = isThunk ? .system : Self.owner(of: symbol, fullName)
    self.name = name
    self.address = address
    self.isAwaiting = isAwaiting
    isStart = symbol.hasSuffix("TY0_")
    isExecutor = !isAwaiting && Self.executors.contains(where: symbol.hasPrefix)
  }

  /// The modules whose code is not a client's.
  private static let libraries: [Substring: Owner] = [
    "ActorStore": .library, "ActorStoreTesting": .library, "Atoms": .library, "AtomsTesting": .library,
    "Swift": .standardLibrary, "_Concurrency": .standardLibrary, "Synchronization": .standardLibrary,
  ]

  /// The beginnings of the mangled names of functions that run jobs.
  ///
  /// These functions call each other, so finding one of them is enough. The unwinder may not find every name.
  private static let executors = [
    "_ZN5swift34runJobInEstablishedExecutorContext", "swift_job_run", "$sScJ16runSynchronously",
    "$s17ActorStoreTesting17SimulatedExecutorC7runStep", "$s17ActorStoreTesting8ExplorerV",
  ]

  private static func owner(of symbol: String, _ fullName: () -> String) -> Owner {
    guard symbol.hasPrefix("$s") else { return .system }
    // A mangled name begins with the module, unless it begins with a type of the standard library.
    let path = symbol.dropFirst(2)
    let length = path.prefix { ("0"..."9").contains($0) }
    let module = Int(length).map { path.dropFirst(length.count).prefix($0) }
    if let module, libraries[module] == nil { return .client }
    // The name of a member that another module adds to a type also begins with the type's module.
    let full = fullName()[...]
    if let extending = full.firstRange(of: "(extension in ") {
      return libraries[full[extending.upperBound...].prefix { $0 != ")" }] ?? .client
    }
    return module.flatMap { libraries[$0] } ?? .system
  }

  /// The name without the closures between the innermost and the outermost function.
  var function: String {
    let parts = name.split(separator: " in ").map { part in
      ["specialized ", "variable initialization expression of ", "static "].reduce(part) { part, word in
        part.hasPrefix(word) ? part.dropFirst(word.count) : part
      }
    }
    guard let first = parts.first, let last = parts.last else { return name }
    return parts.count == 1 ? "\(first)" : "\(first) in \(last)"
  }

  /// The outermost function, which contains the others as closures or local functions.
  var outermostFunction: String { function.split(separator: " in ").last.map(String.init) ?? function }
}
