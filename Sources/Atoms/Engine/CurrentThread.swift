import AtomThread

/// The state of the library for the current thread.
///
/// Invariant: code that sets a pointer holds the object until it restores the former pointer.
enum CurrentThread {
  @inline(__always)  // HP13
  private static var state: UnsafeMutablePointer<atom_thread> { unsafe atom_thread_current() }

  /// The room for a value of up to 128 bytes, between the moment when it is copied from a store and its return.
  @inline(__always)  // HP14
  static var valueSlot: ValueSlot { unsafe ValueSlot(UnsafeMutableRawPointer(state).advanced(by: valueOffset)) }

  private static let valueOffset = unsafe MemoryLayout<atom_thread>.offset(of: \.value).unsafelyUnwrapped

  /// Whether a derivation may begin, because there is enough room on the stack.
  @inline(__always)  // HP13
  static var hasStack: Bool { atom_thread_remaining_stack() >= 0 }

  // MARK: Evaluations

  /// The innermost evaluation.
  @inline(__always)  // HP13
  static var evaluation: Evaluation? {
    unsafe state.pointee.evaluation.map { unsafe Unmanaged<Evaluation>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Makes an evaluation the innermost one while a closure runs, or `nil` to run it outside any evaluation.
  @inline(__always)  // HP13
  static func run<Result, Failure: Error>(
    _ evaluation: Evaluation?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let state = unsafe state
    let outer = unsafe state.pointee.evaluation
    unsafe state.pointee.evaluation = evaluation.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
    defer {
      unsafe state.pointee.evaluation = outer
      withExtendedLifetime(evaluation) {}
    }
    return try body()
  }

  // MARK: Deliveries

  /// Whether the thread delivers the changes of a graph, so that a callback runs.
  static func isDelivering(_ graph: Graph) -> Bool {
    var delivery = unsafe state.pointee.delivery
    while let current = unsafe delivery {
      if unsafe current.pointee.graph == address(of: graph) { return true }
      unsafe delivery = current.pointee.outer
    }
    return false
  }

  /// Runs a closure that delivers the changes of a graph.
  static func deliver(_ graph: Graph, _ body: () -> Void) {
    let state = unsafe state
    let outer = unsafe state.pointee.delivery
    var delivery = unsafe atom_delivery(graph: address(of: graph), outer: outer)
    unsafe withUnsafePointer(to: &delivery) { delivery in
      unsafe state.pointee.delivery = delivery
      defer { unsafe state.pointee.delivery = outer }
      body()
    }
  }

  /// Runs a closure as on a thread that delivers nothing.
  static func deliverNothing<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let state = unsafe state
    let outer = unsafe state.pointee.delivery
    unsafe state.pointee.delivery = nil
    defer { unsafe state.pointee.delivery = outer }
    return try body()
  }

  private static func address(of graph: Graph) -> UnsafeRawPointer {
    unsafe UnsafeRawPointer(Unmanaged.passUnretained(graph).toOpaque())
  }
}
