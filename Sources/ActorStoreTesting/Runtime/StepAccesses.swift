/// The numbers of the objects that the tasks of a simulation share, and what the running job holds.
struct StepAccesses {
  /// The numbers of the objects that the run has created, in this order.
  private var numbers: [ObjectIdentifier: UInt64] = [:]
  private var count: UInt64 = 0
  /// The accesses of the running job that later steps of the job repeat.
  var held: [Step.Access] = []
  /// Whether an actor has processed its mailbox, so that a search cannot know what the steps share.
  var hasMailbox = false

  /// Numbers a new object.
  ///
  /// Another object may have had the same address before.
  mutating func add(_ object: ObjectIdentifier) {
    numbers[object] = count
    count += 1
  }

  /// The number of an object.
  ///
  /// An object that exists outside of the run has the same address in each run, and thus the same number.
  func number(of object: ObjectIdentifier) -> UInt64 {
    numbers[object] ?? UInt64(UInt(bitPattern: object)) | 1 << 63
  }
}

extension SimulatedExecutor {
  func created(_ object: ObjectIdentifier) {
    if isRunningHere { accesses?.add(object) }
  }

  /// Adds an access to the current step.
  ///
  /// - Parameter isHeld: Whether the later steps of the job repeat it.
  func touched(_ object: ObjectIdentifier, isWrite: Bool, isHeld: Bool) {
    guard isRunningHere, verdict == nil, let number = accesses?.number(of: object) else { return }
    let access = Step.Access(object: number, isWrite: isWrite)
    ready.add(access)
    if isHeld, accesses?.held.contains(access) == false { accesses?.held.append(access) }
  }

  func touchAgain(_ held: [Step.Access]) {
    if !isRunningHere { return }
    accesses?.held = held
    for access in held { ready.add(access) }
  }

  func beginJob(_ kind: SwiftRuntime.Job) {
    accesses?.held = []
    guard case .other = kind else { return }
    accesses?.hasMailbox = true
    ready.makeOpaque()
  }
}
