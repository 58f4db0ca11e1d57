import ActorStore

/// The address of memory for one value.
///
/// Atoms pass values in memory, because unspecialized code is slow with values of generic types.
///
/// Its users keep this invariant: the memory is of the type of the atom's values, and it exists as long as the slot is
/// used. Each function says whether it expects initialized memory.
@safe @frozen @usableFromInline
struct ValueSlot: @unchecked Sendable {
  @usableFromInline let address: UnsafeMutableRawPointer

  @inlinable
  init(_ address: UnsafeMutableRawPointer) { unsafe self.address = address }

  /// Passes a copy of a value in memory to a closure.
  ///
  /// The closure may exchange the value.
  @inlinable
  @inline(__always)  // HP14
  static func with<Value, Result>(_ value: Value, _ body: (ValueSlot) -> Result) -> Result {
    unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let address = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe address.initialize(to: value)
      defer { unsafe address.deinitialize(count: 1) }
      return unsafe body(ValueSlot(UnsafeMutableRawPointer(address)))
    }
  }

  /// Passes the result of a closure in memory to another closure, which leaves the memory uninitialized.
  @inline(__always)  // HP14
  static func with<Value>(resultOf formula: () -> Value, _ body: (ValueSlot) -> Void) {
    unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let address = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe address.initialize(to: formula())
      unsafe body(ValueSlot(UnsafeMutableRawPointer(address)))
    }
  }

  /// Returns the value that a closure writes to uninitialized memory.
  @inlinable
  @inline(__always)  // HP14
  static func value<Value>(_ type: Value.Type, from body: (ValueSlot) -> Void) -> Value {
    unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      let address = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe body(ValueSlot(UnsafeMutableRawPointer(address)))
      return unsafe address.move()
    }
  }

  /// A copy of the value.
  func value<Value>(as type: Value.Type) -> Value { unsafe address.assumingMemoryBound(to: type).pointee }

  // A number is a value of 1, 2, 4, or 8 bytes without references. Callers keep its bits in an integer. Only these
  // methods know their order.

  /// The bits of the number in the memory.
  @inline(__always)  // HP20
  func number(size: UInt8) -> UInt64 {
    // A `switch` over all sizes would compile to an indirect jump.
    size == 8 ? unsafe address.load(as: UInt64.self) : smallNumber(size: size)
  }

  @inline(never)  // HP24
  private func smallNumber(size: UInt8) -> UInt64 {
    switch size {
    case 4: unsafe UInt64(address.load(as: UInt32.self))
    case 2: unsafe UInt64(address.load(as: UInt16.self))
    default: unsafe UInt64(address.load(as: UInt8.self))
    }
  }

  /// Initializes the memory with a number.
  @inline(__always)  // HP20
  func setNumber(_ bits: UInt64, size: UInt8) {
    if size == 8 {
      unsafe address.storeBytes(of: bits, as: UInt64.self)
    } else {
      setSmallNumber(bits, size: size)
    }
  }

  @inline(never)  // HP24
  private func setSmallNumber(_ bits: UInt64, size: UInt8) {
    switch size {
    case 4: unsafe address.storeBytes(of: UInt32(truncatingIfNeeded: bits), as: UInt32.self)
    case 2: unsafe address.storeBytes(of: UInt16(truncatingIfNeeded: bits), as: UInt16.self)
    default: unsafe address.storeBytes(of: UInt8(truncatingIfNeeded: bits), as: UInt8.self)
    }
  }

  /// Passes a number in memory to a closure.
  @inline(__always)  // HP20
  static func withNumber<Result>(_ bits: UInt64, size: UInt8, _ body: (ValueSlot) -> Result) -> Result {
    var room: UInt64 = 0
    return unsafe withUnsafeMutablePointer(to: &room) { room in
      let slot = unsafe ValueSlot(UnsafeMutableRawPointer(room))
      slot.setNumber(bits, size: size)
      return body(slot)
    }
  }

  /// Releases the value, so that the memory is no longer initialized.
  @inline(__always)  // HP14
  func release<Value>(as type: Value.Type) { unsafe address.assumingMemoryBound(to: type).deinitialize(count: 1) }

  /// Takes the value, so that the memory is no longer initialized.
  @inlinable
  @inline(__always)  // HP14
  func move<Value>(as type: Value.Type) -> Value { unsafe address.assumingMemoryBound(to: type).move() }
}

extension AnyPublished {
  /// Passes the value in memory to a closure, which must not change it.
  func withSlot(_ body: (ValueSlot) -> Bool) -> Bool {
    unsafe withAddress { unsafe body(ValueSlot(UnsafeMutableRawPointer(mutating: $0))) }
  }

  /// Passes the value in memory to a closure, which must not change it.
  func withSlot(_ body: (ValueSlot) -> Void) {
    _ = withSlot { slot -> Bool in
      body(slot)
      return true
    }
  }
}
