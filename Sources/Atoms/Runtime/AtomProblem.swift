import ActorStore

/// A mistake in the use of atoms that a store reports without stopping.
public enum AtomProblem: Hashable, Sendable, CustomStringConvertible {
  /// The closure of a derived atom, or a snapshot, has set an atom. The set has no effect.
  case setInDerivation(String, in: String)
  /// A transaction has injected an atom. The injection has no effect.
  case injectionInTransaction(String)
  /// Callbacks have set atoms a thousand times in a row, each as the result of the one before.
  case endlessDelivery([String])
  /// Setters of `GetSetAtom`s have changed what other setters read a thousand times in a row.
  case endlessSetters([String])

  /// A message that says what happened, why it is a problem, and what to do instead.
  public var description: String {
    switch self {
    case .setInDerivation(let atom, let derivation):
      """
      Atoms: \(atom) was set in \(derivation), which must only read. The set has no effect. Set it where the change \
      happens, or derive its value.
      """
    case .injectionInTransaction(let atom):
      """
      Atoms: \(atom) was injected in a transaction, which cannot undo this. The injection has no effect. Inject it \
      before the transaction.
      """
    case .endlessDelivery(let atoms):
      """
      Atoms: callbacks have set atoms 1000 times in a row, each as the result of the one before. The last round \
      changed \(atoms.joined(separator: ", ")). Do not set an atom in its own callback without a condition.
      """
    case .endlessSetters(let atoms):
      """
      Atoms: the setters of \(atoms.joined(separator: ", ")) keep changing values that other setters read. The values \
      of the last round remain. Do not read in a setter a value that another setter changes.
      """
    }
  }
}

/// The closure that receives a store's problems.
final class ProblemHandler: Sendable {
  private let body: Locked<@Sendable (AtomProblem) -> Void>

  init(_ body: @escaping @Sendable (AtomProblem) -> Void) {
    self.body = Locked(body)
  }

  var handler: @Sendable (AtomProblem) -> Void {
    get { body.withLock { $0 } }
    set {
      let old = body.withLock { body in
        defer { body = newValue }
        return body
      }
      withExtendedLifetime(old) {}
    }
  }

  func report(_ problem: AtomProblem) { handler(problem) }

  /// Traps in a debug build.
  ///
  /// Otherwise, writes the message to standard error.
  static let standard: @Sendable (AtomProblem) -> Void = { problem in
    assertionFailure(problem.description)
    writeLineToStandardError(problem.description)
  }
}
