/// Reads and changes the value that a binding refers to.
protocol BindingTarget<Value>: Sendable {
  associatedtype Value: Sendable

  /// The store of the atom, or `nil` if the value may be outside atoms.
  var atomStore: AtomStore? { get }
  /// The label of the atom.
  var label: String { get }

  var value: Value { get }

  func set(_ value: Value)

  /// Changes the value as one step, unless the closure returns `false`.
  ///
  /// - Parameter body: A closure that changes the value. It can run more than once.
  /// - Returns: Whether the value was set.
  func update(_ body: (inout Value) -> Bool) -> Bool
}

extension BindingTarget {
  func report(_ problem: AtomProblem) { (atomStore ?? .current).report(problem) }
}

extension AtomReference: BindingTarget {
  var atomStore: AtomStore? { store }
  var label: String { definition.label }
}

/// The part of a value at a key path.
struct PartTarget<Whole: Sendable, Value: Sendable>: BindingTarget {
  let whole: any BindingTarget<Whole>
  let path: any WritableKeyPath<Whole, Value> & Sendable

  var atomStore: AtomStore? { whole.atomStore }
  var label: String { whole.label }
  var value: Value { whole.value[keyPath: path] }

  func set(_ value: Value) {
    _ = whole.update { whole in
      whole[keyPath: path] = value
      return true
    }
  }

  func update(_ body: (inout Value) -> Bool) -> Bool { whole.update { body(&$0[keyPath: path]) } }
}
