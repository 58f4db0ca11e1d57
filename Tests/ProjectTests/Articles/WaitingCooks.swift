import ActorStore
import ActorStoreTesting

// The second example of the article "Finding the schedule that breaks it".

/// Ann holds the stove while she waits for the tea.
///
/// Bob waits for the stove before he makes the tea.
func bothCooksWait() throws {
  try Simulation.explore {
    let (stove, tea) = (Store(0, name: "stove"), AsyncStream<Int>.makeStream())
    await withTaskGroup(of: Void.self) { group in
      group.addTask(name: "Ann") {
        await stove.dispatch(label: "cook") { _ async in
          for await _ in tea.stream { break }
        }
      }
      group.addTask(name: "Bob") {
        await stove.dispatch(label: "boil") { _ in tea.continuation.yield(1) }
      }
    }
  }
}
