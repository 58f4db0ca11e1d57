/// All guards of a store, which are told how calls end, as a list of objects (HP11).
protocol Listeners<State>: AnyObject, Sendable {
  associatedtype State: Sendable

  func didEnd<A: Action<State>>(_ action: A, _ report: ActionReport<State>)
  func didEnd<G: Sendable>(group: G, _ report: GroupReport)

  /// Whether all guards have passed on the reports that they have received.
  var haveDelivered: Bool { get }
  /// Waits until all guards have passed on the reports that they have received so far.
  func waitUntilDelivered() async
}

/// A guard that forwards reports to a destination that may receive them later, such as a log.
protocol DeliveringGuard: Sendable {
  var hasDelivered: Bool { get }
  func waitUntilDelivered() async
}

/// A guard and the rest of the list.
final class ListenerLink<First: ReportGuard>: Listeners {
  typealias State = First.State

  private let first: First
  private let rest: (any Listeners<State>)?

  init(_ first: First, _ rest: (any Listeners<State>)?) {
    self.first = first
    self.rest = rest
  }

  func didEnd<A: Action<State>>(_ action: A, _ report: ActionReport<State>) {
    first.didEnd(action, report: report)
    guard let rest else { return }
    SimulationHooks.point()
    rest.didEnd(action, report)
  }

  func didEnd<G: Sendable>(group: G, _ report: GroupReport) {
    first.didEnd(group: group, report: report)
    guard let rest else { return }
    SimulationHooks.point()
    rest.didEnd(group: group, report)
  }

  private var delivering: (any DeliveringGuard)? { first as? any DeliveringGuard }

  var haveDelivered: Bool { delivering?.hasDelivered != false && rest?.haveDelivered != false }

  func waitUntilDelivered() async {
    await delivering?.waitUntilDelivered()
    await rest?.waitUntilDelivered()
  }
}
