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
  private let state = Locked(State())

  private struct State: Sendable {
    /// The atoms by the hash values of their parameters.
    var entries: [Int: [Entry]] = [:]
    var count = 0
    var countToSearch = 64
  }

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
    let hash = parameter.hashValue
    var new: Entry?
    var made: Member?
    while true {
      let known = state.withLock { $0.entries[hash] ?? [] }
      for entry in known where entry.parameter == parameter {
        if let member = entry.member { return Member(definition: member) }
      }
      let member = made ?? makeMember(parameter)
      made = member
      let entry = new ?? Entry(parameter, member.definition)
      new = entry
      if add(entry, hash, after: known) { return member }
    }
  }

  private func makeMember(_ parameter: Parameter) -> Member {
    let member = make.value(parameter)
    member.definition.joinFamily()
    return member
  }

  /// Adds an atom, or returns `false` if the atoms with its hash value have changed.
  private func add(_ entry: Entry, _ hash: Int, after known: [Entry]) -> Bool {
    let (isAdded, search) = state.withLock { state -> (Bool, [Int: [Entry]]) in
      guard (state.entries[hash] ?? []).map(ObjectIdentifier.init) == known.map(ObjectIdentifier.init) else {
        return (false, [:])
      }
      state.entries[hash, default: []].append(entry)
      state.count += 1
      return (true, state.count < state.countToSearch ? [:] : state.entries)
    }
    if !search.isEmpty { removeDead(search) }
    return isAdded
  }

  /// Removes the atoms that are gone: constant time for each added atom, on average.
  private func removeDead(_ entries: [Int: [Entry]]) {
    let dead = entries.mapValues { entries in entries.filter { $0.member == nil } }.filter { !$0.value.isEmpty }
    let former = state.withLock { state -> [Int: [Entry]] in
      let former = state.entries
      for (hash, dead) in dead {
        let before = state.entries[hash] ?? []
        let after = before.filter { entry in !dead.contains { $0 === entry } }
        state.entries[hash] = after.isEmpty ? nil : after
        state.count -= before.count - after.count
      }
      state.countToSearch = max(64, 2 * state.count)
      return former
    }
    withExtendedLifetime(former) {}
  }
}
