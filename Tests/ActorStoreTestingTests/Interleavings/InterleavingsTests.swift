import ActorStoreTesting
import Testing

/// Exploration of virtual threads, for example threads that increment a counter in two steps.
@Suite struct InterleavingsTests {
  private struct Counters: VirtualThreads {
    enum Step: Hashable { case read, write(Int), done }

    var value = 0
    var steps: [Step]
    let isAtomic: Bool

    var moves: [Int] { steps.indices.filter { steps[$0] != .done } }
    var isFinished: Bool { true }
    var violation: String? { moves.isEmpty && value != steps.count ? "an increment was lost" : nil }

    mutating func take(_ index: Int) {
      switch steps[index] {
      case .read where isAtomic:
        value += 1
        steps[index] = .done
      case .read: steps[index] = .write(value + 1)
      case .write(let new):
        value = new
        steps[index] = .done
      case .done: break
      }
    }
  }

  @Test func findsALostIncrementWithTheFewestMoves() {
    let result = Interleavings(of: Counters(steps: [.read, .read, .read], isAtomic: false))
    #expect(result.problem?.message == "an increment was lost")
    #expect(result.problem?.moves.count == 6)
    #expect(result.problem?.description.hasPrefix("an increment was lost, after ") == true)
  }

  @Test func countsStatesAndInterleavings() {
    let result = Interleavings(of: Counters(steps: [.read, .read, .read], isAtomic: true))
    #expect(result.problem == nil)
    #expect(result.count == 6)
    #expect(result.states == 8)
  }

  /// Retries until the other thread lets go.
  private struct Retry: VirtualThreads {
    var isHeld = true
    var hasTried = false
    var hasTaken = false

    enum Step { case tryToTake, again, letGo }

    var moves: [Step] {
      (hasTaken ? [] : [hasTried ? .again : .tryToTake]) + (isHeld ? [.letGo] : [])
    }

    var isFinished: Bool { hasTaken }
    var violation: String? { nil }

    mutating func take(_ step: Step) {
      switch step {
      case .tryToTake: if isHeld { hasTried = true } else { hasTaken = true }
      case .again: hasTried = false
      case .letGo: isHeld = false
      }
    }
  }

  @Test func movesToAnEarlierStateTerminate() {
    let result = Interleavings(of: Retry())
    #expect(result.problem == nil)
    #expect(result.states == 5)
  }

  private struct Stuck: VirtualThreads {
    var left = 2
    var moves: [String] { left > 0 ? ["step"] : [] }
    var isFinished: Bool { false }
    var violation: String? { nil }
    mutating func take(_ move: String) { left -= 1 }
  }

  @Test func findsAStateWithoutMoves() {
    #expect(Interleavings(of: Stuck()).problem?.description == "no thread can move, after step, step")
  }
}
