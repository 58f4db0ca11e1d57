/// What a type does when its operations come one after the other: the measure for a history in which they overlap.
///
/// A history is linearizable if there is an order of its calls in which each takes effect at one moment between its
/// call and its return, and in which this model returns what they returned (Herlihy and Wing 1990). For histories whose
/// order is known, ``WitnessedHistory`` is by far the faster check.
public struct SequentialModel<State: Hashable, Input, Output: Equatable> {
  private let initial: State
  private let step: (State, Input) -> (State, Output)

  /// A model that begins with a state and goes on by `step`, which is asked often and must always give the same answer.
  public init(initial: State, step: @escaping (State, Input) -> (State, Output)) {
    self.initial = initial
    self.step = step
  }

  /// One call.
  ///
  /// Moments are numbers that grow: those of a clock that all callers share.
  public struct Call {
    /// What was asked.
    public let input: Input
    /// What was returned; nil when nobody looked.
    public let output: Output?
    /// When it was called.
    public let called: Int
    /// When it returned; nil when its outcome is unknown: then it may have taken effect at any time after its call, or
    /// not.
    public let returned: Int?

    /// A call that returned something.
    public init(_ input: Input, returning output: Output, called: Int, returned: Int) {
      self.init(input, output, called, returned)
    }

    /// A call of which nobody saw what it returned; with `returned` nil, not even whether it had an effect.
    public init(_ input: Input, called: Int, returned: Int?) {
      self.init(input, nil, called, returned)
    }

    private init(_ input: Input, _ output: Output?, _ called: Int, _ returned: Int?) {
      precondition(returned ?? called >= called, "ActorStoreTesting: a call cannot return before it is made.")
      (self.input, self.output, self.called, self.returned) = (input, output, called, returned)
    }
  }

  /// The most calls that a history may have.
  public static var maxCalls: Int { 64 }

  /// A history has more than ``maxCalls`` calls.
  public struct TooManyCalls: Error, CustomStringConvertible {
    let count: Int

    /// How many, and what to do.
    public var description: String {
      """
      a history of \(count) calls is too long to be searched for an order; at most \(maxCalls) are. Record the order \
      in the state and use WitnessedHistory, or record shorter runs.
      """
    }
  }

  /// Looks for an order of the calls; nil when there is one, else what stands in the way.
  ///
  /// The search of Wing and Gong (1993) with the memory of Lowe (2017). Its time grows exponentially with the number of
  /// calls that overlap, not with those that follow each other.
  public func violation(in calls: [Call]) throws(TooManyCalls) -> Violation? {
    if calls.count > Self.maxCalls { throw TooManyCalls(count: calls.count) }
    var search = Search(model: self, calls: calls)
    return search.finds(from: initial) ? nil : search.violation
  }

  /// Why there is no order: the longest beginning of one, and why no call can be the next.
  public struct Violation: CustomStringConvertible {
    /// The calls of the longest beginning, as positions in the history.
    public let order: [Int]
    /// The state they lead to.
    public let state: State
    /// Every other call, and why it cannot be next.
    public let obstacles: [Obstacle]

    /// Why a call cannot be next.
    public enum Obstacle {
      /// It returned `returned`, and would have to return `expected`.
      case returned(call: Int, Output, expected: Output)
      /// Another call had returned before this one was called, and has no place yet.
      case after(call: Int, Int)
    }

    /// The order, the state and the obstacles.
    public var description: String {
      let beginning =
        order.isEmpty ? "At the beginning" : "After the calls \(order.map { "\($0)" }.joined(separator: ", "))"
      let reasons = obstacles.map { obstacle in
        switch obstacle {
        case .returned(let call, let output, let expected):
          "call \(call) returned \(output), but would return \(expected)"
        case .after(let call, let other): "call \(call) was made after call \(other) had returned"
        }
      }
      return "\(beginning) the state is \(state), and none can be next: \(reasons.joined(separator: "; "))"
    }
  }
}

extension SequentialModel {
  /// A depth-first search for an order, which remembers where it was in vain.
  private struct Search {
    private struct Place: Hashable {
      let placed: UInt64
      let state: State
    }

    let model: SequentialModel
    let calls: [Call]
    /// The calls that have returned: each must have a place.
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
