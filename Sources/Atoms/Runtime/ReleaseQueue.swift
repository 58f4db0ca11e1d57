import AtomThread

/// Releases long chains of objects without recursion.
///
/// The closures of an atom hold other atoms, so releasing the last atom of a chain would release the whole chain, each
/// inside the release of the one before, and overflow the stack.
enum ReleaseQueue {
  /// Releases an object now, or, if the thread is releasing another one, after that.
  ///
  /// The caller gives up its reference, so that the queue has the last one.
  static func release(_ object: consuming AnyObject?) {
    guard let object = consume object else { return }
    let thread = unsafe atom_thread_current()
    if let waiting = unsafe thread.pointee.releasing {
      // Safe: `drain` on this thread keeps the array until it has reset the pointer.
      unsafe waiting.assumingMemoryBound(to: [AnyObject].self).pointee.append(consume object)
    } else {
      drain(consume object)
    }
  }

  /// Empties an array of objects, and releases each of them like `release(_:)`.
  static func release(all objects: inout [some AnyObject & Sendable]) {
    while !objects.isEmpty { release(objects.removeLast()) }
  }

  private static func drain(_ object: consuming AnyObject) {
    var waiting: [AnyObject] = []
    var next: AnyObject? = consume object
    unsafe withUnsafeMutablePointer(to: &waiting) { waiting in
      unsafe atom_thread_current().pointee.releasing = UnsafeMutableRawPointer(waiting)
      while next != nil {
        next = nil
        next = unsafe waiting.pointee.popLast()
      }
      unsafe atom_thread_current().pointee.releasing = nil
    }
  }
}
