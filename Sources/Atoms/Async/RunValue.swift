import ActorStore

/// The result of a run, without the type of its value.
struct RunResult: Sendable {
  /// The value, or the error as an `any Error`.
  private let box: AnyPublished
  let isSuccess: Bool

  init<Success: Sendable>(_ value: Success) {
    box = Published(value)
    isSuccess = true
  }

  init(error: any Error) {
    box = Published<any Error>(error)
    isSuccess = false
  }

  /// The result in a state, or `nil` if the state is loading.
  init?<Success: Sendable>(_ state: AsyncState<Success>) {
    switch state {
    case .loading: return nil
    case .success(let value): self.init(value)
    case .failure(let error): self.init(error: error)
    }
  }

  /// The value, whose type must be that of the atom.
  func value<Success: Sendable>(as type: Success.Type) throws -> Success {
    if !isSuccess { throw error }
    return box.value(as: type)
  }

  /// The state, whose type must be that of the atom.
  @inline(__always)  // HP25
  func state<Success: Sendable>(as type: Success.Type) -> AsyncState<Success> {
    isSuccess ? .success(box.value(as: type)) : .failure(error)
  }

  private var error: any Error { box.value(as: (any Error).self) }
}

/// The value of a node with runs, without the type of its results.
///
/// So the code that handles runs is compiled once, and looks up no types at run time.
struct RunValue: Sendable {
  private(set) var isLoading = true
  /// The last result.
  private(set) var finished: RunResult?
  /// The last success, if the last result is a failure.
  private var formerSuccess: RunResult?
  /// The number of the last result, which differs from that of each other result of a run.
  private var number: Version = 0
  /// Whether no more results follow.
  private(set) var isFinished = false

  /// The result of the newest run, or `nil` while loading.
  var result: RunResult? { isLoading ? nil : finished }

  /// The number of the result, or `nil` while loading.
  var resultNumber: Version? { isLoading ? nil : number }

  /// The value when another run begins.
  var loading: RunValue {
    var new = self
    (new.isLoading, new.isFinished) = (true, false)
    return new
  }

  /// The value after a result.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - number: The number of the result, or 0 if code has set it.
  ///   - isFinished: Whether no more results follow.
  func after(_ result: RunResult, number: Version = 0, isFinished: Bool = true) -> RunValue {
    RunValue(
      isLoading: false, finished: result, formerSuccess: result.isSuccess ? nil : success, number: number,
      isFinished: isFinished)
  }

  /// The value after the last element of a sequence.
  var atEnd: RunValue {
    var new = self
    new.isFinished = true
    return new
  }

  private var success: RunResult? { finished?.isSuccess == true ? finished : formerSuccess }

  /// The last success.
  func latest<Success: Sendable>(as type: Success.Type) -> Success? { success?.state(as: type).value }
}

/// A state that is created from the value of a node with runs.
///
/// Only `AsyncState` conforms. Because the initializer is a requirement, it gets the type of the state from its caller.
/// A function that is generic in `Success` would look up `AsyncState<Success>` at run time.
protocol StateOfRun: Sendable {
  init(_ value: borrowing RunValue)
}

extension StateOfRun {
  /// The closure that computes the state from the value of a node with runs.
  static func closure(for run: RunDefinition) -> @Sendable () -> Self { { Self(AtomStore.currentValue(of: run)) } }
}

extension AsyncState: StateOfRun {
  @inline(__always)  // HP25
  init(_ value: borrowing RunValue) {
    guard let result = value.result else {
      self = .loading
      return
    }
    self = result.state(as: Value.self)
  }
}
