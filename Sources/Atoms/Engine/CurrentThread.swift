import AtomThread

/// The state of the library for the current thread.
///
/// Invariant: code that sets a pointer holds the object until it restores the former pointer.
enum CurrentThread {
  @inline(__always)  // HP13
  private static var state: UnsafeMutablePointer<atom_thread> { unsafe atom_thread_current() }

  /// The room for a value of up to 128 bytes, between the moment when it is copied from a store and its return.
  @inline(__always)  // HP14
  static var valueSlot: ValueSlot { unsafe ValueSlot(atom_thread_value()) }

  /// Whether a derivation may begin, because there is enough room on the stack.
  @inline(__always)  // HP13
  static var hasStack: Bool { atom_thread_remaining_stack() >= 0 }

  /// Whether a derivation that begins now has less than a quarter of the stack left.
  @inline(__always)  // HP13
  static var isDeep: Bool { atom_thread_is_deep() }

  /// Counts a section that holds the lock of a graph.
  @inline(__always)  // HP19
  static func countSection() {
    #if DEBUG
      unsafe state.pointee.sections += 1
    #endif
  }

  #if DEBUG
    /// The number of sections that have held the lock of a graph.
    static var sections: UInt64 { unsafe state.pointee.sections }
  #endif

  // MARK: Evaluations

  /// The innermost evaluation.
  @inline(__always)  // HP13
  static var evaluation: Evaluation? { unretainedEvaluation?.retained }

  /// The innermost evaluation, without retaining it.
  @inline(__always)  // HP13
  static var unretainedEvaluation: Unretained<Evaluation>? {
    unsafe state.pointee.evaluation.map { unsafe Unretained(Unmanaged<Evaluation>.fromOpaque($0)) }
  }

  /// Whether an evaluation runs, even if it is hidden.
  @inline(__always)  // HP13
  static var isEvaluating: Bool { unsafe state.pointee.frame != nil }

  /// Whether an evaluation is running, even if it is hidden.
  static var isEvaluatingOrHidden: Bool { unsafe state.pointee.frame != nil || state.pointee.hidden != nil }

  /// Whether no closure of the library runs on the thread.
  static var isPlain: Bool {
    unsafe state.pointee.frame == nil && state.pointee.hidden == nil && state.pointee.delivery == nil
  }

  /// Makes an evaluation the innermost one while a closure runs.
  ///
  /// - Parameters:
  ///   - evaluation: The evaluation.
  ///   - hidesOuter: Whether another store becomes the current one, so that the evaluations around it do not count.
  ///   - body: The closure.
  @inline(__always)  // HP13
  static func run<Result, Failure: Error>(
    _ evaluation: Evaluation, hidesOuter: Bool = false, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let state = unsafe state
    let (outer, frame) = unsafe (state.pointee.evaluation, state.pointee.frame)
    let address = unsafe Unmanaged.passUnretained(evaluation).toOpaque()
    var new = unsafe atom_frame(evaluation: address, outer: frame, hides_outer: hidesOuter || outer == nil)
    return try unsafe withUnsafePointer(to: &new) { new throws(Failure) -> Result in
      unsafe state.pointee.evaluation = address
      unsafe state.pointee.frame = new
      defer {
        unsafe state.pointee.evaluation = outer
        unsafe state.pointee.frame = frame
        withExtendedLifetime(evaluation) {}
      }
      return try body()
    }
  }

  /// Runs a closure outside any evaluation.
  @inline(__always)  // HP13
  static func runOutside<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let state = unsafe state
    let (frame, hidden) = unsafe (state.pointee.frame, state.pointee.hidden)
    unsafe state.pointee.frame = nil
    if unsafe frame != nil { unsafe state.pointee.hidden = frame }
    defer {
      unsafe state.pointee.frame = frame
      unsafe state.pointee.hidden = hidden
    }
    return try runHidden(body)
  }

  /// Runs a closure for which another store is the current one.
  ///
  /// Only calls that name the store of a running evaluation find that evaluation.
  @inline(__always)  // HP13
  static func runHidden<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let state = unsafe state
    let outer = unsafe state.pointee.evaluation
    unsafe state.pointee.evaluation = nil
    defer { unsafe state.pointee.evaluation = outer }
    return try body()
  }

  /// The evaluations that run, the innermost first, and whether each is visible.
  static var frames: Frames { unsafe Frames(frame: state.pointee.frame, isVisible: state.pointee.evaluation != nil) }

  /// The evaluations that a callback hides, the innermost first.
  static var hiddenFrames: Frames { unsafe Frames(frame: state.pointee.hidden, isVisible: false) }

  /// Runs a closure as on a thread without evaluations around it.
  static func forgetHidden<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let state = unsafe state
    let hidden = unsafe state.pointee.hidden
    unsafe state.pointee.hidden = nil
    defer { unsafe state.pointee.hidden = hidden }
    return try body()
  }

  @safe struct Frames: Sequence, IteratorProtocol {
    fileprivate var frame: UnsafePointer<atom_frame>?
    fileprivate var isVisible: Bool

    mutating func next() -> (evaluation: Evaluation, isVisible: Bool)? {
      guard let frame = unsafe frame else { return nil }
      let evaluation = unsafe Unmanaged<Evaluation>.fromOpaque(frame.pointee.evaluation).takeUnretainedValue()
      defer {
        unsafe self.frame = frame.pointee.outer
        isVisible = unsafe isVisible && !frame.pointee.hides_outer
      }
      return (evaluation, isVisible)
    }
  }

  // MARK: Deliveries

  /// Whether the thread delivers the changes of any graph.
  static var isDelivering: Bool { unsafe state.pointee.delivery != nil }

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

  // MARK: Announced changes

  /// A number that no other thread has.
  static var number: UInt { unsafe UInt(bitPattern: state) }

  /// Whether an object has recently announced a change to a graph on this thread.
  @inline(__always)  // HP13
  static func hasAnnounced(to graph: Graph) -> Bool { unsafe atom_thread_has_announced(address(of: graph)) }

  static func noteAnnouncement(to graph: Graph) { unsafe atom_thread_note_announcement(address(of: graph)) }

  static func forgetAnnouncements(to graph: Graph) { unsafe atom_thread_forget_announcements(address(of: graph)) }

  private static func address(of graph: Graph) -> UnsafeRawPointer {
    unsafe UnsafeRawPointer(Unmanaged.passUnretained(graph).toOpaque())
  }
}
