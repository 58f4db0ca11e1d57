// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shape of SwiftUI's, so that a platform without it compiles and runs what Atoms adds for views.

public protocol DynamicProperty {
  mutating func update()
}

@propertyWrapper public struct State<Value>: DynamicProperty {
  private let value: Value

  public init(wrappedValue value: Value) { self.value = value }

  public var wrappedValue: Value {
    get { value }
    nonmutating set {}
  }

  public mutating func update() {}
}

extension State: Sendable where Value: Sendable {}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  private let get: @Sendable () -> Value
  private let set: @Sendable (Value) -> Void

  @preconcurrency public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
    (self.get, self.set) = (get, set)
  }

  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  public var projectedValue: Binding<Value> { self }

  public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
    nonisolated(unsafe) let (path, whole) = (path, self)
    return Binding<Part>(get: { whole.wrappedValue[keyPath: path] }, set: { whole.wrappedValue[keyPath: path] = $0 })
  }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

extension Binding: Identifiable where Value: Identifiable {
  public var id: Value.ID { wrappedValue.id }
}

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("a primitive view has no body") }
}

public struct ViewWithAction: View {
  nonisolated init() {}
  public var body: Never { fatalError("a primitive view has no body") }
}

extension View {
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    ViewWithAction()
  }
}

public struct Text: View {
  nonisolated public init(_ text: String) {}
  public var body: Never { fatalError("a primitive view has no body") }
}

public struct NavigationStack<Data, Root: View>: View {
  public init(path: Binding<Data>, root: () -> Root) {}
  public var body: Never { fatalError("a primitive view has no body") }
}

extension View {
  nonisolated public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, content: @escaping (Item) -> Content
  ) -> some View {
    ViewWithAction()
  }

  nonisolated public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View { ViewWithAction() }

  nonisolated public func navigationDestination<Data: Hashable, Destination: View>(
    for data: Data.Type, destination: @escaping (Data) -> Destination
  ) -> some View {
    ViewWithAction()
  }
}

public struct Button: View {
  nonisolated public init(_ title: String, action: @escaping @MainActor () -> Void) {}
  public var body: Never { fatalError("a primitive view has no body") }
}

public struct List<Element: Identifiable, Row: View>: View {
  public init(_ elements: [Element], row: @escaping (Element) -> Row) {}
  public var body: Never { fatalError("a primitive view has no body") }
}

public struct TupleView<each Content: View>: View {
  nonisolated init() {}
  public var body: Never { fatalError("a primitive view has no body") }
}

@resultBuilder public enum ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
    TupleView()
  }
}

extension View {
  nonisolated public func disabled(_ isDisabled: Bool) -> some View { ViewWithAction() }

  nonisolated public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View { ViewWithAction() }

  nonisolated public func task(@_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void)
    -> some View
  {
    ViewWithAction()
  }
}
