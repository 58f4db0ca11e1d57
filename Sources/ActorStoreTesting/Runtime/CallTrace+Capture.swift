import ActorStore

// Apple's platforms have the module, too, but only from version 26, and there the simulation has not been tested.
#if os(Linux) && canImport(Runtime)
  import Runtime

  extension CallTrace {
    /// Captures the calls in progress in the current task, or returns `nil` if that is impossible or unsafe.
    ///
    /// The first trace on a thread takes as long as reading the executable's symbols. Later traces take microseconds.
    static func capture() -> CallTrace? {
      guard let backtrace = SwiftRuntime.backtrace(limit: maxCalls, images: images),
        let calls = calls(in: backtrace)
      else { return nil }
      let isWhole = !backtrace.frames.contains { if case .omittedFrames = $0 { true } else { false } }
      return CallTrace(calls, isWhole: isWhole)
    }

    /// Returns the functions that a suspended task awaits, from the innermost function outward.
    static func calls(awaitingAt resumePoints: [UInt64]) -> [Call] {
      #if !PublicAPIOnly && compiler(>=6.3) && compiler(<6.4)
        SwiftRuntime.backtrace(of: resumePoints, images: images).flatMap(calls) ?? []
      #else
        []
      #endif
    }

    private static func calls(in backtrace: Backtrace) -> [Call]? {
      // A trace may end with a frame without an address.
      let addresses = backtrace.frames.compactMap(address)
      let known = knownCalls.withLock { known in addresses.map { known[$0] } }
      if !known.contains(where: { $0 == nil }) { return known.compactMap(\.self) }
      guard let symbolicated = backtrace.symbolicated(with: images, options: []) else { return nil }
      let found = symbolicated.frames.compactMap(call)
      knownCalls.withLock { known in for call in found { known[call.address] = call } }
      return found
    }

    private static var maxCalls: Int { 512 }

    private static let knownCalls = Locked<[UInt64: Call]>([:])

    /// The executable and its libraries.
    ///
    /// They are found before the first symbol, because the unwinder maps the files to read their symbols and would then
    /// find these mappings instead of the code.
    private static let images = ImageMap.capture()

    /// Returns the file and the line of a call, such as "Bank.swift:12", or `nil` if they are unknown.
    ///
    /// They are unknown in an optimized build, because there a call has the line of a function inlined into it.
    static func location(of call: Call) -> String? {
      #if DEBUG
        guard let index = images.indexOfImage(at: Backtrace.Address(call.address)), let path = images[index].path,
          let start = UInt64(images[index].baseAddress), start <= call.address
        else { return nil }
        return knownLines.withLock { files in
          var file = files[path] ?? KnownLines(table: LineTable(ofFileAt: path))
          defer { files[path] = file }
          if let known = file.locations[call.address] { return known }
          let found = file.table?.location(of: call.address - start)?.description
          file.locations[call.address] = .some(found)
          return found
        }
      #else
        return nil
      #endif
    }

    private struct KnownLines: Sendable {
      let table: LineTable?
      var locations: [UInt64: String?] = [:]
    }

    private static let knownLines = Locked<[String: KnownLines]>([:])

    private static func address(of frame: Backtrace.Frame) -> UInt64? {
      UInt64(frame.adjustedProgramCounter).flatMap { $0 == 0 ? nil : $0 }
    }

    private static func call(_ frame: SymbolicatedBacktrace.Frame) -> Call? {
      guard let address = address(of: frame.captured) else { return nil }
      let symbol = frame.symbol?.rawName ?? ""
      let isAwaiting = if case .asyncResumePoint = frame.captured { true } else { false }
      return Call(
        symbol: symbol, name: frame.symbol?.name ?? "", isThunk: frame.symbol?.isSwiftThunk == true, address: address,
        isAwaiting: isAwaiting, fullName: { SwiftRuntime.demangled(symbol) ?? "" })
    }
  }
#else
  extension CallTrace {
    static func capture() -> CallTrace? { nil }

    static func calls(awaitingAt resumePoints: [UInt64]) -> [Call] { [] }

    static func location(of call: Call) -> String? { nil }
  }
#endif
