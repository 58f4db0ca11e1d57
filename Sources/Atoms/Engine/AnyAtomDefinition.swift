import ActorStore
import Synchronization

/// The identity of an atom, and everything about it except its values.
///
/// Two atoms are the same if their definitions are the same object. When the last copy of an atom goes, its definition
/// removes its nodes from all graphs.
public class AnyAtomDefinition: @unchecked Sendable {
  // Invariant: subclasses store constants of sendable types, or release them in deinit. `state` is accessed under the
  // lock. With the object header, the properties take 64 bytes. Their order avoids padding.

  private let file: SourceFile
  private let lineAndLifetime: LineAndLifetime
  private let lock = Locked(())
  @safe @exclusivity(unchecked) private var state = State()
  /// The number of the graph to which `homeCell` belongs, or 0.
  private let home = Atomic<UInt64>(0)
  /// The address of the cell of this atom in that graph.
  private let homeCell = Atomic<UInt>(0)

  private struct State: Sendable {
    /// The graphs that have a node of this atom.
    ///
    /// There is hardly ever more than one.
    weak var graph: GraphReference?
    /// Properties that most atoms do not have, stored separately to keep definitions small.
    var details: Box?

    var references: [GraphReference] {
      (graph.map { [$0] } ?? []) + (details?.details.moreGraphs.living ?? [])
    }

    mutating func change(_ body: (inout Details) -> Void) {
      let box = details ?? Box()
      details = box
      body(&box.details)
    }
  }

  private final class Box: @unchecked Sendable {
    // Invariant: it is accessed under the lock of the definition, or in its deinit.
    var details = Details()
  }

  fileprivate struct WeakDefinition: Sendable {
    weak var object: AnyAtomDefinition?
  }

  /// The parts that most atoms do not have.
  struct Details: Sendable {
    fileprivate var moreGraphs = WeakReferences()
    var label: String?
    /// The lifetime, if `lineAndLifetime` cannot hold it.
    fileprivate var lifetime: AtomLifetime?
    /// Whether a family makes the atom, so that graphs hold it while they need it.
    fileprivate var isMember = false
    /// The atoms with later values of this one.
    fileprivate var paced: [Pace: WeakDefinition] = [:]
    /// The reference that these graphs hold.
    fileprivate weak var holder: MemberHolder?
    var onUpdate: [UpdateHandler] = []
    /// Closures that replace the value that a reset restores.
    var onReset: [@Sendable (AnyPublished) -> AnyPublished] = []
  }

  /// A closure for the new values of an atom in every graph.
  struct UpdateHandler: Sendable {
    let skip: Int
    let body: @Sendable (ValueSlot) -> Void
  }

  /// How to reset an atom.
  struct ResetSteps: Sendable {
    /// Closures that replace the value, in order.
    let bodies: [@Sendable (AnyPublished) -> AnyPublished]
    /// Sets the value, or `nil` if the atom stores it.
    var setter: (@Sendable (AnyPublished) -> Void)?
    /// Makes the value to begin with, or `nil` to begin with the current one.
    var initial: (@Sendable () -> AnyPublished)?
    /// Whether other atoms are reset first, because the steps may read them.
    var isLate = false
  }

  init(_ file: StaticString, _ line: UInt, lifetime: AtomLifetime) {
    self.file = SourceFile(file)
    lineAndLifetime = LineAndLifetime(line: line, lifetime: lifetime)
    if lineAndLifetime.lifetime == nil { state.change { $0.lifetime = lifetime } }
  }

  deinit {
    let key = Graph.key(of: self)
    for handle in handles { handle.graph.remove(key, homeCell(in: handle.graph)) }
    ReleaseQueue.release(withState { $0.details.take() })
  }

