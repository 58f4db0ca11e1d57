import SeededRandom
import Testing

@testable import ActorStoreTesting

/// Compares the reduced search with the search that tries every schedule.
@Suite struct ReducedSearchTests {
  private typealias Operation = TaskProgram.Operation

  private struct Found {
    var outcomes: Set<TaskProgramRun.Outcome> = []
    var schedules: Set<[Int]> = []
    var runs = 0

    mutating func add(_ run: TaskProgramRun) {
      outcomes.insert(run.outcome)
      schedules.insert(run.chooser.choices.map(\.index))
      runs += 1
    }
  }

  private func everySchedule(of program: TaskProgram) -> Found {
    var search = ExhaustiveSearch(maxPreemptions: nil)
    var found = Found()
    while let script = search.script {
      let run = TaskProgramRun(program, .search(script))
      found.add(run)
      search.advance(past: run.chooser.choices)
    }
    return found
  }

  private func reduced(_ program: TaskProgram) -> Found {
    var search = ReducedSearch()
    var found = Found()
    while let script = search.script {
      let run = TaskProgramRun(program, .reduced(script))
      found.add(run)
      search.advance(past: run.steps)
    }
    return found
  }

  // MARK: Known numbers of runs

  @Test func tasksThatShareNothingNeedOneRun() {
    let program = TaskProgram([.write(0), .pause, .read(0)], [.write(1), .pause, .read(1)], [.write(2)])
    #expect(reduced(program).runs == 1)
  }

  @Test(arguments: 2...5)
  func readersNeedOneRun(_ count: Int) {
    var program = TaskProgram()
    program.tasks = Array(repeating: [.read(0), .pause, .read(0)], count: count)
    program.roots = count
    #expect(reduced(program).runs == 1)
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 6), (4, 24)])
  func writersRunInEveryOrder(_ count: Int, _ orders: Int) {
    var program = TaskProgram()
    program.tasks = Array(repeating: [.write(0)], count: count)
    program.roots = count
    #expect(reduced(program).runs == orders)
  }

  /// If both tasks read first, the order of the reads does not matter.
  @Test func lostUpdateNeedsFourRuns() {
    let increment: [Operation] = [.read(0), .pause, .increase(0)]
    let program = TaskProgram(increment, increment)
    #expect(everySchedule(of: program).runs == 6)
    #expect(reduced(program).runs == 4)
  }

  /// The first task races with each of the others, and each race has two orders.
  @Test func independentRacesOfOneStepAreReversedSeparately() {
    let program = TaskProgram([.write(0), .write(1)], [.write(0)], [.write(1)])
    #expect(everySchedule(of: program).runs == 6)
    // One of the four classes runs twice.
    #expect(reduced(program).runs == 5)
  }

  @Test func opaqueStepsRunInEveryOrder() {
    let logTwice: [Operation] = [.log, .pause, .log]
    let program = TaskProgram(logTwice, logTwice, [.log])
    let (full, reduced) = (everySchedule(of: program), reduced(program))
    #expect(reduced.runs == full.runs && reduced.runs == 30)
    #expect(reduced.outcomes == full.outcomes)
  }

  @Test func startedTaskRunsAfterTheStepThatStartsIt() {
    let program = TaskProgram([.write(0), .pause, .write(0), .start(1)], [.write(0)], roots: 1)
    #expect(reduced(program).runs == 1)
  }

  /// Before and after the time advances, the writes have two orders.
  @Test func stepsDoNotRaceAcrossAnAdvanceOfTheTime() {
    let writeTwice: [Operation] = [.write(0), .sleep(1), .write(0)]
    #expect(reduced(TaskProgram(writeTwice, writeTwice)).runs == 4)
    #expect(reduced(TaskProgram([.write(0)], [.sleep(1), .write(0)])).runs == 1)
  }

  /// The second task reads register 1 only before the last task's write.
  ///
  /// If the second task runs after that write, it skips the read, and the run does not show the race with the first
  /// task.
  @Test func findsRacesOfAccessesThatDependOnTheOrder() {
    let program = TaskProgram([.write(1)], [.read(0), .branch, .read(1)], [.read(1), .pause, .write(0)])
    let (full, reduced) = (everySchedule(of: program), reduced(program))
    #expect(reduced.outcomes == full.outcomes)
    #expect(full.outcomes.count == 6 && full.runs == 12)
  }

  // MARK: Random programs

  @Test(arguments: 0..<1_000 as Range<UInt64>)
  func findsEveryOutcomeOfARandomProgram(_ seed: UInt64) {
    let program = TaskProgram.random(seed)
    let (full, reduced) = (everySchedule(of: program), reduced(program))
    #expect(reduced.outcomes == full.outcomes, "\(program)")
    #expect(reduced.schedules.count == reduced.runs, "a schedule ran twice: \(program)")
    #expect(reduced.schedules.isSubset(of: full.schedules), "\(program)")
  }
}

extension TaskProgram {
  /// Two or three tasks with one to four operations each.
  fileprivate static func random(_ seed: UInt64) -> TaskProgram {
    var random = SplitMix64(seed)
    var program = TaskProgram()
    let count = 2 + random.below(2)
    program.registers = 1 + random.below(3)
    program.roots = random.below(3) == 0 ? 1 + random.below(count) : count
    program.tasks = (0..<count).map { _ in
      (0...random.below(4)).flatMap { _ in
        let operation = Operation.random(of: program, tasks: count, &random)
        return random.below(2) == 0 ? [operation] : [operation, .pause]
      }
    }
    return program
  }
}

extension TaskProgram.Operation {
  fileprivate static func random(of program: TaskProgram, tasks: Int, _ random: inout SplitMix64) -> Self {
    let register = random.below(program.registers)
    switch random.below(16) {
    case 0...3: return .read(register)
    case 4...6: return .write(register)
    case 7...8: return .increase(register)
    case 9: return .copy(from: random.below(program.registers), to: register)
    case 10: return .branch
    case 11...12: return .start(random.below(tasks))
    case 13: return .wait(random.below(tasks))
    case 14: return .sleep(1 + random.below(2))
    default: return .log
    }
  }
}
