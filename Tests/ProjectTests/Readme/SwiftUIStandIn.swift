#if !canImport(SwiftUI)
  // Declarations with the shape of SwiftUI's, so that platforms without it compile the README's view.

  @MainActor protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
  }

  @MainActor @resultBuilder enum ViewBuilder {
    static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
      TupleView(content: (repeat each content))
    }
  }

  extension Never: View {
    var body: Never { fatalError("a primitive view has no body") }
  }

  struct TupleView<each Content: View>: View {
    let content: (repeat each Content)
    var body: Never { fatalError("a primitive view has no body") }
  }

  struct VStack<Content: View>: View {
    let content: Content
    init(@ViewBuilder content: () -> Content) { self.content = content() }
    var body: Never { fatalError("a primitive view has no body") }
  }

  struct Text: View {
    let string: String
    init(_ string: String) { self.string = string }
    var body: Never { fatalError("a primitive view has no body") }
  }

  struct Button: View {
    let title: String
    let action: @MainActor () -> Void
    init(_ title: String, action: @escaping @MainActor () -> Void) { (self.title, self.action) = (title, action) }
    var body: Never { fatalError("a primitive view has no body") }
  }
#endif