  private func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    lock.withLock { _ in body(&state) }
  }

  /// How long a value lives after the last use of the atom.
  final var lifetime: AtomLifetime {
    lineAndLifetime.lifetime ?? withState { $0.details?.details.lifetime } ?? .unstated
  }

  /// Sets the atom in a graph to a value in memory, and leaves a value to release there.
  func write(in graph: Graph, _ value: ValueSlot) { graph.set(self, value) }

  /// Whether hidden atoms, other than those of injections, belong to this one.
  var hasHiddenAtoms: Bool { false }

  /// The atom with the value that a reset of this one changes.
  var resetTarget: AnyAtomDefinition { self }

  /// The default value, or `nil` if the atom has none.
  var initialValue: AnyPublished? { nil }

  /// The identity of the atom that users know.
  var visibleID: ObjectIdentifier { ObjectIdentifier(self) }

  /// The atom that this hidden one belongs to, if it still exists.
  ///
  /// The caller must not release the result under a lock.
  var owner: AnyAtomDefinition? { nil }

  /// The hidden atom whose runs produce the value, if there is one.
  var runs: AnyAtomDefinition? { nil }

  /// The atom with the last success, if this atom is asynchronous.
  var companion: AnyAtomDefinition? { nil }

  /// Whether anyone but this atom holds the companion, which is not a member of a family itself.
  var isCompanionHeld: Bool { false }

  /// Whether users know only the atom that this one belongs to.
  final var isHidden: Bool { visibleID != ObjectIdentifier(self) }

  /// Adds a closure that replaces the value that a reset restores.
  func addReset(_ body: @escaping @Sendable (AnyPublished) -> AnyPublished) {
    change { $0.onReset.append(body) }
  }

  /// An injection with which the atom behaves as without one, or `nil` if a closure computes its value.
  func makeOwnInjection(in graph: Graph) -> Injection? { nil }

  /// Creates the memory for the atom's value in a graph.
  func makeCell() -> Cell { preconditionFailure("Atoms: an abstract method was called. This is a bug in Atoms.") }

  /// Creates the memory for a value that is not in a graph.
  func makeCell(_ value: AnyPublished) -> Cell { makeCell() }

  /// The source of the atom's values, if it is outside graphs.
  var source: (any SelectionSource)? { nil }

  // MARK: Graphs

  /// The owners of the graphs that have a node of this atom.
  var handles: [GraphHandle] {
    withState { $0.references }.compactMap { $0.handle }
  }

  /// Whether a family makes the atom.
  final var isMember: Bool { withState { $0.details?.details.isMember ?? false } }

  /// Notes that a family makes the atom, so that graphs hold it while they need it.
  func joinFamily() {
    let wasMember = withState { state in
      defer { state.change { $0.isMember = true } }
      return state.details?.details.isMember ?? false
    }
    if wasMember { return }
    for handle in handles { handle.graph.add(member: self) }
  }

  /// The reference from graphs to a member of a family, which is the same object for all of them.
  var holder: MemberHolder {
    withState { state in
      if let known = state.details?.details.holder { return known }
      let new = MemberHolder(self)
      state.change { $0.holder = new }
      return new
    }
  }

  /// The cell in a graph, if this definition stores its address.
  ///
  /// There is hardly ever a second graph with a node of this atom, so most reads need no search.
  @inline(__always)  // HP21
  final func homeCell(in graph: Graph) -> Unretained<Cell>? {
    if home.load(ordering: .acquiring) != graph.number { return nil }
    return Unretained(address: homeCell.load(ordering: .relaxed))
  }

  /// Notes that a graph has a node of this atom.
  ///
  /// Called under the graph's lock, once for each graph.
  ///
  /// - Returns: The closures for updates, and whether this definition stores the address of the cell.
  func join(_ graph: Graph, _ cell: Cell) -> (handlers: [UpdateHandler], isHome: Bool) {
    withState { state in
      let isHome = state.graph == nil
      if isHome {
        state.graph = graph.reference
        // A graph whose number was stored before is gone, so no reader compares that number anymore.
        home.store(0, ordering: .relaxed)
        homeCell.store(Unretained(cell).address, ordering: .releasing)
        home.store(graph.number, ordering: .releasing)
      } else {
        state.change { $0.moreGraphs.append(graph.reference) }
      }
      return (state.details?.details.onUpdate ?? [], isHome)
    }
  }

  /// The atom with later values of this one, which is made if necessary.
  func paced(_ pace: Pace, _ make: () -> AnyAtomDefinition) -> AnyAtomDefinition {
    if let known = withState({ $0.details?.details.paced[pace] })?.object { return known }
    let new = make()
    let (known, former) = withState { state -> (AnyAtomDefinition?, [Pace: WeakDefinition]) in
      let former = state.details?.details.paced ?? [:]
      if let known = former[pace]?.object { return (known, former) }
      state.change { $0.paced[pace] = WeakDefinition(object: new) }
      return (nil, former)
    }
    withExtendedLifetime(former) {}
    return known ?? new
  }

  // MARK: Details

  var label: String {
    get { withState { $0.details?.details.label } ?? "\(file):\(lineAndLifetime.line)" }
    set { change { $0.label = newValue } }
  }

  /// How to reset the atom, or `nil` if a reset changes nothing.
  ///
  /// Called under a graph's lock. The caller takes the steps after unlocking.
  var resetSteps: ResetSteps? { initialValue.map { value in ResetSteps(bodies: onReset, initial: { value }) } }

  final var onReset: [@Sendable (AnyPublished) -> AnyPublished] { withState { $0.details?.details.onReset ?? [] } }

  /// Adds a closure for updates, and returns the owners of the graphs that already have a node of this atom.
  func add(_ handler: UpdateHandler) -> [GraphHandle] {
    // In one step, so that a graph that gets a node meanwhile adds the closure once.
    let references = withState { state in
      state.change { $0.onUpdate.append(handler) }
      return state.references
    }
    return references.compactMap { $0.handle }
  }

  private func change(_ body: (inout Details) -> Void) { withState { $0.change(body) } }
}
