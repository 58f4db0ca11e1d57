/// The state of several virtual threads that call a piece of pure logic.
///
/// A simulated schedule switches tasks only at suspensions and at calls to stores and atoms, so it cannot find errors
/// between two locked sections. If the logic under the lock is a struct, each locked section is a call to one of its
/// methods. To try every order of the calls, model the callers as values whose moves call one method each, and pass the
/// combined state to ``Interleavings``. Two or three callers are usually enough, because hardly any bug needs a fourth.
///
/// A value must contain everything to check, because equal values are visited only once.
public protocol VirtualThreads: Hashable {
  /// A step of one thread.
  associatedtype Move

  /// The moves that are possible now.
  var moves: [Move] { get }

  /// Whether the threads have finished, so that no move needs to be possible.
  var isFinished: Bool { get }

  /// The first broken rule, or `nil` if there is none.
  var violation: String? { get }

  /// Takes a move.
  ///
  /// - Parameter move: One of the possible moves.
  mutating func take(_ move: Move)
}
