#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Writes the printable form of a line to standard error in one call, so that the lines of several threads do not mix.
package func writeLineToStandardError(_ line: String) {
  var text = line.printable + "\n"
  text.withUTF8 { bytes in
    // Safe: the buffer is valid during this call. The result is ignored, because there is no way to report a failure.
    _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }
}
