@testable import ActorStoreTesting

/// Programs of virtual tasks that share registers.
struct TaskProgram: Sendable {
  enum Operation: Sendable {
    /// Lets another task run first.
    case pause
    case read(Int)
    /// Writes a value that no other operation writes.
    case write(Int)
    /// Writes the successor of the value that the task read last.
    case increase(Int)
    /// Reads one register, and writes a value that depends on it to another one.
    case copy(from: Int, to: Int)
    /// Skips the next operation if the task last read an odd value.
    case branch
    /// Starts a task, unless it has started.
    case start(Int)
    /// Waits for the end of a task.
    case wait(Int)
    case sleep(Int)
    /// Appends to a list of which the steps say nothing.
    case log
  }

  /// The operations of each task.
  var tasks: [[Operation]]
  /// The number of tasks that are ready at the beginning.
  var roots: Int
  var registers = 3

  init(_ tasks: [Operation]..., roots: Int? = nil) {
    self.tasks = tasks
    self.roots = roots ?? tasks.count
  }
}

/// A run of a program, in an order that a `Chooser` decides.
struct TaskProgramRun {
  /// The effects of a run that do not depend on the order of independent steps.
  struct Outcome: Hashable {
    var registers: [Int]
    /// The values that each task has read.
    var reads: [[Int]]
    var log: [Int] = []
    /// The tasks that have ended.
    ///
    /// In a deadlock, others have started.
    var ended: Set<Int> = []
  }

  private(set) var outcome: Outcome
  private(set) var steps: [Step] = []
  private(set) var chooser: Chooser
  private let program: TaskProgram
  /// The index of each task's next operation.
  private var next: [Int]
  /// The tasks in the order in which they started.
  ///
  /// A task's index here is its number in the steps.
  private var started: [Int] = []
  private var ready: [Int] = []
  private var waiting: [(number: Int, task: Int)] = []
  private var sleeping: [(number: Int, deadline: Int)] = []
  private var now = 0

  /// Runs a program to its end.
  init(_ program: TaskProgram, _ rule: Chooser.Rule) {
    self.program = program
    chooser = Chooser(rule)
    outcome = Outcome(
      registers: Array(repeating: 0, count: program.registers), reads: Array(repeating: [], count: program.tasks.count))
    next = Array(repeating: 0, count: program.tasks.count)
    for task in 0..<program.roots { start(task) }
    while true {
      let isBarrier = ready.isEmpty
      if isBarrier, !wakeSleepers() { return }
      let choice = chooser.choose(among: ready, step: steps.count)
      var step = Step(ready: ready, choice: choice, isBarrier: isBarrier)
      let number = ready.remove(at: choice)
      if execute(started[number], &step) { ready.append(number) }
      steps.append(step)
    }
  }

  private mutating func start(_ task: Int) {
    if started.contains(task) { return }
    ready.append(started.count)
    started.append(task)
  }

  private mutating func wakeSleepers() -> Bool {
    guard let earliest = sleeping.map(\.deadline).min() else { return false }
    now = earliest
    ready += sleeping.filter { $0.deadline == earliest }.map(\.number)
    sleeping.removeAll { $0.deadline == earliest }
    return true
  }

  /// Executes operations until the task pauses, suspends, or ends, and returns whether it is still ready.
  private mutating func execute(_ task: Int, _ step: inout Step) -> Bool {
    while next[task] < program.tasks[task].count {
      let operation = program.tasks[task][next[task]]
      next[task] += 1
      switch operation {
      case .pause: return true
      case .sleep(let duration):
        sleeping.append((step.task, now + duration))
        return false
      case .wait(let other):
        step.access(.end(of: other), isWrite: false)
        if outcome.ended.contains(other) { continue }
        waiting.append((step.task, other))
        return false
      case .start(let other):
        step.access(.start(of: other), isWrite: true)
        start(other)
      case .branch: if lastRead(task) % 2 == 1 { next[task] += 1 }
      case .log:
        step.isOpaque = true
        outcome.log.append(task)
      case .read(let register): outcome.reads[task].append(read(register, &step))
      case .write(let register): write(100 * task + next[task], to: register, &step)
      case .increase(let register): write(lastRead(task) + 1, to: register, &step)
      case .copy(let from, let to): write(2 * read(from, &step) + 1, to: to, &step)
      }
    }
    step.access(.end(of: task), isWrite: true)
    outcome.ended.insert(task)
    ready += waiting.filter { $0.task == task }.map(\.number)
    waiting.removeAll { $0.task == task }
    return false
  }

  private func lastRead(_ task: Int) -> Int { outcome.reads[task].last ?? 0 }

  private func read(_ register: Int, _ step: inout Step) -> Int {
    step.access(.register(register), isWrite: false)
    return outcome.registers[register]
  }

  private mutating func write(_ value: Int, to register: Int, _ step: inout Step) {
    step.access(.register(register), isWrite: true)
    outcome.registers[register] = value
  }
}

/// An object of a program.
private enum SharedObject {
  case register(Int)
  case start(of: Int)
  case end(of: Int)

  var number: UInt64 {
    switch self {
    case .register(let register): UInt64(3 * register)
    case .start(let task): UInt64(3 * task + 1)
    case .end(let task): UInt64(3 * task + 2)
    }
  }
}

extension Step {
  fileprivate mutating func access(_ object: SharedObject, isWrite: Bool) {
    accesses.append(Access(object: object.number, isWrite: isWrite))
  }
}
