/// Nothing is wrong with it, as long as nobody dispatches inside an action or is cancelled: the workloads must pass it.
final class FairStore: QueuedStore {
  let cell = Cell()
  let gate = SharedGate()

  init(name: String) {}
}
