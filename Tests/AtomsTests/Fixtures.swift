import ActorStore
import Foundation
import Synchronization

@testable import Atoms

/// A counter that closures of atoms can increment.
final class Tally: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add() { count.wrappingAdd(1, ordering: .relaxed) }

  func reset() { count.store(0, ordering: .relaxed) }

  /// Adds one, and returns the new count.
  ///
  /// Only one thread may call it at a time.
  func next() -> Int {
    add()
    return value
  }
}

/// Calls a closure when it is released.
final class OnRelease: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  deinit { body() }
}

/// Records values in the order in which they arrive, from any thread.
///
/// It uses the lock of the library, which ThreadSanitizer recognizes.
final class Recorder<Value: Sendable>: Sendable {
  private let values = Locked<[Value]>([])

  var all: [Value] { values.withLock { $0 } }

  func add(_ value: Value) { values.withLock { $0.append(value) } }

  func reset() {
    let former = values.withLock { values in
      defer { values = [] }
      return values
    }
    withExtendedLifetime(former) {}
  }
}

/// An executor that keeps its jobs until a thread runs them.
final class HeldJobs: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs waiting jobs on the current thread, up to a limit.
  func run(atMost limit: Int = .max) {
    var count = 0
    while count < limit, let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
      count += 1
    }
  }
}

/// An error that ends a transaction.
struct Stop: Error {}

/// Runs a closure on several threads with deep stacks, and waits for all of them.
func inThreads(_ count: Int, stackSize: Int = 8 << 20, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    let thread = Thread {
      body(index)
      group.leave()
    }
    thread.stackSize = stackSize
    thread.start()
  }
  group.wait()
}

/// Runs a closure on another thread, and waits for it.
func onAnotherThread(_ body: @escaping @Sendable () -> Void) { inThreads(1) { _ in body() } }

/// The text that a process has written.
func string(from bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

extension AtomStore {
  /// Plants faults, which a release build cannot have.
  func plant(_ faults: GraphFaults) {
    #if DEBUG
      core.state.withLock { $0.logic.faults = faults }
    #else
      precondition(faults.isEmpty, "A release build cannot plant faults. Put the test inside `#if DEBUG`.")
    #endif
  }
}

extension AtomGraph {
  /// The atom with a label.
  func node(_ label: String) -> Node? { atoms.first { $0.label == label } }

  /// The labels of the atoms that an atom has read.
  func dependencies(of label: String) -> [String] {
    (node(label)?.dependencies ?? []).compactMap { id in atoms.first { $0.id == id }?.label }
  }
}
