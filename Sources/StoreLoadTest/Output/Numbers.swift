/// Short formats of figures, for people to read.
enum Numbers {
  /// Formats a time, such as 712 ns, 7.12 us, or 71.2 ms.
  static func time(_ nanoseconds: Double) -> String {
    var (value, units) = (nanoseconds, ["ns", "us", "ms", "s"][...])
    while value >= 999.5, units.count > 1 {
      value /= 1_000
      units.removeFirst()
    }
    return "\(significant(value)) \(units.first ?? "")"
  }

  /// Formats a number of bytes, such as 512 B, 5.12 KB, or 51.2 MB.
  static func bytes(_ bytes: Int) -> String {
    var (value, units) = (Double(bytes.magnitude), ["B", "KB", "MB", "GB", "TB"][...])
    while value >= 1_000, units.count > 1 {
      value /= 1_024
      units.removeFirst()
    }
    let digits = units.first == "B" ? decimal(value, places: 0) : significant(value)
    return (bytes < 0 ? "-" : "") + "\(digits) \(units.first ?? "")"
  }

  /// Formats a ratio, such as 0.71 or 12.3, or 1/500 if it is small.
  static func ratio(_ value: Double) -> String {
    value > 0 && value < 0.05 ? "1/\(Int((1 / value).rounded()))" : significant(value)
  }

  /// Removes trailing zeros after the decimal point, so that 10.0 us becomes 10 us.
  static func withoutZeros(_ text: String) -> String {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard var number = parts.first.map(String.init), number.contains(".") else { return text }
    while number.hasSuffix("0") { number.removeLast() }
    if number.hasSuffix(".") { number.removeLast() }
    return ([number] + parts.dropFirst().map(String.init)).joined(separator: " ")
  }

  /// Formats a figure with three significant digits, but at most two decimal places.
  private static func significant(_ value: Double) -> String {
    let places = value.magnitude < 9.995 ? 2 : value.magnitude < 99.95 ? 1 : 0
    return decimal(value, places: places)
  }

  static func decimal(_ value: Double, places: Int) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
    let factor = places == 2 ? 100 : places == 1 ? 10 : 1
    let scaled = Int((value * Double(factor)).rounded())
    let (whole, rest) = (abs(scaled) / factor, abs(scaled) % factor)
    let sign = scaled < 0 ? "-" : ""
    if places == 0 { return "\(sign)\(whole)" }
    let digits = String(rest)
    return "\(sign)\(whole)." + String(repeating: "0", count: places - digits.count) + digits
  }
}
