/// The guards of a new store, which the store adds from the last one to the first.
///
/// It is an object, because unspecialized code would look up the type of a structure at each use (HP14).
@usableFromInline final class GuardList<State: Sendable> {
  /// The facts about the new store.
  private let store: GuardedStore
  private(set) var turn: (any Guards<State>)?
  private(set) var listeners: (any Listeners<State>)?
  private(set) var clock: (any Clock<Duration>)?
  private(set) var reportsStates = false

  @usableFromInline
  init(of queue: TurnQueue, _ givenName: String?, _ type: any Any.Type) {
    store = GuardedStore(name: givenName.map { .text($0) } ?? .type(type), queue: queue)
  }

  @usableFromInline
  func add(_ template: any ReportGuard<State>) {
    GuardKind.of(template).add(template, self)
  }

  /// Adds the store's own guard in place of a template, or nothing if the store needs none.
  fileprivate func add<First: PerStoreGuard<State>>(replacementOf template: First) {
    if let own = template.makeGuard(for: store) { add(listener: own) }
  }

  /// Adds a guard that only gets reports.
  fileprivate func add<First: ReportGuard<State>>(listener first: First) {
    listeners = ListenerLink(first, listeners)
    clock = first.reportClock ?? clock
    reportsStates = reportsStates || first.reportsStates
  }

  /// Adds a guard that takes part in the turn.
  fileprivate func add<First: Guard<State>>(_ first: First, _ witness: (any EndWitness<State>)?) {
    turn = GuardLink(first, witness, turn)
    add(listener: first)
  }
}

/// How the guards of one type become part of a store.
///
/// A cast to a protocol with a state takes longer than creating a store. So each type is cast only once.
private final class GuardKind<State: Sendable>: Sendable {
  typealias Add = @Sendable (_ template: any ReportGuard<State>, GuardList<State>) -> Void

  let add: Add

  static func of(_ template: any ReportGuard<State>) -> GuardKind {
    guardKinds.value(of: type(of: template)) { GuardKind(of: template) }
  }

  private init(of template: any ReportGuard<State>) {
    if let template = template as? any PerStoreGuard<State> {
      add = Self.addReplacement(of: template)
    } else if let template = template as? any Guard<State> {
      add = Self.add(template, isWitness: template is any EndWitness<State>)
    } else {
      add = Self.addListener(template)
    }
  }

  private static func addReplacement<First: PerStoreGuard<State>>(of _: First) -> Add {
    { template, list in list.add(replacementOf: cast(template, to: First.self)) }
  }

  private static func add<First: Guard<State>>(_: First, isWitness: Bool) -> Add {
    { template, list in
      let first = cast(template, to: First.self)
      list.add(first, isWitness ? first as? any EndWitness<State> : nil)
    }
  }

  private static func addListener<First: ReportGuard<State>>(_: First) -> Add {
    { template, list in list.add(listener: cast(template, to: First.self)) }
  }
}

private let guardKinds = TypeTable()
