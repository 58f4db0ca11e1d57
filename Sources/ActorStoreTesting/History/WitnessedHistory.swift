/// A recorded run whose order is known, because the state itself remembers it; says whether the order was right.
///
/// What is checked, in this sequence: no operation was called or applied twice; nothing was applied that was said not
/// to have been; nothing was lost that was said to have been; nothing was applied that nobody called; if one operation
/// returned before another was called, it was applied first (or, if so asked, if it was only called before); every
/// state that was observed is a beginning of the order; and what one observer sees never goes back.
///
/// Takes time in proportion to the operations and observations.
public struct WitnessedHistory<ID: Hashable & Sendable>: Sendable {
  /// What the caller of an operation was told, or found out.
  public enum Effect: Hashable, Sendable {
    case applied
    case notApplied
    /// It was never told: cancelled on the way, deferred, or still running at the end.
    case unknown
  }

  /// One call.
  ///
  /// Moments are numbers that grow: those of a clock that all callers share.
  public struct Operation: Hashable, Sendable {
    /// What the order calls it.
    public let id: ID
    /// When it was called.
    public let called: Int
    /// When it returned, nil if it did not.
    public var returned: Int?
    /// What came of it.
    public var effect: Effect

    /// A call.
    public init(id: ID, called: Int, returned: Int? = nil, effect: Effect = .unknown) {
      self.id = id
      self.called = called
      self.returned = returned
      self.effect = effect
    }
  }

  /// Which orders are right.
  public enum Order: Hashable, Sendable {
    /// Those in which an operation that had returned before another was called comes first.
    case realTime
    /// Only the order of the calls: first come, first served. To be asked for where a call is recorded and takes its
    /// place in one step, as in a ``Simulation`` without a suspension in between; on several threads another call may
    /// come between the two.
    case calls
  }

  /// What is wrong with a history.
  public enum Violation: Error, Hashable, Sendable {
    /// Two calls have the same identity, so nobody can say which of them was applied.
    case calledTwice(ID)
    case duplicated(ID, first: Int, again: Int)
    case neverCalled(ID, at: Int)
    /// Its caller was told that it was not applied.
    case appliedAllTheSame(ID, at: Int)
    case lost(ID)
    /// `first` returned before `second` was called, yet `second` was applied first.
    case outOfOrder(first: ID, second: ID)
    /// `first` was called before `second`, yet `second` was applied first.
    case overtaken(first: ID, by: ID)
    /// What an observer saw as its observation number `index` is not the first `count` operations. Observers are
    /// counted as they stand in `observations`.
    case notABeginning(observer: Int, index: Int, count: Int)
    /// An observer saw fewer operations than the time before.
    case wentBack(observer: Int, index: Int, from: Int, to: Int)
  }

  /// The calls, in any sequence.
  public var operations: [Operation]
  /// The operations in the order in which they took effect.
  public var applied: [ID]
  /// What each observer saw, in its own order.
  public var observations: [[OrderPrefix]]

  /// A run.
  public init(operations: [Operation], applied: [ID], observations: [[OrderPrefix]] = []) {
    self.operations = operations
    self.applied = applied
    self.observations = observations
  }

  /// The first thing found to be wrong; nil when the history is right.
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

  /// From the end: of all that was applied later, the one that returned first must not have returned before this was
  /// called.
  private func outOfOrder(_ calls: [Operation]) -> Violation? {
    var firstToReturn: (moment: Int, id: ID)?
    for call in calls.reversed() {
      if let firstToReturn, firstToReturn.moment < call.called {
        return .outOfOrder(first: firstToReturn.id, second: call.id)
      }
      // Whose effect is not known may take effect after it has returned, as what was deferred does.
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
  /// Which operations, and what is wrong with them.
  public var description: String {
    switch self {
    case .calledTwice(let id): "\(id) was called twice; each call needs an identity of its own"
    case .duplicated(let id, let first, let again):
      "\(id) was applied twice, as number \(first) and as number \(again)"
    case .neverCalled(let id, let position): "\(id) was applied as number \(position), and nobody called it"
    case .appliedAllTheSame(let id, let position):
      "\(id) was applied as number \(position), and its caller was told that it was not"
    case .lost(let id): "\(id) was lost: its caller was told that it was applied, and it is not in the order"
    case .outOfOrder(let first, let second):
      "\(first) returned before \(second) was called, yet \(second) was applied before \(first)"
    case .overtaken(let first, let second):
      "\(first) was called before \(second), yet \(second) was applied before \(first)"
    case .notABeginning(let observer, let index, let count):
      """
      observer \(observer) saw, as its observation \(index), a state after \(count) operations that is not the first \
      \(count) of the order
      """
    case .wentBack(let observer, let index, let from, let to):
      "observer \(observer) saw \(from) operations and then, as its observation \(index), only \(to)"
    }
  }
}
