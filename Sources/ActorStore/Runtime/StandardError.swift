#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Writes one line to standard error, in one call, so that lines of several threads do not mix.
func writeLineToStandardError(_ line: String) {
  var text = line + "\n"
  text.withUTF8 { bytes in
    // Safe: the buffer is valid for the length of this call. What cannot be written is nobody's to mend.
    _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }
}
