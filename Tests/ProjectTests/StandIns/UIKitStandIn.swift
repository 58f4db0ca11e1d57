#if !canImport(UIKit)
  // Declarations that mirror those of UIKit, so that platforms without UIKit compile and run an example.

  @MainActor class UIView {
    private(set) var subviews: [UIView] = []

    func addSubview(_ view: UIView) { subviews.append(view) }
  }

  final class UILabel: UIView {
    /// The texts that the label has had.
    let texts: AsyncStream<String?>
    private let continuation: AsyncStream<String?>.Continuation

    var text: String? { didSet { continuation.yield(text) } }

    override init() { (texts, continuation) = AsyncStream.makeStream() }
  }

  @MainActor class UIViewController {
    let view = UIView()

    func viewDidLoad() {}
  }
#endif
