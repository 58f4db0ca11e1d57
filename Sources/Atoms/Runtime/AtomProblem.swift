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
  /// A transaction has run a hundred times, because other callers keep changing what it reads.
  ///
  /// This is a warning. It names the atoms that others had changed during the last run, at most ten, and each call of
  /// `transaction` or `update` reports it at most once.
  case repeatedTransaction([String])
  /// A value that code had set was reset, because nothing used the atom anymore.
  ///
  /// This is a warning. A debug build reports it once for each atom and store, unless the atom was created with a
  /// lifetime, or the value equals the one to which it was reset.
  case setValueReset(String)
  /// A binding or an atom was set, but the element or the optional value that it refers to does not exist. The set has
  /// no effect. This is a warning.
  case missingElement(String, of: String)
  /// Several elements of a collection have the same ID, so an ID finds only one of them. This is a warning.
  case duplicateID(String, in: String)

  /// Whether the problem is a warning, which the default handler prints and never traps for.
  public var isWarning: Bool {
    switch self {
    case .setInDerivation, .injectionInTransaction, .endlessDelivery, .endlessSetters: false
    case .repeatedTransaction, .setValueReset, .missingElement, .duplicateID: true
    }
  }

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
    case .repeatedTransaction(let atoms):
      """
      Atoms: a transaction has run 100 times without a commit, because other callers keep changing what it reads. \
      During the last run, they changed \(atoms.isEmpty ? "an injection or a setter" : atoms.joined(separator: ", ")). \
      Shorten the transaction, read fewer atoms in it, or change them less often.
      """
    case .setValueReset(let atom):
      """
      Atoms: \(atom) was set, and its value was reset because nothing uses the atom anymore. To keep such values, \
      create the atom with `lifetime: .kept`. If the reset is intended, use `lifetime: .whileUsed`.
      """
    case .missingElement(let element, let atom):
      """
      Atoms: \(element) of \(atom) was set, but it does not exist. The set has no effect, so the new value is lost. \
      Stop using the binding or the atom when its value is removed. To add the value, set \(atom) itself.
      """
    case .duplicateID(let id, let atom):
      """
      Atoms: several elements of \(atom) have the ID \(id), so bindings and atoms by ID find only one of them. \
      Give each element a unique ID.
      """
    }
  }
}

/// The closure that receives a store's problems.
final class ProblemHandler: Sendable {
  private let body: Locked<Body>

  /// A struct, because each access to a closure in a generic type would wrap it once more.
  private struct Body: Sendable {
    let call: @Sendable (AtomProblem) -> Void
  }

  init(_ body: @escaping @Sendable (AtomProblem) -> Void) {
    self.body = Locked(Body(call: body))
  }

  var handler: @Sendable (AtomProblem) -> Void {
    get { body.withLock { $0 }.call }
    set {
      let old = body.withLock { body in
        defer { body = Body(call: newValue) }
        return body
      }
      withExtendedLifetime(old) {}
    }
  }

  func report(_ problem: AtomProblem) { handler(problem) }

  /// Traps in a debug build, except for a warning.
  ///
  /// Otherwise, writes the message to standard error, but each warning only once.
  static let standard: @Sendable (AtomProblem) -> Void = { problem in
    if !problem.isWarning {
      assertionFailure(problem.description)
    } else if !warnings.withLock({ $0.insert(problem).inserted }) {
      return
    }
    writeLineToStandardError(problem.description)
  }

  /// The warnings that `standard` has written.
  private static let warnings = Locked<Set<AtomProblem>>([])
}
