/// The compiler, configuration, and system of this build.
///
/// A schedule is valid for one toolchain and one configuration.
enum Toolchain {
  static var description: String {
    "\(compiler), \(isDebug ? "debug" : "release"), \(system)"
  }

  private static var isDebug: Bool {
    var isDebug = false
    assert({ isDebug = true }() == ())
    return isDebug
  }

  private static var compiler: String {
    #if compiler(>=6.5)
      "Swift 6.5 or newer"
    #elseif compiler(>=6.4)
      "Swift 6.4"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #else
      "Swift 6.2"
    #endif
  }

  private static var system: String {
    #if os(Linux)
      let name = "Linux"
    #elseif os(macOS)
      let name = "macOS"
    #elseif os(Android)
      let name = "Android"
    #else
      let name = "an Apple system"
    #endif
    #if arch(x86_64)
      return "\(name) x86_64"
    #elseif arch(arm64)
      return "\(name) arm64"
    #else
      return name
    #endif
  }
}
