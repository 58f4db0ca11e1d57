/// A store that is correct unless an action dispatches or a task is canceled.
///
/// It must pass the other workloads.
final class FairStore: QueuedStore {
  let cell = Cell()
  let gate = SharedGate()

  init(name: String) {}
}
