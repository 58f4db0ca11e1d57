import ActorStore
import ActorStoreTesting
import Observation

@testable import Atoms

extension ObservableObjectTests {
  /// An object that any thread can use.
  ///
  /// Its getter and setter can do something in the middle, as another thread would.
  final class Settings: Observable, Sendable {
    private struct Values: Sendable {
      var volume = 1
      var name = "a"
      var onRead: (@Sendable () -> Void)?
      var beforeSet: (@Sendable () -> Void)?
    }

    private let registrar = ObservationRegistrar()
    private let values = Locked(Values())

    var volume: Int {
      get {
        registrar.access(self, keyPath: \.volume)
        let (volume, body) = values.withLock { values in (values.volume, values.onRead.take()) }
        body?()
        return volume
      }
      set {
        registrar.withMutation(of: self, keyPath: \.volume) {
          values.withLock { $0.beforeSet.take() }?()
          values.withLock { $0.volume = newValue }
        }
      }
    }

    var name: String {
      get {
        registrar.access(self, keyPath: \.name)
        return values.withLock { $0.name }
      }
      set { registrar.withMutation(of: self, keyPath: \.name) { values.withLock { $0.name = newValue } } }
    }

    /// Calls a closure after the next read of the volume, before the reader continues.
    func onRead(_ body: @escaping @Sendable () -> Void) { values.withLock { $0.onRead = body } }

    /// Calls a closure between the announcement of the next change of the volume and the change.
    func beforeSet(_ body: @escaping @Sendable () -> Void) { values.withLock { $0.beforeSet = body } }

    /// Sets the volume without an announcement.
    func setSilently(_ volume: Int) { values.withLock { $0.volume = volume } }
  }

  struct Subject: Sendable {
    let store = AtomStore()
    let settings = Settings()
    let object: ObservableObjectAtom<Settings>
    let volumes = Recorder<Int>()
    let double: DerivedAtom<Int>

    init(_ faults: GraphFaults = []) {
      store.plant(faults)
      let (settings, volumes) = (settings, volumes)
      let object = ObservableObjectAtom(settings, keepAlive: true)
      self.object = object
      double = DerivedAtom(keepAlive: true) {
        let volume = object.value.volume
        volumes.add(volume)
        return volume * 2
      }
    }

    /// Waits until the value of an atom meets a condition.
    func wait<Value: Sendable>(
      for atom: some ReadableAtom<Value>, _ condition: @Sendable (Value) -> Bool
    ) async {
      for await value in store.values(of: atom) where condition(value) { break }
    }
  }

  /// Waits until no other task can run, and the last look at an object is over.
  static func settle() async throws { try await SimulationClock().sleep(for: .seconds(2)) }

  static func explore(
    _ faults: GraphFaults = [], _ body: @escaping @Sendable (Subject) async throws -> Void
  ) throws {
    try Simulation.explore(.mixed(seed: 3), schedules: 50, timers: .race(upTo: 0)) { try await body(Subject(faults)) }
  }
}
