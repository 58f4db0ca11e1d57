#if !canImport(SwiftUI)
  import Atoms

  // Declarations that mirror those of SwiftUI, so that platforms without SwiftUI compile the views in the documents.

  @MainActor protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
  }

  typealias Binding = AtomBinding

  /// A view without a body, which a `Screen` shows.
  @MainActor protocol Control: View where Body == Never {
    func show(on screen: Screen)
  }

  extension Control {
    var body: Never { fatalError("a primitive view has no body") }
  }

  extension Never: View {
    var body: Never { fatalError("a primitive view has no body") }
  }

  @MainActor @resultBuilder enum ViewBuilder {
    static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
      TupleView(content: (repeat each content))
    }

    static func buildEither<One: View, Other: View>(first: One) -> EitherView<One, Other> { .first(first) }

    static func buildEither<One: View, Other: View>(second: Other) -> EitherView<One, Other> { .second(second) }
  }

  struct TupleView<each Content: View>: Control {
    let content: (repeat each Content)

    func show(on screen: Screen) { repeat screen.show(each content) }
  }

  enum EitherView<One: View, Other: View>: Control {
    case first(One)
    case second(Other)

    func show(on screen: Screen) {
      switch self {
      case .first(let view): screen.show(view)
      case .second(let view): screen.show(view)
      }
    }
  }

  /// The controls that a view shows, from top to bottom.
  @MainActor final class Screen {
    var texts: [String] = []
    var fields: [TextField] = []
    var buttons: [Button] = []
    var progressViews = 0

    init(_ view: some View) { show(view) }

    func show(_ view: some View) {
      if let control = view as? any Control { control.show(on: self) } else { show(view.body) }
    }
  }
#endif
