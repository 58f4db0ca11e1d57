/// Some callers of a piece of pure logic, in one of all the states that their steps can lead to.
///
/// A simulated schedule switches tasks at suspensions only; what goes wrong between two locked sections is out of its
/// sight. Where the logic under the lock is a struct, each locked section is one of its methods, and this is how to try
/// every order of them: write the callers down as values whose moves call one method each, and give the whole to
/// ``Interleavings``. Two or three callers are enough: hardly any bug needs a fourth.
///
/// The value holds all that is checked, so that two equal ones need to be looked at once only.
public protocol VirtualThreads: Hashable {
  /// One step of one caller.
  associatedtype Move

  /// The steps that can be taken now.
  var moves: [Move] { get }

  /// Whether it is right that nobody can take a step.
  var isFinished: Bool { get }

  /// The first rule that was broken.
  var violation: String? { get }

  /// Takes a step.
  mutating func take(_ move: Move)
}
