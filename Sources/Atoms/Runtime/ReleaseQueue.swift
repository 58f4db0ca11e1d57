import AtomThread

/// Releases long chains of objects without recursion.
///
/// The closure of a derived atom holds the atoms that it reads, so releasing the last atom of a chain would release the
/// whole chain, each inside the release of the one before, and overflow the stack.
enum ReleaseQueue {
  private final class List {
    var objects: [AnyObject] = []
  }

  /// Releases an object now, or, if the thread is releasing another one, after that.
  ///
  /// The caller gives up its reference, so that the queue has the last one.
  static func release(_ object: consuming AnyObject?) {
    guard let object = consume object else { return }
    let thread = unsafe atom_thread_current()
    if let list = unsafe thread.pointee.releasing {
      // Safe: `drain` on this thread holds the list until it has reset the pointer.
      unsafe Unmanaged<List>.fromOpaque(list).takeUnretainedValue().objects.append(consume object)
    } else {
      drain(consume object)
    }
  }

  private static func drain(_ object: consuming AnyObject) {
    let thread = unsafe atom_thread_current()
    let list = List()
    unsafe thread.pointee.releasing = Unmanaged.passUnretained(list).toOpaque()
    list.objects.append(consume object)
    while let next = list.objects.popLast() { withExtendedLifetime(next) {} }
    unsafe thread.pointee.releasing = nil
  }
}
