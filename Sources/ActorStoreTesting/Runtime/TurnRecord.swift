import ActorStore

/// The holders and waiters of stores' turns, according to the recorded events.
struct TurnRecord {
  struct Turn: Hashable {
    let store: UInt64
    let ticket: UInt64
  }

  private struct Entry {
    enum Place {
      case waits
      case hasTurn
      /// The action runs without a turn.
      case beside
    }

    let action: String
    /// Whether the task that called waits for the turn.
    let isAwaited: Bool
    var lane: Int?
    var place: Place
  }

  /// The label of a closure, unless the call states another one.
  private static let defaultLabel = "closure"

  private var storeNames: [UInt64: String] = [:]
  private var timesUsed: [String: Int] = [:]
  private var entries: [Turn: Entry] = [:]

  mutating func record(store: UInt64, name: String) {
    let count = timesUsed[name, default: 0] + 1
    timesUsed[name] = count
    storeNames[store] = count == 1 ? name : "\(name) #\(count)"
  }

  /// Records an event and describes it in words, or returns `nil` if it needs no description.
  ///
  /// The descriptions of this event and of later events of its turn include the call site, such as "at Bank.swift:12",
  /// if there is one. `site` is evaluated only for the call of an action without a label.
  mutating func record(
    _ event: TurnObserver.Event,
    of turn: Turn,
    in lane: Int?,
    from site: () -> String?,
    naming name: (Int) -> String
  ) -> String? {
    let store = storeNames[turn.store] ?? "a store"
    switch event {
    case .called(let call, let label, let answer):
      let label = label.withoutGenericArguments
      let site = label == Self.defaultLabel ? site() : nil
      let action = site.map { "\(label) \($0)" } ?? label
      let isAwaited = call != .send
      let call =
        switch call {
        case .dispatch: "dispatches \(action) to \(store)"
        case .send: "sends \(action) to \(store)"
        case .comeBack: "asks \(store) for a turn to commit \(action)"
        case .owned: "asks \(store) for a turn for the deferred \(action)"
        }
      switch answer {
      case .hasTurn:
        entries[turn] = Entry(action: action, isAwaited: isAwaited, lane: lane, place: .hasTurn)
        return "\(call): has the turn"
      case .waits, .deferred:
        let ahead = ahead(of: turn, naming: name).map { " behind \($0)" } ?? ""
        // A call that waits for its owner has no ticket.
        if turn.ticket > 0 { entries[turn] = Entry(action: action, isAwaited: isAwaited, lane: lane, place: .waits) }
        return "\(call): \(answer == .waits ? "queued" : "deferred")\(ahead)"
      case .closed:
        return "\(call): closed"
      }
    case .resumed:
      guard var entry = entries[turn] else { return nil }
      let waited = entry.place == .waits
      (entry.lane, entry.place) = (lane, .hasTurn)
      entries[turn] = entry
      return waited ? "begins \(entry.action) on \(store)" : nil
    case .committed:
      return entries.removeValue(forKey: turn).map { "commits \($0.action) on \(store)" }
    case .released:
      return entries.removeValue(forKey: turn).map { "ends \($0.action) on \(store) without a commit" }
    case .started:
      entries[turn]?.place = .beside
      return entries[turn].map { "continues \($0.action) on \(store) without the turn" }
    case .ended:
      entries[turn] = nil
      return nil
    case .withdrawn:
      return entries.removeValue(forKey: turn).map { "withdraws \($0.action) from \(store): canceled" }
    case .gaveUp:
      return entries.removeValue(forKey: turn).map { "gives up the place of \($0.action) on \(store)" }
    case .gaveWay:
      return entries[turn].map { "stops waiting for \($0.action) on \(store): deferred" }
    case .closed:
      return "closes \(store)"
    case .read:
      return "reads \(store)"
    case .canceled:
      return entries[turn].map { "cancels \($0.action) on \(store)" }
    case .refused(let label):
      return "does not run \(label.withoutGenericArguments) on \(store), because the task is canceled"
    case .subscribed:
      return "creates a stream of \(store)"
    case .received(let element):
      return "gets \(element ?? "the end") from a stream of \(store)"
    }
  }

  /// Describes the action that holds a store's turn, and the number of actions that wait before a new one.
  private func ahead(of turn: Turn, naming name: (Int) -> String) -> String? {
    let waiting = entries.filter { $0.key.store == turn.store && $0.key != turn && $0.value.place == .waits }
    let holder = holder(of: turn.store)
    guard let first = holder ?? waiting.max(by: { $0.key.ticket < $1.key.ticket })?.value else { return nil }
    let others = waiting.count - (holder == nil ? 1 : 0)
    return described(first, naming: name) + (others > 0 ? " and \(others) more" : "")
  }

  /// Returns a line for each action that waits or runs without a turn, except for those of the given tasks.
  func waits(except lanes: Set<Int>, naming name: (Int) -> String) -> [String] {
    entries.filter { !$0.value.isAwaited || $0.value.place != .waits || !lanes.contains($0.value.lane ?? -1) }
      .sorted { ($0.key.store, $0.key.ticket) < ($1.key.store, $1.key.ticket) }
      .compactMap { turn, entry in
        let (action, store) = (described(entry, naming: name), storeNames[turn.store] ?? "a store")
        switch entry.place {
        case .hasTurn:
          return nil
        case .beside:
          return "\(action) runs on \(store) without the turn"
        case .waits:
          let holder = holder(of: turn.store).map { described($0, naming: name) } ?? "no action"
          return "\(action) waits for \(store), whose turn is held by \(holder)"
        }
      }
  }

  /// Describes the turn that a task waits for, or returns `nil` if it waits for none.
  func wait(in lane: Int, naming name: (Int) -> String) -> String? {
    guard
      let (turn, entry) = entries.first(where: {
        $0.value.isAwaited && $0.value.lane == lane && $0.value.place == .waits
      })
    else {
      return nil
    }
    let holder = holder(of: turn.store).map { ", whose turn is held by \(described($0, naming: name))" } ?? ""
    return "to run \(entry.action) on \(storeNames[turn.store] ?? "a store")\(holder)"
  }

  /// The actions that a task runs, the outermost first.
  func actions(in lane: Int) -> [String] {
    entries.filter { $0.value.lane == lane && $0.value.place != .waits }
      .sorted { ($0.key.store, $0.key.ticket) < ($1.key.store, $1.key.ticket) }
      .map { "\($0.value.action) on \(storeNames[$0.key.store] ?? "a store")" }
  }

  private func holder(of store: UInt64) -> Entry? {
    entries.first { $0.key.store == store && $0.value.place == .hasTurn }?.value
  }

  private func described(_ entry: Entry, naming name: (Int) -> String) -> String {
    "\(entry.action) of \(entry.lane.map(name) ?? "an actor's caller")"
  }
}

extension String {
  /// The name of an action without the generic arguments of its type.
  fileprivate var withoutGenericArguments: String {
    guard hasSuffix(">"), let start = firstIndex(of: "<"), start > startIndex, self[index(before: start)].isLetter
    else { return self }
    return String(self[..<start])
  }
}
