import Atoms

/// Atoms with `onReset` closures.
///
/// One thread sets and resets them.
struct ChaosResets: Sendable {
  private static let initial = 7

  /// The number of runs of the first closure of `plain`.
  let runs = Tally()
  /// An atom with two closures, the first of which reads an atom that the same thread sets.
  let plain: Atom<Int>
  /// An atom whose closure reads an atom that all threads set.
  let mixed: Atom<Int>
  /// An atom with a setter.
  ///
  /// Its `onReset` closure gets the current value.
  let half: GetSetAtom<Int>

  init(_ step: Atom<Int>, _ shared: Atom<Int>) {
    let runs = runs
    plain = Atom(Self.initial, lifetime: .kept).onReset {
      runs.add(1)
      $0 += step.value
    }.onReset {
      $0 *= 2
    }
    mixed = Atom(Self.initial, lifetime: .kept).onReset { $0 += shared.value }
    let part = Atom(0, lifetime: .kept)
    half = GetSetAtom {
      part.value
    } set: {
      part.value = $0
    }.onReset { $0 = Self.halved($0) }
  }

  static func plain(_ step: Int) -> Int { (initial + step) * 2 }
  static func mixed(_ shared: Int) -> Int { initial + shared }
  static func halved(_ value: Int) -> Int { value / 2 + 1 }
  static let initialPlain = initial
}
