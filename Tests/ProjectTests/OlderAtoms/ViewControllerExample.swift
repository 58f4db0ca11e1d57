import Atoms

#if canImport(Combine)
  import Combine
#endif
#if canImport(UIKit)
  import UIKit
#endif

class ViewController: UIViewController {
  @CaptureAtomPublisher(searchTextAtom) var searchTextPublisher
  private let label = UILabel()
  #if !canImport(Combine)
    // Without Combine, there is no `AnyCancellable`.
    private var cancellable: Task<Void, Never>?
    deinit { cancellable?.cancel() }
  #else
    private var cancellable: AnyCancellable?
  #endif
  override func viewDidLoad() {
    super.viewDidLoad()
    view.addSubview(label)
    // The value of the wrapper is a stream, which has no `sink`. The wrapper also has a publisher.
    #if !canImport(Combine)
      cancellable = Task { [weak self, searchTextPublisher] in
        for await text in searchTextPublisher {
          self?.label.text = text
        }
      }
    #else
      cancellable = _searchTextPublisher.publisher
        .sink { [weak self] text in
          self?.label.text = text
        }
    #endif
  }
}
