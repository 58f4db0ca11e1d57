import ActorStore

/// What a transaction does when it has committed, for one atom.
struct Effect: Sendable {
  let definition: AnyAtomDefinition
  let action: Action

  enum Action: Sendable {
    case call(@Sendable () -> Void)
    /// A change that a receiver gets together with the other changes of the transaction.
    case change(AnyPublished, any ChangeReceiver)
  }
}

/// An object that gets the changes of a transaction in one call, for example a store that makes them in one commit.
protocol ChangeReceiver: AnyObject, Sendable {
  /// Makes changes, each in a box of the type that the receiver expects, in order.
  func receive(_ changes: [AnyPublished])
}

/// What a transaction does when it has committed.
///
/// Only the last effect for an atom counts. Undoing a nested transaction removes the effects that it has added, so the
/// earlier ones count again.
struct Effects: Sendable {
  private var all: [Effect] = []

  var count: Int { all.count }

  mutating func append(_ effect: Effect) { all.append(effect) }

  /// Removes the last effects, and returns them.
  mutating func removeLast(downTo count: Int) -> [Effect] {
    defer { all.removeSubrange(count...) }
    return Array(all[count...])
  }

  /// The last effect for each atom, in order.
  private var newest: [Effect] {
    var known: Set<ObjectIdentifier> = []
    return all.reversed().filter { known.insert(ObjectIdentifier($0.definition)).inserted }.reversed()
  }

  /// Performs the effects in order, but all changes for one receiver with the first one: O(effects).
  func perform() {
    var receivers: [ObjectIdentifier: Int] = [:]
    var steps: [(action: Effect.Action, changes: [AnyPublished])] = []
    for effect in newest {
      guard case .change(let change, let receiver) = effect.action else {
        steps.append((effect.action, []))
        continue
      }
      let index = receivers[ObjectIdentifier(receiver), default: steps.count]
      if index == steps.count {
        receivers[ObjectIdentifier(receiver)] = index
        steps.append((effect.action, []))
      }
      steps[index].changes.append(change)
    }
    for step in steps {
      switch step.action {
      case .call(let body): body()
      case .change(_, let receiver): receiver.receive(step.changes)
      }
    }
  }
}

extension Graph {
  /// Runs a closure when the current transaction has committed, or now if there is none.
  ///
  /// Only the last effect for an atom counts.
  func afterCommit(_ definition: AnyAtomDefinition, _ body: @escaping @Sendable () -> Void) {
    afterCommit(Effect(definition: definition, action: .call(body)))
  }

  /// Gives a receiver a change when the current transaction has committed, or now if there is none.
  func afterCommit(_ definition: AnyAtomDefinition, _ change: AnyPublished, to receiver: any ChangeReceiver) {
    afterCommit(Effect(definition: definition, action: .change(change, receiver)))
  }

  private func afterCommit(_ effect: Effect) {
    var effects = Effects()
    effects.append(effect)
    guard let evaluation = Evaluation.current(in: self) else { return effects.perform() }
    evaluation.effects.append(effect)
  }
}
