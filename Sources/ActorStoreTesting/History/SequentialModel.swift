/// The behavior of a type whose operations run one at a time, as the standard for histories with overlapping calls.
///
/// A history is linearizable if its calls have an order in which each call takes effect at one moment between its call
/// and its return, and in which this model returns the same outputs (Herlihy and Wing 1990). If the order of a history
/// is known, ``WitnessedHistory`` checks it much faster.
public struct SequentialModel<State: Hashable, Input, Output: Equatable> {
  private let initial: State
  private let step: (State, Input) -> (State, Output)

  /// Creates a model.
  ///
  /// - Parameters:
  ///   - initial: The initial state.
  ///   - step: A function from a state and an input to the next state and the output. It is called often, and it must
  ///     be deterministic.
  public init(initial: State, step: @escaping (State, Input) -> (State, Output)) {
    self.initial = initial
    self.step = step
  }

  /// A recorded call.
  ///
  /// Moments are ascending numbers from a clock that all callers share.
  public struct Call {
    /// The input of the call.
    public let input: Input
    /// The output of the call, or `nil` if it is unknown.
    public let output: Output?
    /// The moment of the call.
    public let called: Int
    /// The moment of the return, or `nil` if it is unknown whether the call took effect.
    ///
    /// Without this moment, the call may have taken effect at any time after its start, or not at all.
    public let returned: Int?

    /// Creates a call with a known output.
    ///
    /// - Parameters:
    ///   - input: The input of the call.
    ///   - output: The output of the call.
    ///   - called: The moment of the call.
    ///   - returned: The moment of the return.
    public init(_ input: Input, returning output: Output, called: Int, returned: Int) {
      self.init(input, output, called, returned)
    }

    /// Creates a call with an unknown output.
    ///
    /// - Parameters:
    ///   - input: The input of the call.
    ///   - called: The moment of the call.
    ///   - returned: The moment of the return, or `nil` if it is unknown whether the call took effect.
    public init(_ input: Input, called: Int, returned: Int?) {
      self.init(input, nil, called, returned)
    }

    private init(_ input: Input, _ output: Output?, _ called: Int, _ returned: Int?) {
      if let returned, returned < called {
        fatalError("ActorStoreTesting: `returned` is before `called`. Use one clock.")
      }
      (self.input, self.output, self.called, self.returned) = (input, output, called, returned)
    }
  }

  /// The maximum number of calls in a history.
  static var maxCalls: Int { 64 }

  /// An error that reports a history with more than 64 calls.
  public struct TooManyCalls: Error, CustomStringConvertible {
    let count: Int

    /// The number of calls, the limit, and a remedy.
    public var description: String {
      """
      a history of \(count) calls is too long to search for an order; the maximum is \(maxCalls). Record the order in \
      the state and use WitnessedHistory, or record shorter runs.
      """
    }
  }

  /// Searches for a valid order of the calls, and explains a failed search.
  ///
  /// This is the search of Wing and Gong (1993) with the memory of Lowe (2017). In the worst case, its time grows
  /// exponentially with the number of overlapping calls, but not with the number of successive calls.
  ///
  /// - Parameter calls: The history.
  /// - Returns: The reason why there is no order, or `nil` if there is one.
  /// - Throws: ``TooManyCalls`` if the history has more than 64 calls.
  public func violation(in calls: [Call]) throws(TooManyCalls) -> Violation? {
    if calls.count > Self.maxCalls { throw TooManyCalls(count: calls.count) }
    var search = Search(model: self, calls: calls)
    return search.finds(from: initial) ? nil : search.violation
  }

  /// The longest prefix of an order, and the reason why no call can be next.
  public struct Violation: CustomStringConvertible {
    /// The calls of the longest prefix, as positions in the history.
    public let order: [Int]
    /// The state after these calls.
    public let state: State
    /// The reason why each remaining call cannot be next.
    public let obstacles: [Obstacle]

    /// A reason why a call cannot be next.
    public enum Obstacle {
      /// The call returned the output, but the model returns `expected`.
      case returned(call: Int, Output, expected: Output)
      /// Another call returned before this one was made, and it has no position in the order yet.
      case after(call: Int, Int)
    }

    /// The order, the state, and the obstacles.
    public var description: String {
      let beginning =
        order.isEmpty ? "At the beginning" : "After calls \(order.map { "\($0)" }.joined(separator: ", "))"
      let reasons = obstacles.map { obstacle in
        switch obstacle {
        case .returned(let call, let output, let expected):
          "call \(call) returned \(output), but the model returns \(expected)"
        case .after(let call, let other): "call \(call) was made after call \(other) had returned"
        }
      }
      return "\(beginning), the state is \(state), and no call can be next: \(reasons.joined(separator: "; "))"
    }
  }
}

extension SequentialModel {
  /// A depth-first search for an order, which remembers its dead ends.
  private struct Search {
    private struct Place: Hashable {
      let placed: UInt64
      let state: State
    }

    let model: SequentialModel
    let calls: [Call]
    /// The calls that have returned, each of which must have a position.
    private let due: UInt64
    private var inVain: Set<Place> = []
    private var order: [Int] = []
    private(set) var violation: Violation?

    init(model: SequentialModel, calls: [Call]) {
      self.model = model
      self.calls = calls
      due = calls.indices.reduce(0) { calls[$1].returned == nil ? $0 : $0 | 1 << UInt64($1) }
    }

    mutating func finds(from state: State, placed: UInt64 = 0) -> Bool {
      if placed & due == due { return true }
      let place = Place(placed: placed, state: state)
      if inVain.contains(place) { return false }
      let open = calls.indices.filter { placed & 1 << UInt64($0) == 0 }
      let firstToReturn = open.min { (calls[$0].returned ?? .max) < (calls[$1].returned ?? .max) }
      var obstacles: [Violation.Obstacle] = []
      for index in open {
        let call = calls[index]
        if let firstToReturn, let returned = calls[firstToReturn].returned, returned < call.called {
          obstacles.append(.after(call: index, firstToReturn))
          continue
        }
        let (next, output) = model.step(state, call.input)
        if let returned = call.output, returned != output {
          obstacles.append(.returned(call: index, returned, expected: output))
          continue
        }
        order.append(index)
        if finds(from: next, placed: placed | 1 << UInt64(index)) { return true }
        order.removeLast()
      }
      inVain.insert(place)
      if obstacles.count == open.count, order.count > violation?.order.count ?? -1 {
        violation = Violation(order: order, state: state, obstacles: obstacles)
      }
      return false
    }
  }
}
