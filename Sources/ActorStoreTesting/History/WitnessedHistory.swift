/// A recorded run whose order is known, because its state recorded the order.
///
/// ``violation(order:)`` checks these rules, in this sequence:
///
/// 1. No operation was applied twice.
/// 2. No operation was called twice, was applied although its caller was told that it was not, or was lost although its
///    caller was told that it was applied.
/// 3. Every applied operation was called.
/// 4. If an operation returned as applied before another one was called, the first was applied before the other.
/// 5. With ``Order/calls``, the operations were applied in the order of their calls.
/// 6. Every observed state is a prefix of the order, and no observer sees a shorter prefix than before.
public struct WitnessedHistory<ID: Hashable & Sendable>: Sendable {
  /// The effect of an operation, as its caller knows it.
  public enum Effect: Hashable, Sendable {
    /// The operation was applied.
    case applied
    /// The operation was not applied.
    case notApplied
    /// The caller does not know, because the operation was canceled in flight, deferred, or unfinished at the end.
    case unknown
  }

  /// A call of an operation.
  ///
  /// Moments are ascending numbers from a clock that all callers share.
  public struct Operation: Hashable, Sendable {
    /// The identity of the operation in the order.
    public let id: ID
    /// The moment of the call.
    public let called: Int
    /// The moment of the return, or `nil` if the call did not return.
    public var returned: Int?
    /// The effect of the operation, as its caller knows it.
    public var effect: Effect

    /// Creates an operation.
    ///
    /// - Parameters:
    ///   - id: The identity of the operation in the order.
    ///   - called: The moment of the call.
    ///   - returned: The moment of the return, or `nil` if the call did not return.
    ///   - effect: The effect of the operation, as its caller knows it.
    public init(id: ID, called: Int, returned: Int? = nil, effect: Effect = .unknown) {
      self.id = id
      self.called = called
      self.returned = returned
      self.effect = effect
    }
  }

  /// The orders that are valid.
  public enum Order: Hashable, Sendable {
    /// Every order in which an operation precedes the operations that were called after its return.
    case realTime
    /// Only the order of the calls.
    ///
    /// Use this order if each call is recorded and takes its position in the queue in one step. This is the case in a
    /// ``Simulation``, if the task does not suspend between the two. On several threads, another call may come between
    /// them.
    case calls
  }

  /// A rule that a history violates.
  public enum Violation: Error, Hashable, Sendable {
    /// Two calls have the same identity, so the history cannot tell which of them was applied.
    case calledTwice(ID)
    /// The operation was applied twice, at these positions.
    case duplicated(ID, first: Int, again: Int)
    /// The operation was applied at this position, but it was never called.
    case neverCalled(ID, at: Int)
    /// The operation was applied at this position, but its caller was told that it was not.
    case appliedAllTheSame(ID, at: Int)
    /// The operation was not applied, but its caller was told that it was.
    case lost(ID)
    /// `first` returned before `second` was called, yet `second` was applied first.
    case outOfOrder(first: ID, second: ID)
    /// `first` was called before `second`, yet `second` was applied first.
    case overtaken(first: ID, by: ID)
    /// The observation at `index` is not a prefix of the order, although it has `count` operations.
    ///
    /// The number of the observer is its index in ``WitnessedHistory/observations``.
    case notABeginning(observer: Int, index: Int, count: Int)
    /// The observation at `index` has fewer operations than the observer's previous one.
    case wentBack(observer: Int, index: Int, from: Int, to: Int)
  }

  /// The calls, in any order.
  public var operations: [Operation]
  /// The operations in the order in which they took effect.
  public var applied: [ID]
  /// The observations of each observer, in the order in which it made them.
  public var observations: [[OrderPrefix]]

  /// Creates a history.
  ///
  /// - Parameters:
  ///   - operations: The calls, in any order.
  ///   - applied: The operations in the order in which they took effect.
  ///   - observations: The observations of each observer, in the order in which it made them.
  public init(operations: [Operation], applied: [ID], observations: [[OrderPrefix]] = []) {
    self.operations = operations
    self.applied = applied
    self.observations = observations
  }

