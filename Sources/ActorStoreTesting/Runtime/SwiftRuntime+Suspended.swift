/// A task that waits, as its memory describes it.
struct SuspendedTask {
  /// What wakes the task.
  enum Dependency {
    /// The end of the task with this ID.
    case task(UInt64)
    case group
    case continuation
  }

  let name: String?
  /// Whether the task waits until an executor runs it.
  let isEnqueued: Bool
  /// What the task waits for, or `nil` if it is ready or if its memory does not tell.
  let dependency: Dependency?
  /// The places at which its functions continue, from the innermost function outward.
  let resumePoints: [UInt64]
}

extension SwiftRuntime {
  /// The tasks that wait for an actor.
  struct Mailbox {
    /// The name of the actor's type.
    let actor: String
    /// The IDs of the tasks, the newest first.
    let tasks: [UInt64]
  }
}

#if os(Linux) && canImport(Runtime) && !PublicAPIOnly && compiler(>=6.3) && compiler(<6.4)
  import Glibc
  @_spi(Internal) @_spi(MemoryReaders) import Runtime

  extension SwiftRuntime {
    /// Returns what the memory of a task reveals, or `nil` if the task has ended or its memory cannot be read.
    ///
    /// The task may have ended, and its memory may have been freed or reused. So this method reads the memory through
    /// the system, which checks each address, and trusts it only if it contains the task's ID.
    ///
    /// - Parameters:
    ///   - address: The address of the task, which is also its job.
    ///   - id: The ID of the task.
    static func suspendedTask(at address: UInt, id: UInt64) -> SuspendedTask? {
      guard canCheckAddresses else { return nil }
      let memory = CheckedMemory()
      // The layout is that of `AsyncTask`, `TaskStatusRecord`, and `AsyncContext` in the runtime's Task.h,
      // TaskPrivate.h, and TaskStatus.h. The kind of a task's job is 0, and its ID has 64 bits in two parts.
      guard let flags = memory[UInt32.self, address + 32], flags & 0xff == 0,
        memory[UInt32.self, address + 36] == UInt32(truncatingIfNeeded: id),
        let status = memory[UInt32.self, address + 96], status & isComplete == 0
      else { return nil }
      var name: String?
      var dependency: SuspendedTask.Dependency?
      for record in memory.list(from: address + 104, next: 8) {
        switch memory[UInt8.self, record] {
        case 0 where status & hasDependency != 0: dependency = memory.dependency(record)
        case 6: name = memory[UInt.self, record + 16].flatMap(memory.text)
        default: break
        }
      }
      let contexts = memory.list(from: address + 64, next: 0)
      let resumePoints = [address + 56] + contexts.map { $0 + 8 }
      return SuspendedTask(
        name: name, isEnqueued: status & isEnqueued != 0, dependency: dependency,
        resumePoints: resumePoints.compactMap { memory[UInt64.self, $0] }.filter { $0 != 0 })
    }

    /// Returns the actor whose mailbox a job will process, or `nil` if that is unknown.
    ///
    /// - Parameter address: The address of a job that has not run.
    static func mailbox(at address: UInt) -> Mailbox? {
      guard canCheckAddresses else { return nil }
      let memory = CheckedMemory()
      // The layout is that of `ProcessOutOfLineJob` and `DefaultActorImpl` in the runtime's Actor.cpp. The lowest bits
      // of the address of a waiting job are flags.
      guard memory[UInt8.self, address + 32] == 193, let actor = memory[UInt.self, address + 64],
        let pointer = unsafe UnsafeRawPointer(bitPattern: actor)
      else { return nil }
      // Safe: the job keeps its actor alive.
      let object = unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
      var tasks: [UInt64] = []
      var place = actor + 40
      while tasks.count < 100, let job = memory[UInt.self, place].map({ $0 & ~7 }), job != 0 {
        guard let id = memory.taskID(at: job) else { break }
        tasks.append(id)
        place = job + 16
      }
      return Mailbox(actor: "\(type(of: object))", tasks: tasks)
    }

    private static var isEnqueued: UInt32 { 0x1000 }
    private static var isComplete: UInt32 { 0x2000 }
    private static var hasDependency: UInt32 { 0x4000 }

    /// A backtrace of functions that await others.
    static func backtrace(of resumePoints: [UInt64], images: ImageMap) -> Backtrace? {
      #if arch(x86_64)
        let architecture = "x86_64"
      #else
        let architecture = "aarch64"
      #endif
      let frames = resumePoints.map { RichFrame<UInt64>.asyncResumePoint($0) }
      return Backtrace(architecture: architecture, frames: frames, images: images)
    }

    /// The memory of this process, without a crash where there is none.
    private struct CheckedMemory {
      private let reader = RemoteMemoryReader(pid: getpid())

      subscript<Value>(_ type: Value.Type, address: UInt) -> Value? {
        try? reader.fetch(from: RemoteMemoryReader.Address(address), as: type)
      }

      /// The addresses of the elements of a linked list.
      ///
      /// - Parameters:
      ///   - first: The place of the address of the first element.
      ///   - next: The offset of the next element's address in an element.
      func list(from first: UInt, next: UInt) -> [UInt] {
        var elements: [UInt] = []
        var place = first
        while elements.count < 512, let element = self[UInt.self, place], element != 0 {
          elements.append(element)
          place = element + next
        }
        return elements
      }

      func dependency(_ record: UInt) -> SuspendedTask.Dependency? {
        switch self[UInt32.self, record + 32] {
        case 1: self[UInt.self, record + 16].flatMap(taskID).map { .task($0) }
        case 2: .continuation
        case 3: .group
        default: nil
        }
      }

      /// The ID of a task that has not been freed, because it waits or another one waits for it.
      func taskID(at address: UInt) -> UInt64? {
        guard self[UInt8.self, address + 32] == 0,
          case .task(let id) = unsafe job(unsafeBitCast(address, to: UnownedJob.self))
        else { return nil }
        return id
      }

      /// The text at an address, up to its terminating zero.
      func text(at address: UInt) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < 200, let byte = self[UInt8.self, address + UInt(bytes.count)], byte != 0 {
          bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
      }
    }
  }
#else
  extension SwiftRuntime {
    static func suspendedTask(at address: UInt, id: UInt64) -> SuspendedTask? { nil }

    static func mailbox(at address: UInt) -> Mailbox? { nil }
  }
#endif
