#if canImport(Combine)
  public import Combine

  extension CaptureAtomPublisher {
    /// A publisher of the current and later values.
    ///
    /// The subscriber is called like a closure of ``AtomStore/observe(_:_:)``.
    public var publisher: AnyPublisher<Value, Never> {
      Deferred {
        // Safe: a subject can be sent values from any thread.
        nonisolated(unsafe) let values = CurrentValueSubject<Value?, Never>(nil)
        let observation = observe { unsafe values.send($0) }
        return unsafe values.compactMap { $0 }.handleEvents(receiveCancel: { observation.cancel() })
      }
      .eraseToAnyPublisher()
    }
  }
#endif
