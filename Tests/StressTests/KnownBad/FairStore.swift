/// A store that is correct unless an action dispatches or a task is canceled.
///
/// The other workloads must pass it.
final class FairStore: QueuedStore {
  let cell = Cell()
  let gate = SharedGate()

  init(name: String) {}
}
