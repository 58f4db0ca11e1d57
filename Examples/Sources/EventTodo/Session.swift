import ActorStore
import ActorStoreEvents
import ActorStoreHistory

/// One run of the program, which executes each command and waits until the screen shows the result.
struct Session: Sendable {
  private let machine = TimeMachine()
  private let screen: Screen
  private let print: @Sendable (String) -> Void

  init(print: @escaping @Sendable (String) -> Void) { (screen, self.print) = (Screen(print: print), print) }

  func run(_ lines: AsyncStream<String>) async {
    await machine.store.select(ScreenProps.transformer).connect(screen)
    await screen.waitUntilPrinted(ScreenProps(machine.store.state))
    await obey(lines)
    await screen.disconnect()
  }

  private func obey(_ lines: AsyncStream<String>) async {
    for await line in lines {
      do {
        let command = try Command(line)
        if case .quit = command { return }
        try await obey(command)
      } catch HistoryError.unknown(let revision), HistoryError.dropped(let revision) {
        print("The history has no entry \(revision).")
      } catch {
        print("\(error)")
      }
    }
  }

  private func obey(_ command: Command) async throws {
    switch command {
    case .emit(let event): try await perform(Emit(event))
    case .undo: try await perform(machine.history.undo())
    case .redo: try await perform(machine.history.redo())
    case .jump(let revision): try await perform(machine.history.jump(to: revision))
    case .rollback(let revision): try await perform(machine.history.rollback(to: revision))
    case .history: print(machine.list)
    case .difference(let revision): print(try machine.difference(at: revision))
    case .nothing, .quit: break
    }
  }

  /// Performs an action, and returns when the screen shows its result.
  private func perform<A: Action<TodoApp>>(_ action: A) async throws {
    let old = await screen.props
    switch try await machine.store.dispatch(action, returning: { ScreenProps($0) }) {
    case .committed(old): print("Done. The screen remains the same.")
    case .committed(let new): await screen.waitUntilPrinted(new)
    case .vetoed(let veto): print(veto.reason)
    case let outcome: print("\(outcome)")
    }
  }
}
