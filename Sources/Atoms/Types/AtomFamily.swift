import ActorStore

/// Atoms by parameter.
///
/// ```swift
/// let userAtom = AtomFamily { (id: Int) in Atom("user \(id)") }
/// userAtom(1).value = "Ada"
/// print(userAtom(1).value)  // Ada
/// ```
///
/// An equal parameter gives the same atom while someone holds it, and while a store needs it: because the atom is in
/// use there, has a value that was set, has an injection, or because a derived value there depends on it. After that,
/// the stores release the atom at one of their next changes to families. The next call with the parameter then creates
/// another atom, which has the default value.
///
/// A call takes constant time on average. Any thread can call a family at any time. The closure, and the `==` and the
/// hash function of parameters, run without a lock.
public final class AtomFamily<Parameter: Hashable & Sendable, Member: ReadableAtom>: Sendable {
  private let make: Held<@Sendable (Parameter) -> Member>
  private let entries = Locked(LinearHashTable<Entry>())

  private final class Entry: Sendable {
    let parameter: Parameter
    private let definition: WeakDefinition

    init(_ parameter: Parameter, _ definition: AtomDefinition<Member.Value>) {
      self.parameter = parameter
      self.definition = WeakDefinition(definition)
    }

    /// The identity of the atom, or `nil` if it is gone.
    ///
    /// The caller releases it without a lock.
    var member: AtomDefinition<Member.Value>? { definition.object }
  }

  private struct WeakDefinition: Sendable {
    weak var object: AtomDefinition<Member.Value>?

    init(_ object: AtomDefinition<Member.Value>) { self.object = object }
  }

  /// Creates a family.
  ///
  /// - Parameter make: A closure that creates the atom for a parameter. If several threads need the atom at the same
  ///   moment, it can run on each of them, and all get one of the results.
  public init(_ make: @escaping @Sendable (Parameter) -> Member) { self.make = Held(make) }

  /// The atom for a parameter.
  ///
  /// - Parameter parameter: The parameter.
  /// - Returns: The atom, which is created if necessary.
  public func callAsFunction(_ parameter: Parameter) -> Member {
    // The low bits of `hashValue` may be constant, if a type implements it itself.
    var hasher = Hasher()
    hasher.combine(parameter)
    let hash = hasher.finalize()
    var new: Entry?
    var made: Member?
    while true {
      let known = entries.withLock { $0.slots(hash) }
      for slot in known where slot.hash == hash && slot.element.parameter == parameter {
        if let member = slot.element.member { return Member(definition: member) }
      }
      let member = made ?? makeMember(parameter)
      made = member
      let entry = new ?? Entry(parameter, member.definition)
      new = entry
      if add(entry, hash, after: known) { return member }
    }
  }

  private func makeMember(_ parameter: Parameter) -> Member {
    // Another thread can be making the same member.
    if Graph.isSimulated { SimulationHooks.point() }
    let member = make.value(parameter)
    member.definition.joinFamily()
    return member
  }

  /// Adds an atom, or returns `false` if the atoms with its hash value have changed.
  private func add(_ entry: Entry, _ hash: Int, after known: [LinearHashTable<Entry>.Slot]) -> Bool {
    let examined = entries.withLock { entries -> [LinearHashTable<Entry>.Slot]? in
      let former = known.compactMap { $0.hash == hash ? $0.element : nil }
      guard entries.elements(hash).elementsEqual(former, by: ===) else { return nil }
      entries.insert(entry, hash)
      // Each new atom searches two buckets for entries of released atoms, so that these do not accumulate.
      return entries.nextBucket() + entries.nextBucket()
    }
    guard let examined else { return false }
    for slot in examined where slot.element.member == nil { remove(slot) }
    return true
  }

  /// Removes the entry of a released atom.
  private func remove(_ slot: LinearHashTable<Entry>.Slot) {
    // The parameter is released without the lock.
    let removed = entries.withLock { $0.remove(slot.hash) { $0 === slot.element } }
    withExtendedLifetime(removed) {}
  }
}
