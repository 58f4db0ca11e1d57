import ActorStore
import SeededRandom

/// A state with values that change independently of each other.
struct Sheet: Sendable {
  struct Pair: Equatable, Sendable {
    var first = [0]
    var second = [0]
  }

  /// The number of commits.
  var version = 0
  var numbers = [0, 0, 0, 0]
  var pair = Pair()
  private var delay: UInt64 = 0

  var halves: [Int] { numbers.map { $0 / 2 } }

  /// Changes something, or only the version.
  mutating func change(_ what: Int) {
    delay = Self.linger()
    version += 1
    switch what % 8 {
    case 0...3: numbers[what % 4] += 1
    case 4: pair.first[0] += 1
    case 5: pair.second[0] += 1
    case 6: (numbers[0], pair.first[0]) = (numbers[0] + 1, pair.first[0] + 1)
    default: break
    }
  }
}

extension Sheet {
  /// Takes so long that other threads meet an edit in place.
  static func linger() -> UInt64 {
    var random = SplitMix64(0)
    return (0..<500).reduce(0) { sum, _ in sum ^ random.next() }
  }
}

/// A selection, and the values that it should have.
struct Choice: Sendable {
  let name: String
  let select: @Sendable (Store<Sheet>) -> Selected<Sheet, [Int]>
  /// Its value in a state, computed without the library.
  let value: @Sendable (Sheet) -> [Int]
  /// The part of a value that the comparison looks at.
  let compared: @Sendable ([Int]) -> [Int]
  /// Whether a commit counts as a change.
  let isChange: @Sendable (_ last: Sheet, _ new: Sheet) -> Bool

  init(
    _ name: String, _ value: @escaping @Sendable (Sheet) -> [Int],
    compared: @escaping @Sendable ([Int]) -> [Int] = { $0 },
    isChange: (@Sendable (_ last: Sheet, _ new: Sheet) -> Bool)? = nil,
    _ select: @escaping @Sendable (Store<Sheet>) -> Selected<Sheet, [Int]>
  ) {
    (self.name, self.select, self.value, self.compared) = (name, select, value, compared)
    self.isChange = isChange ?? { compared(value($0)) != compared(value($1)) }
  }

  // MARK: Kept selections

  /// A value that cannot be compared.
  private struct Opaque: Sendable {
    let values: [Int]
  }

  private static let closure = Selection { (sheet: Sheet) in [sheet.numbers[0], sheet.pair.second[0]] }
  private static let pair = Selection { (sheet: Sheet) in sheet.pair }
  private static let inputs = Selection(\Sheet.numbers, \.pair.first) { numbers, first in numbers + first }
  private static let otherInputs = Selection(\Sheet.numbers, \.halves) { numbers, halves in halves + numbers }
  private static let mapped = closure.map { $0.map { $0 / 3 } }
  private static let combined = Selection.combine(Selection(\Sheet.numbers), closure).map { $0 + $1 }
  private static let deep = Selection.combine(mapped, combined, inputs).map { $0 + $1 + $2 }.map { $0.map { $0 / 2 } }
  private static let opaque = Selection { (sheet: Sheet) in Opaque(values: sheet.pair.first) }.map { $0.values }
  private static let members = Selection.family { (number: Int) in
    Selection { (sheet: Sheet) in [sheet.numbers[number % 4], number] }
  }
  private static let halvedMembers = Selection.family { (number: Int) in
    Selection(\Sheet.numbers) { numbers in [numbers[number % 4] / 2] }
  }
  private static let byHalf = SelectionComparison<[Int]>.by { $0.map { $0 / 2 } == $1.map { $0 / 2 } }
  private static let halved: @Sendable ([Int]) -> [Int] = { $0.map { $0 / 2 } }

  static let all =
    [
      Choice("a stored path", { $0.numbers }) { $0.select(\.numbers) },
      Choice("a path in a part", { $0.pair.first }) { $0.select(\.pair.first) },
      Choice("an appended path", { $0.pair.second }) { $0.select(Selection(\.pair).appending(\.second)) },
      Choice("a computed path", { $0.halves }) { $0.select(\.halves) },
      Choice("a closure", { [$0.numbers[0], $0.pair.second[0]] }) { $0.select(closure) },
      Choice("a part of a closure", { $0.pair.second }) { $0.select(pair.appending(\.second)) },
      Choice("inputs", { $0.numbers + $0.pair.first }) { $0.select(inputs) },
      Choice("other inputs", { $0.halves + $0.numbers }) { $0.select(otherInputs) },
      Choice("map", { [$0.numbers[0] / 3, $0.pair.second[0] / 3] }) { $0.select(mapped) },
      Choice("combine", { $0.numbers + [$0.numbers[0], $0.pair.second[0]] }) { $0.select(combined) },
      Choice("a chain", { halved(expectedOfDeep($0)) }) { $0.select(deep) },
      Choice("map without a comparison", { $0.pair.first }) { $0.select(opaque) },
      Choice("always", { $0.pair.first }, isChange: { _, _ in true }) {
        $0.select(Selection(\.pair.first), .always)
      },
      Choice(
        "inputs, always", { $0.numbers + $0.pair.first },
        isChange: { $0.numbers != $1.numbers || $0.pair.first != $1.pair.first }
      ) { $0.select(inputs, .always) },
      Choice("a stored path, by", { $0.numbers }, compared: halved) { $0.select(Selection(\.numbers), byHalf) },
      Choice("a computed path, by", { $0.halves }, compared: halved) { $0.select(Selection(\.halves), byHalf) },
      Choice("inputs, by", { $0.halves + $0.numbers }, compared: halved) { $0.select(otherInputs, byHalf) },
    ]
    + (0..<6).flatMap { number in
      [
        Choice("member \(number)", { [$0.numbers[number % 4], number] }) { $0.select(members(number)) },
        Choice("halved member \(number)", { [$0.numbers[number % 4] / 2] }) { $0.select(halvedMembers(number)) },
        Choice("member \(number), always", { [$0.numbers[number % 4], number] }, isChange: { _, _ in true }) {
          $0.select(members(number), .always)
        },
      ]
    }

  private static let expectedOfDeep: @Sendable (Sheet) -> [Int] = { sheet in
    let closure = [sheet.numbers[0], sheet.pair.second[0]]
    return closure.map { $0 / 3 } + sheet.numbers + closure + sheet.numbers + sheet.pair.first
  }
}
