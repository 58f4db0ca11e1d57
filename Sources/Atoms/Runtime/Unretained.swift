/// An object that others hold, without a reference to it.
///
/// Counting a reference would make all threads that read an atom write to one place.
///
/// Its users keep this invariant: the object exists as long as the value is used.
@safe struct Unretained<Object: AnyObject> {
  private let object: Unmanaged<Object>

  init(_ object: Object) { unsafe self.object = .passUnretained(object) }

  @inline(__always)  // HP13
  init(_ object: Unmanaged<Object>) { unsafe self.object = object }

  /// Adds a reference to an object, which `release` returns.
  init(holding object: Object) { unsafe self.object = .passRetained(object) }

  /// The reference that `init(holding:)` has added.
  ///
  /// To be called once.
  func release() -> Object { unsafe object.takeRetainedValue() }

  /// The object whose address is a number, or `nil` if the number is 0.
  @inline(__always)  // HP13
  init?(address: UInt) {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    unsafe object = .fromOpaque(pointer)
  }

  var address: UInt { unsafe UInt(bitPattern: object.toOpaque()) }

  /// The object, with a reference to it.
  var retained: Object { unsafe object.takeUnretainedValue() }

  /// Calls a closure with the object.
  @inline(__always)  // HP13
  func with<Result>(_ body: (Object) -> Result) -> Result { unsafe object._withUnsafeGuaranteedRef(body) }
}

extension Unretained: BitwiseCopyable {}
extension Unretained: Sendable where Object: Sendable {}
