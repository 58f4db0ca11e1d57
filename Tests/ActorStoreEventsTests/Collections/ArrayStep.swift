@testable import ActorStoreEvents

/// An operation on an identified array and on a plain array, which is the model.
///
/// A step whose positions do not exist in the array does nothing.
struct ArrayStep: CustomStringConvertible, Sendable {
  let description: String
  /// Each closure returns the text of the operation's result.
  let change: @Sendable (inout IdentifiedArray<Item>) -> String
  let changeModel: @Sendable (inout [Item]) -> String

  init(
    _ description: String,
    _ change: @escaping @Sendable (inout IdentifiedArray<Item>) -> Any?,
    model: @escaping @Sendable (inout [Item]) -> Any?
  ) {
    self.description = description
    self.change = { array in change(&array).map { "\($0)" } ?? "nil" }
    changeModel = { array in model(&array).map { "\($0)" } ?? "nil" }
  }

  /// Performs the step on both, and returns a description of the difference if they differ.
  func perform(_ array: inout IdentifiedArray<Item>, _ model: inout [Item]) -> String? {
    let (result, expected) = (change(&array), changeModel(&model))
    if result != expected { return "\(self) returned \(result), not \(expected)" }
    if array.elements != model { return "after \(self), the array is \(array), not \(model)" }
    return array.inconsistency.map { "after \(self), \($0)" }
  }
}

extension IdentifiedArray {
  /// A description of an ID that leads to a wrong position.
  var inconsistency: String? {
    if labels.count != storage.count { return "\(labels.count) IDs lead to \(storage.count) elements" }
    for (position, element) in storage.enumerated() {
      let found = index(id: element.id)
      if found != position { return "the ID \(element.id) leads to \(String(describing: found)), not \(position)" }
    }
    return nil
  }
}

extension [Item] {
  func position(_ id: Int) -> Int? { firstIndex { $0.id == id } }

  /// The positions that exist, in ascending order.
  func existing(_ positions: [Int]) -> [Int] { Set(positions).filter(indices.contains).sorted() }
}
