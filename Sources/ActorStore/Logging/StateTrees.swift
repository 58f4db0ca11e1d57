/// Describes whole states.
///
/// The object has no type parameter, so its code looks up no types at run time.
final class StateTrees: Sendable {
  private let limits: Dump.Limits

  init(lines: Int) {
    limits = Dump.Limits(lines: lines, elements: 100, characters: 200, depth: 16)
  }

  /// Returns a description of the new state, or `nil` if there are no states.
  ///
  /// The argument is optional because unwrapping it in the caller looks up its type at run time (HP14).
  func text<State>(of states: ReportedStates<State>?) -> String? {
    states.map { Dump.text(of: $0.new, style: .outline, limits: limits) }
  }
}
