#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// Reads and sets an atom like a variable.
///
/// ```swift
/// let textAtom = Atom("")
///
/// struct Editor {
///   @UseAtom(textAtom) var text
/// }
/// ```
///
/// Inside the closure of a derived atom, each read is a dependency, as for ``ReadableAtom/value``. A wrapper that the
/// closure declares and does not read is none.
///
/// The wrapper keeps the store that is current where the wrapper is created. Outside derivations, snapshots, and
/// transactions, the atom is in use there until the last copy of the wrapper is gone (A30 in <doc:AtomPromises>).
///
/// In a SwiftUI view, the wrapper is a `DynamicProperty`: the view is drawn again after each change of the atom.
@propertyWrapper
public struct UseAtom<Value: Sendable>: Sendable {
  @usableFromInline let reference: AtomReference<Value>
  #if canImport(SwiftUI)
    /// The part that lives as long as a view.
    @State var keptRedraw = Redraw()
    /// That part, or `nil` outside views.
    var redraw: Redraw?

    @usableFromInline
    func noteRead() { redraw?.noteRead() }
  #endif

  /// Creates a wrapper in the current store.
  ///
  /// - Parameter atom: The atom to read and set.
  public init(_ atom: some WritableAtom<Value>) { reference = AtomReference(atom.definition) }

  /// Creates a wrapper in the current store that follows the atom after a quiet time.
  ///
  /// It has the value that the atom has had for that time. In the closure of an ``AsyncAtom``, the value is the newest
  /// one. After a change, the state is loading at once, and the closure runs after the quiet time. See A26 in
  /// <doc:AtomPromises>.
  ///
  /// - Parameters:
  ///   - atom: The atom to read and set.
  ///   - time: The quiet time, as a `Duration` or in seconds. If it is zero or negative, each change counts after a hop
  ///     to another task. If it is a billion seconds or longer, such as `.infinity`, changes never count. NaN traps.
  public init(_ atom: some WritableAtom<Value>, debounce time: some DurationConvertible) {
    reference = AtomReference(atom.definition, .debounce(Pace.time(time)))
  }

  /// Creates a wrapper in the current store that follows the atom at most once per interval.
  ///
  /// It has the newest value at the end of each interval. In the closure of an ``AsyncAtom``, the value is the newest
  /// one. After a change, the state is loading at once, and the closure begins at most once in that time.
  ///
  /// - Parameters:
  ///   - atom: The atom to read and set.
  ///   - time: The time, as a `Duration` or in seconds. See ``init(_:debounce:)`` for special values.
  public init(_ atom: some WritableAtom<Value>, throttle time: some DurationConvertible) {
    reference = AtomReference(atom.definition, .throttle(Pace.time(time)))
  }

  /// The value of the atom.
  @inlinable
  public var wrappedValue: Value {
    get {
      #if canImport(SwiftUI)
        noteRead()
      #endif
      return reference.value
    }
    nonmutating set { reference.set(newValue) }
  }

  #if canImport(SwiftUI)
    /// A binding to the value.
    ///
    /// A set of a part reads and sets the whole value. It can overwrite a value that another thread sets at that
    /// moment. A view that only passes on the binding also redraws after each change.
    ///
    /// `ForEach` over a SwiftUI binding, and the binding's subscript, bind by index and can trap after a removal. Use
    /// `$items.elements` or `$items.element(id:)`, which bind by identity.
    public var projectedValue: Binding<Value> {
      // SwiftUI does not know which atom a binding with closures reads.
      redraw?.noteRead()
      return Binding(reference)
    }
  #else
    /// A binding to the value.
    public var projectedValue: AtomBinding<Value> { AtomBinding(reference) }
  #endif
}

/// Reads an atom like a variable.
///
/// ```swift
/// let numbersAtom = DerivedAtom {
///   @UseAtomValue(textAtom) var text
///   return text.filter(\.isNumber)
/// }
/// ```
///
/// Inside the closure of a derived atom, each read is a dependency, as for ``ReadableAtom/value``. A wrapper that the
/// closure declares and does not read is none.
///
/// The wrapper keeps the store that is current where the wrapper is created. Outside derivations, snapshots, and
/// transactions, the atom is in use there until the last copy of the wrapper is gone (A30 in <doc:AtomPromises>).
///
/// In a SwiftUI view, the wrapper is a `DynamicProperty`: the view is drawn again after each change of the atom.
@propertyWrapper
public struct UseAtomValue<Value: Sendable>: Sendable {
  @usableFromInline let reference: AtomReference<Value>
  #if canImport(SwiftUI)
    /// The part that lives as long as a view.
    @State var keptRedraw = Redraw()
    /// That part, or `nil` outside views.
    var redraw: Redraw?

    @usableFromInline
    func noteRead() { redraw?.noteRead() }
  #endif

  /// Creates a wrapper in the current store.
  ///
  /// - Parameter atom: The atom to read.
  public init(_ atom: some ReadableAtom<Value>) { reference = AtomReference(atom.definition) }

  /// Creates a wrapper in the current store that follows the atom after a quiet time.
  ///
  /// It has the value that the atom has had for that time. In the closure of an ``AsyncAtom``, the value is the newest
  /// one. After a change, the state is loading at once, and the closure runs after the quiet time. See A26 in
  /// <doc:AtomPromises>.
  ///
  /// - Parameters:
  ///   - atom: The atom to read.
  ///   - time: The quiet time, as a `Duration` or in seconds. If it is zero or negative, each change counts after a hop
  ///     to another task. If it is a billion seconds or longer, such as `.infinity`, changes never count. NaN traps.
  public init(_ atom: some ReadableAtom<Value>, debounce time: some DurationConvertible) {
    reference = AtomReference(atom.definition, .debounce(Pace.time(time)))
  }

  /// Creates a wrapper in the current store that follows the atom at most once per interval.
  ///
  /// It has the newest value at the end of each interval. In the closure of an ``AsyncAtom``, the value is the newest
  /// one. After a change, the state is loading at once, and the closure begins at most once in that time.
  ///
  /// - Parameters:
  ///   - atom: The atom to read.
  ///   - time: The time, as a `Duration` or in seconds. See ``init(_:debounce:)`` for special values.
  public init(_ atom: some ReadableAtom<Value>, throttle time: some DurationConvertible) {
    reference = AtomReference(atom.definition, .throttle(Pace.time(time)))
  }

  /// The value of the atom.
  @inlinable
  public var wrappedValue: Value {
    #if canImport(SwiftUI)
      noteRead()
    #endif
    return reference.value
  }
}
