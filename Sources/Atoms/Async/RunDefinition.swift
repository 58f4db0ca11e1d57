import ActorStore

/// The definition of a hidden atom whose runs set its value.
///
/// The visible atom is derived from it, so that an injection can replace the visible one.
final class RunDefinition: AtomDefinition<RunValue>, @unchecked Sendable {
  // Invariant: `visible` is set before any other thread can use the atom.
  private weak var visible: AnyAtomDefinition?
  private var identity: ObjectIdentifier?

  private let closures: Held<Closures>
  /// Whether the operation follows an object, and therefore never ends.
  let followsObject: Bool

  private struct Closures: Sendable {
    let operation: Run.Operation
    /// The label, if it depends on the label of another atom.
    let label: (@Sendable () -> String)?
  }

  init(
    followsObject: Bool = false, label: (@Sendable () -> String)? = nil, _ operation: @escaping Run.Operation
  ) {
    closures = Held(Closures(operation: operation, label: label))
    self.followsObject = followsObject
    super.init("", 0, lifetime: .whileUsed)
  }

  /// Notes the atom that users know.
  func join(_ visible: AnyAtomDefinition) {
    self.visible = visible
    identity = ObjectIdentifier(visible)
    if closures.value.label == nil { label = visible.label }
  }

  override var label: String {
    get { closures.value.label?() ?? super.label }
    set { super.label = newValue }
  }

  override var visibleID: ObjectIdentifier { identity ?? super.visibleID }
  override var owner: AnyAtomDefinition? { visible }

  override func makeCell() -> Cell { RunCell(self, closures.value.operation, mayEnd: !followsObject) }

  /// The definition of the runs of an asynchronous atom.
  static func of(_ definition: AnyAtomDefinition) -> RunDefinition {
    guard let runs = definition.runs as? RunDefinition else {
      definition.trapBecauseItIsNotAsynchronous()
    }
    return runs
  }

  /// The cell in a graph.
  func cell(in graph: Graph) -> RunCell {
    guard let cell = graph.cell(of: self) as? RunCell else {
      preconditionFailure("Atoms: a node with runs has another cell. This is a bug in Atoms.")
    }
    return cell
  }
}

/// The definition of an asynchronous atom.
final class AsyncDefinition<Success: Sendable>: DerivedDefinition<AsyncState<Success>>, @unchecked Sendable {
  let run: RunDefinition
  let throwsOnCancellation: Bool
  /// The identity of the atom with the last success, which does not hold this one.
  private let latestDefinition: Locked<AtomDefinition<Success?>>

  init(
    _ file: StaticString, _ line: UInt, lifetime: AtomLifetime, throwsOnCancellation: Bool,
    _ operation: @escaping Run.Operation
  ) {
    let run = RunDefinition(operation)
    self.run = run
    self.throwsOnCancellation = throwsOnCancellation
    let latest: DerivedAtom<Success?> = DerivedAtom(lifetime: lifetime, fileID: file, line: line) {
      if let visible = run.owner as? AtomDefinition<AsyncState<Success>> {
        if let value = AtomStore.currentValue(of: visible).value { return value }
        // The atom's own operation must not run.
        if let injection = Evaluation.current?.graph.injection(of: visible) {
          return (injection.replacement as? AsyncDefinition).flatMap { $0.latest.value }
        }
      }
      return AtomStore.currentValue(of: run).latest(as: Success.self)
    }
    latestDefinition = Locked(latest.definition)
    super.init(file, line, lifetime: lifetime, AsyncState<Success>.closure(for: run))
    run.join(self)
  }

  /// The definition of an atom as that of an asynchronous one.
  static func of(_ definition: AtomDefinition<AsyncState<Success>>) -> AsyncDefinition {
    guard let definition = definition as? AsyncDefinition else {
      definition.trapBecauseItIsNotAsynchronous()
    }
    return definition
  }

  /// The atom with the last success.
  var latest: DerivedAtom<Success?> { DerivedAtom(definition: latestDefinition.withLock { $0 }) }

  /// The atom with the last success, for users.
  ///
  /// If a family makes this atom, the current store holds it, because the caller may release it before the read.
  var latestForUsers: DerivedAtom<Success?> {
    if isMember { AtomStore.current.withCore { $0.hold(member: self) } }
    return latest
  }

  /// Whether no more results follow in the current store.
  var isFinished: Bool {
    if let injection = AtomStore.current.withCore({ $0.injection(of: self) }) {
      if let replacement = injection.replacement as? AsyncDefinition { return replacement.isFinished }
      return !AtomStore.currentValue(of: self).loading
    }
    return AtomStore.currentValue(of: run).isFinished
  }

  override func write(in graph: Graph, _ value: ValueSlot) {
    set(value.value(as: AsyncState<Success>.self), in: graph)
  }

  override var hasHiddenAtoms: Bool { true }

  override var runs: AnyAtomDefinition? { run }
  override var companion: AnyAtomDefinition? { latest.definition }
  override var isCompanionHeld: Bool { latestDefinition.withLock { !isKnownUniquelyReferenced(&$0) && !$0.isMember } }

  override var label: String {
    get { super.label }
    set {
      super.label = newValue
      run.label = newValue
      latest.definition.label = "\(newValue), latest"
    }
  }
}

/// The definition of an atom whose value follows an object through the runs of a hidden atom.
final class FollowerDefinition<Value: Sendable>: DerivedDefinition<Value>, @unchecked Sendable {
  // Invariant: all properties are constants of sendable types.
  private let run: RunDefinition
  private let base: AnyAtomDefinition?

  /// - Parameters:
  ///   - file: The file for the label.
  ///   - line: The line for the label.
  ///   - lifetime: How long a value lives after its last use.
  ///   - run: The hidden atom.
  ///   - base: The atom with the object, if it shares the label of this one.
  ///   - body: The derivation.
  init(
    _ file: StaticString, _ line: UInt, lifetime: AtomLifetime, _ run: RunDefinition, base: AnyAtomDefinition? = nil,
    _ body: @escaping @Sendable () -> Value
  ) {
    self.run = run
    self.base = base
    super.init(file, line, lifetime: lifetime, body)
    run.join(self)
  }

  override var hasHiddenAtoms: Bool { true }

  override var label: String {
    get { super.label }
    set {
      super.label = newValue
      run.label = newValue
      base?.label = newValue
    }
  }
}

extension AnyAtomDefinition {
  /// Stops the program because an asynchronous atom was created from the identity of another atom.
  @inline(never)  // HP13
  fileprivate func trapBecauseItIsNotAsynchronous() -> Never {
    fatalError(
      """
      Atoms: an AsyncAtom or AsyncSequenceAtom was created from the identity of \(label), which is another kind of \
      atom. Pass the `definition` of an asynchronous atom.
      """)
  }
}
