import SeededRandom

/// The formulas of a random graph, which need no atoms.
///
/// The first nodes are inputs. Each other node reads only nodes before it.
struct ChaosPlan: Sendable {
  /// A switch, one node for each side, the other nodes, and a modulus that makes equal results likely.
  private struct Node: Sendable {
    let condition: Int
    let sides: (Int, Int)
    let rest: [Int]
    let modulus: Int
  }

  let inputs: Int
  private let nodes: [Node]
  /// Whether the checker uses a wrong formula, so that it must report a violation.
  private let isWrong: Bool

  var count: Int { nodes.count }

  init(inputs: Int, derived: Int, isWrong: Bool, _ random: inout SplitMix64) {
    self.inputs = inputs
    self.isWrong = isWrong
    nodes = (inputs..<inputs + derived).map { before in
      Node(
        condition: random.below(before), sides: (random.below(before), random.below(before)),
        rest: (0..<random.below(3)).map { _ in random.below(before) }, modulus: [0, 2, 5, 1_000][random.below(4)])
    }
  }

  /// Returns whether threads inject the value of a derived node.
  func isInjectable(_ node: Int) -> Bool { node % 8 == 7 }

  /// Returns the value of a derived node from the values that a closure returns for earlier nodes.
  func formula(_ node: Int, _ read: (Int) -> Int) -> Int {
    let plan = nodes[node]
    var result = read(plan.condition) % 2 == 0 ? read(plan.sides.0) : read(plan.sides.1)
    for other in plan.rest { result = result &* 31 &+ read(other) }
    return plan.modulus == 0 ? result : result % plan.modulus
  }

  /// Returns the value that an injection gives to a derived node.
  func injected(_ node: Int, _ read: (Int) -> Int) -> Int { read(nodes[node].sides.0) &+ 100_003 }

  /// Returns the first derived value that differs from the formulas, as a sentence.
  ///
  /// - Parameters:
  ///   - inputs: The values of the inputs.
  ///   - derived: The values of the derived nodes. Nodes without a value are not checked. Injectable nodes need one.
  ///   - isInjected: Whether a node has an injection, or `nil` if another thread can change that.
  func problem(inputs: [Int], derived: [Int?], isInjected: (Int) -> Bool?) -> String? {
    var plain = inputs
    plain.reserveCapacity(inputs.count + count)
    for node in 0..<count {
      let own = formula(node) { plain[$0] } &+ (isWrong && node == 2 ? 1 : 0)
      guard isInjectable(node), let seen = derived[node] else {
        if let seen = derived[node], seen != own { return "derived \(node): expected \(own), saw \(seen)" }
        plain.append(own)
        continue
      }
      let injection = injected(node) { plain[$0] }
      let allowed = isInjected(node).map { [$0 ? injection : own] } ?? [own, injection]
      if !allowed.contains(seen) { return "injectable \(node): expected one of \(allowed), saw \(seen)" }
      plain.append(seen)
    }
    return nil
  }
}
