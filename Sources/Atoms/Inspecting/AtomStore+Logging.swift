import ActorStore

extension AtomStore {
  /// The atoms whose changes a log contains.
  public enum DebugScope: Sendable {
    /// Only these atoms.
    case include([any ReadableAtom])
    /// All but these atoms.
    case exclude([any ReadableAtom])

    fileprivate var scope: AtomLogScope {
      switch self {
      case .include(let atoms): .include(atoms.map(Self.definition))
      case .exclude(let atoms): .exclude(atoms.map(Self.definition))
      }
    }

    private static func definition(of atom: any ReadableAtom) -> AnyAtomDefinition {
      func open<A: ReadableAtom>(_ atom: A) -> AnyAtomDefinition { atom.definition }
      return open(atom)
    }
  }

  /// Reports each change of an atom's value in this store.
  ///
  /// There is one entry for each changed atom and revision, in the order of the revisions. A derived atom changes when
  /// it is computed and has another value, so a derived atom that nothing computes has no entry. The entry of a derived
  /// atom can follow those of later revisions if other threads set atoms while it is computed. The sink runs like a
  /// callback: without a lock, one call at a time, on the thread that delivers. A second call replaces the sink and the
  /// scope.
  ///
  /// - Parameters:
  ///   - debugScope: The atoms to report, or `nil` for all.
  ///   - sink: The closure that gets the entries. By default, it prints them.
  /// - Returns: The same store.
  @discardableResult
  public func enableAtomLogging(
    debugScope: DebugScope? = nil,
    to sink: @escaping @Sendable (AtomChange) -> Void = { print($0) }
  ) -> AtomStore {
    let new = ChangeLog(debugScope?.scope ?? .all, sink)
    let old = core.state.withLockBackingOff { state in
      defer { state.log = new }
      return state.log
    }
    withExtendedLifetime(old) {}
    return self
  }

  /// Ends the report of changes.
  public func disableAtomLogging() {
    let old = core.state.withLockBackingOff { $0.log.take() }
    withExtendedLifetime(old) {}
  }
}
