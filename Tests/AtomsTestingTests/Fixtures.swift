import Observation
import Synchronization

/// A counter that closures of atoms can increment.
final class Tally: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add() { count.wrappingAdd(1, ordering: .relaxed) }
}

/// An object that any thread can use.
final class Settings: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let stored = Mutex(1)

  var volume: Int {
    get {
      registrar.access(self, keyPath: \.volume)
      return stored.withLock { $0 }
    }
    set { registrar.withMutation(of: self, keyPath: \.volume) { stored.withLock { $0 = newValue } } }
  }
}

/// An actor with an object.
actor Player {
  let settings = Settings()

  func set(_ volume: Int) { settings.volume = volume }
}
