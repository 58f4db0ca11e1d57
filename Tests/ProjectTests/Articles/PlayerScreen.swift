import ActorStore
import ActorStoreEvents
import ActorStoreTesting
import Observation
import Testing

#if canImport(SwiftUI)
  import SwiftUI
#endif

// The code of the article "Driving a Screen with Props".

struct Player: EventDriven, Equatable {
  enum Event: Sendable { case loaded([String]), playPressed, nextPressed, ticked }

  var songs: [String] = []
  var current = 0
  var isPlaying = false
  var seconds = 0

  mutating func react(to event: Event) {
    switch event {
    case .loaded(let songs): self = Player(songs: songs)
    case .playPressed: isPlaying.toggle()
    case .nextPressed: (current, seconds) = ((current + 1) % max(1, songs.count), 0)
    case .ticked: seconds += isPlaying ? 1 : 0
    }
  }
}

/// All that the screen shows.
struct PlayerProps: Equatable, Sendable {
  var title = ""
  var button = "Play"
  var time = "0:00"

  /// The props, or `nil` if there is nothing to play.
  static let transformer = Selection(\Player.songs, \.current, \.isPlaying, \.seconds) {
    songs, current, isPlaying, seconds -> PlayerProps? in
    guard songs.indices.contains(current) else { return nil }
    let digits = seconds % 60 < 10 ? "0\(seconds % 60)" : "\(seconds % 60)"
    return PlayerProps(
      title: songs[current], button: isPlaying ? "Pause" : "Play", time: "\(seconds / 60):\(digits)")
  }
}

/// A screen in a terminal.
actor PlayerTerminal: ActorComponent {
  var props = PlayerProps()
  var connection: Connection?
  private let write: @Sendable (String) -> Void

  init(write: @escaping @Sendable (String) -> Void = { print($0) }) { self.write = write }

  func render() { write("\(props.title) \(props.time) [\(props.button)]") }
  func render(missing last: PlayerProps) { write("nothing to play") }
}

/// A screen in SwiftUI, or in a test.
@MainActor @Observable final class PlayerModel: @MainActor Component {
  var props = PlayerProps()
  @ObservationIgnored var connection: Connection?

  func render() {}
}

@MainActor struct PlayerView: View {
  let store: Store<Player>
  let model: PlayerModel

  var body: some View {
    VStack {
      Text("\(model.props.title) \(model.props.time)")
      Button(model.props.button) { store.send(.playPressed) }
    }
  }
}

@Suite struct PlayerScreenTests {
  /// The rows of the table.
  @MainActor @Test func strategies() {
    let (store, screen, transformer) = (Store(Player()), PlayerModel(), PlayerProps.transformer)
    store.select(transformer).connect(screen)
    store.select(transformer, .always).connect(screen)
    store.select(transformer, .onChange(of: \.?.title, \.?.time)).connect(screen)
    store.select(transformer, .by { old, new in old == new }).connect(screen)
    store.select(transformer).connect(screen, strategy: .debounced(for: .milliseconds(300)))
    store.select(transformer).connect(screen, strategy: .throttled(for: .seconds(1)))
  }

  @Test func theTerminalShowsThePlayer() throws {
    try Simulation.explore(timers: .race(upTo: 0)) {
      let (clock, store, lines) = (SimulationClock(), Store(Player()), Store<[String]>([]))
      let terminal = PlayerTerminal { line in lines.send { $0.append(line) } }
      let strategy = DeliveryStrategy.throttled(for: .seconds(1), clock: clock)
      await store.select(PlayerProps.transformer).connect(terminal, strategy: strategy)
      try await clock.sleep(for: .seconds(2))
      await store.dispatch([.loaded(["Blue", "Green"]), .playPressed])
      for _ in 0..<8 {
        try await clock.sleep(for: .milliseconds(300))
        await store.dispatch(.ticked)
      }
      await store.dispatch(.nextPressed)
      try await clock.sleep(for: .seconds(2))
      let seen = await lines.state
      try Simulation.expect(
        seen == [
          "nothing to play", "Blue 0:00 [Pause]", "Blue 0:03 [Pause]", "Blue 0:06 [Pause]", "Green 0:00 [Pause]",
        ])
    }
  }

  @MainActor @Test func theViewShowsTheProps() async {
    let (store, model) = (Store(Player(songs: ["Blue"])), PlayerModel())
    store.select(PlayerProps.transformer).connect(model)
    for await props in Observations({ model.props }) where props.title == "Blue" { break }
    #if !canImport(SwiftUI)
      let screen = Screen(PlayerView(store: store, model: model))
      #expect(screen.texts == ["Blue 0:00"])
      screen.buttons[0].action()
      for await props in Observations({ model.props }) where props.button == "Pause" { break }
      #expect(await store.state.isPlaying)
    #endif
  }
}
