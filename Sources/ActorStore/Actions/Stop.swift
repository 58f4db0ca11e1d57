/// The reason that the run of an action in middleware ends without a result.
@frozen public indirect enum Stop<Failure: Error>: Error {
  /// The action failed, and its caller gets the error.
  case failed(Failure)
  /// The action is refused, and its caller gets ``Outcome/vetoed(_:)``.
  case vetoed(Veto)
}

extension Stop: Equatable where Failure: Equatable {}
