/// Describes the changes of the states of one type.
///
/// The object itself has no type parameter, so its code looks up no types at run time.
final class StateDifferences: Sendable {
  private enum Fields: Sendable {
    /// No state has been seen yet.
    case unknown
    /// The states have parts that are not scalars.
    case complex
    case scalars(ScalarFields)
  }

  private let limits: Dump.Limits
  private let fields = Locked(Fields.unknown)

  init(lines: Int) {
    var limits = Dump.Limits(lines: lines, elements: 20, characters: 200, depth: 8)
    limits.visits = 10_000
    self.limits = limits
  }

  /// Returns a description of the changes, which may be "no change", or `nil` if there are no states.
  ///
  /// The argument is optional because unwrapping it in the caller looks up its type at run time (HP14).
  func difference<State>(of states: ReportedStates<State>?) -> String? {
    guard let states else { return nil }
    return difference(from: states.old, to: states.new) ?? "no change"
  }

  private func difference<State>(from old: State, to new: State) -> String? {
    switch scalars(of: new)?.difference(from: old, to: new, limits: limits) {
    case .same: nil
    case .different(let text): text
    case .unknown, nil: Dump.difference(from: old, to: new, limits: limits)
    }
  }

  private func scalars<State>(of state: State) -> ScalarFields? {
    switch fields.withLock({ $0 }) {
    case .scalars(let scalars): return scalars
    case .complex: return nil
    case .unknown:
      // Several threads may learn the properties.
      let scalars = ScalarFields(of: state)
      fields.withLock { $0 = scalars.map(Fields.scalars) ?? .complex }
      return scalars
    }
  }
}