  /// Returns the first violation of a rule, or `nil` if the history is valid.
  ///
  /// The check takes time proportional to the number of operations and observations.
  ///
  /// - Parameter order: The orders that are valid.
  /// - Returns: The first violation, in the sequence of the rules.
  public func violation(order: Order = .realTime) -> Violation? {
    var positions: [ID: Int] = Dictionary(minimumCapacity: applied.count)
    for (position, id) in applied.enumerated() {
      if let first = positions.updateValue(position, forKey: id) {
        return .duplicated(id, first: first, again: position)
      }
    }
    var calls: [Operation?] = Array(repeating: nil, count: applied.count)
    var known: Set<ID> = Set(minimumCapacity: operations.count)
    for operation in operations {
      if !known.insert(operation.id).inserted { return .calledTwice(operation.id) }
      if let position = positions[operation.id] {
        if operation.effect == .notApplied { return .appliedAllTheSame(operation.id, at: position) }
        calls[position] = operation
      } else if operation.effect == .applied {
        return .lost(operation.id)
      }
    }
    if let position = calls.firstIndex(where: { $0 == nil }) {
      return .neverCalled(applied[position], at: position)
    }
    let inOrder = calls.compactMap(\.self)
    return outOfOrder(inOrder) ?? (order == .calls ? overtaken(inOrder) : nil) ?? wrongObservation()
  }

  private func overtaken(_ calls: [Operation]) -> Violation? {
    for (call, next) in zip(calls, calls.dropFirst()) where next.called < call.called {
      return .overtaken(first: next.id, by: call.id)
    }
    return nil
  }

  /// Checks from the end that no later operation returned before an operation was called.
  private func outOfOrder(_ calls: [Operation]) -> Violation? {
    var firstToReturn: (moment: Int, id: ID)?
    for call in calls.reversed() {
      if let firstToReturn, firstToReturn.moment < call.called {
        return .outOfOrder(first: firstToReturn.id, second: call.id)
      }
      // An operation with an unknown effect may take effect after its return, as a deferred action does.
      guard call.effect == .applied, let returned = call.returned else { continue }
      if firstToReturn.map({ returned < $0.moment }) ?? true { firstToReturn = (returned, call.id) }
    }
    return nil
  }

  private func wrongObservation() -> Violation? {
    var prefixes = [OrderPrefix()]
    prefixes.reserveCapacity(applied.count + 1)
    for id in applied {
      var next = prefixes[prefixes.count - 1]
      next.append(id)
      prefixes.append(next)
    }
    for (observer, seen) in observations.enumerated() {
      var last = 0
      for (index, prefix) in seen.enumerated() {
        if prefix.count >= prefixes.count || prefixes[prefix.count] != prefix {
          return .notABeginning(observer: observer, index: index, count: prefix.count)
        }
        if prefix.count < last {
          return .wentBack(observer: observer, index: index, from: last, to: prefix.count)
        }
        last = prefix.count
      }
    }
    return nil
  }
}

extension WitnessedHistory.Violation: CustomStringConvertible {
  /// The operations and the rule that they violate.
  public var description: String {
    switch self {
    case .calledTwice(let id): "\(id) was called twice; each call needs its own identity"
    case .duplicated(let id, let first, let again):
      "\(id) was applied twice, as number \(first) and as number \(again)"
    case .neverCalled(let id, let position): "\(id) was applied as number \(position), but it was never called"
    case .appliedAllTheSame(let id, let position):
      "\(id) was applied as number \(position), but its caller was told that it was not"
    case .lost(let id): "\(id) was lost: its caller was told that it was applied, but it is not in the order"
    case .outOfOrder(let first, let second):
      "\(first) returned before \(second) was called, yet \(second) was applied before \(first)"
    case .overtaken(let first, let second):
      "\(first) was called before \(second), yet \(second) was applied before \(first)"
    case .notABeginning(let observer, let index, let count):
      """
      observation \(index) of observer \(observer) shows \(count) operations that are not the first \(count) of the \
      order
      """
    case .wentBack(let observer, let index, let from, let to):
      "observer \(observer) saw \(from) operations, but then only \(to) in observation \(index)"
    }
  }
}
