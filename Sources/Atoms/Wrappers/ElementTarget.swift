import ActorStore

/// A part of a value that can be missing.
///
/// While it is missing, a read returns its last value, and a set has no effect and is reported.
final class ElementTarget<Location: ElementLocation>: BindingTarget {
  typealias Value = Location.Element

  private let whole: any BindingTarget<Location.Whole>
  private let location: Location
  private let last: Locked<Value?>

  /// - Parameter last: The value, or `nil` if the part is missing from the beginning.
  init(_ whole: any BindingTarget<Location.Whole>, _ location: Location, last: Value?) {
    self.whole = whole
    self.location = location
    self.last = Locked(last)
  }

  var atomStore: AtomStore? { whole.atomStore }
  var label: String { whole.label }

  var value: Value {
    if let value = location.element(in: whole.value) {
      remember(value)
      return value
    }
    guard let value = last.withLock({ $0 }) else {
      fatalError(
        """
        Atoms: \(location.name) of \(label) was read through a binding, but it does not exist, and the binding has no \
        last value to return. Check the index before you make the binding.
        """)
    }
    return value
  }

  func set(_ value: Value) {
    _ = update { element in
      element = value
      return true
    }
  }

  func update(_ body: (inout Value) -> Bool) -> Bool {
    var new: Value?
    var isMissing = false
    let isSet = whole.update { whole in
      (new, isMissing) = (nil, false)
      let isSet = location.update(&whole) { element in
        if !body(&element) { return false }
        new = element
        return true
      }
      isMissing = isSet == nil
      return isSet ?? false
    }
    if let new { remember(new) }
    if isMissing { report(.missingElement(location.name, of: label)) }
    return isSet
  }

  private func remember(_ value: Value) {
    // The release of the former value may run code of the user.
    let former = last.withLock { last in
      defer { last = value }
      return last
    }
    withExtendedLifetime(former) {}
  }
}

/// Finds a part of a value that can be missing.
protocol ElementLocation<Whole, Element>: Sendable {
  associatedtype Whole: Sendable
  associatedtype Element: Sendable

  /// The part, for messages.
  var name: String { get }

  /// The part of the current value, or `nil` if it is missing.
  func element(in whole: Whole) -> Element?

  /// Changes the part, and returns the closure's result, or `nil` if it is missing.
  func update(_ whole: inout Whole, _ body: (inout Element) -> Bool) -> Bool?
}

/// The element at an index.
struct IndexLocation<Whole: MutableCollection & Sendable>: ElementLocation
where Whole.Element: Sendable, Whole.Index: Sendable {
  let index: Whole.Index

  var name: String { "the element at index \(index)" }

  func element(in whole: Whole) -> Whole.Element? { whole.hasElement(at: index) ? whole[index] : nil }

  func update(_ whole: inout Whole, _ body: (inout Whole.Element) -> Bool) -> Bool? {
    whole.hasElement(at: index) ? body(&whole[index]) : nil
  }
}

/// The element with an identity.
struct IDLocation<Whole: MutableCollection & Sendable>: ElementLocation
where Whole.Element: Identifiable & Sendable, Whole.Index: Sendable, Whole.Element.ID: Sendable {
  let id: Whole.Element.ID
  /// Where the element was first.
  let index: Whole.Index
  /// The current elements, which all bindings that were made together share.
  ///
  /// So after a change of the order, n bindings find their elements in O(n) steps.
  let table: @Sendable () -> ElementTable<Whole, Whole.Element.ID>

  var name: String { "the element with the ID \(id)" }

  func element(in whole: Whole) -> Whole.Element? { isFirst(in: whole) ? whole[index] : table()[id] }

  func update(_ whole: inout Whole, _ body: (inout Whole.Element) -> Bool) -> Bool? {
    if isFirst(in: whole) { return body(&whole[index]) }
    return whole.firstIndex { $0.id == id }.map { body(&whole[$0]) }
  }

  /// Whether the element is where it was first.
  private func isFirst(in whole: Whole) -> Bool { whole.hasElement(at: index) && whole[index].id == id }
}

/// The value of an optional.
struct UnwrappedLocation<Element: Sendable>: ElementLocation {
  var name: String { "the value" }

  func element(in whole: Element?) -> Element? { whole }

  func update(_ whole: inout Element?, _ body: (inout Element) -> Bool) -> Bool? {
    // A copy, because the element may not be missing afterward.
    guard var element = whole else { return nil }
    let isSet = body(&element)
    if isSet { whole = element }
    return isSet
  }
}

extension Collection {
  fileprivate func hasElement(at index: Index) -> Bool { index >= startIndex && index < endIndex }
}
