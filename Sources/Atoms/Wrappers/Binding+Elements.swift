#if canImport(SwiftUI)
  public import SwiftUI

  extension Binding
  where
    Value: MutableCollection & Sendable, Value.Element: Identifiable & Sendable, Value.Index: Sendable,
    Value.Element.ID: Sendable
  {
    /// A binding to the element with an identity, wherever it is in the collection.
    ///
    /// It behaves like the one of ``AtomBinding/element(id:)``. If the element is gone, the current store reports the
    /// sets.
    ///
    /// - Parameter id: The identity.
    /// - Returns: The binding, or `nil` if there is no such element.
    public func element(id: Value.Element.ID) -> Binding<Value.Element>? {
      AtomBinding(ViewTarget(binding: self)).element(id: id).map { Binding<Value.Element>($0) }
    }

    /// A binding to each element by its identity, in the order of the elements.
    ///
    /// It behaves like ``AtomBinding/elements``. A `ForEach` over the binding itself binds by index instead.
    public var elements: [Binding<Value.Element>] {
      AtomBinding(ViewTarget(binding: self)).elements.map { Binding<Value.Element>($0) }
    }
  }

  extension Binding {
    /// A binding to the value of an optional.
    ///
    /// It behaves like ``AtomBinding/unwrapped()``.
    ///
    /// - Returns: The binding, or `nil` if the value is `nil`.
    public func unwrapped<Wrapped: Sendable>() -> Binding<Wrapped>? where Value == Wrapped? {
      AtomBinding(ViewTarget(binding: self)).unwrapped().map { Binding<Wrapped>($0) }
    }

    init(_ binding: AtomBinding<Value>) where Value: Sendable {
      self.init(get: { binding.wrappedValue }, set: { binding.wrappedValue = $0 })
    }
  }

  /// A value behind a binding of SwiftUI, which may be outside atoms.
  private struct ViewTarget<Value: Sendable>: BindingTarget {
    let binding: Binding<Value>

    var atomStore: AtomStore? { nil }
    var label: String { "a binding" }
    var value: Value { binding.wrappedValue }

    func set(_ value: Value) { binding.wrappedValue = value }

    func update(_ body: (inout Value) -> Bool) -> Bool {
      var value = value
      if !body(&value) { return false }
      set(value)
      return true
    }
  }
#endif
