#if os(Linux)
  import Foundation
  import Testing

  @testable import StoreLoadTest

  /// The output and the exit status of the program, as a user runs it.
  @Suite(.serialized) struct ProgramTests {
    private struct Run {
      let status: Int32
      let output: String
      let errors: String
    }

    private static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "StoreLoadTest")

    /// Runs the program to its end, or interrupts it when it prints a text.
    ///
    /// If `said` is true, the text is expected on standard error.
    private func run(
      _ arguments: String,
      until text: String? = nil,
      said: Bool = false,
      planting: Bool = false
    ) throws -> Run {
      let process = Process()
      let (output, errors) = (Pipe(), Pipe())
      process.executableURL = Self.program
      process.arguments = arguments.split(separator: " ").map(String.init)
      process.standardOutput = output
      process.standardError = errors
      if planting {
        process.environment = ProcessInfo.processInfo.environment.merging(["STORELOADTEST_PLANT": "1"]) { $1 }
      }
      try process.run()
      var begun = Data()
      if let text {
        let first = said ? errors : output
        while !String(decoding: begun, as: UTF8.self).contains(text) {
          let more = first.fileHandleForReading.availableData
          if more.isEmpty { break }
          begun += more
        }
        process.interrupt()
      }
      let printed = output.fileHandleForReading.readDataToEndOfFile()
      let words = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return Run(
        status: process.terminationStatus, output: String(decoding: (said ? Data() : begun) + printed, as: UTF8.self),
        errors: String(decoding: (said ? begun : Data()) + words, as: UTF8.self))
    }

    private static let page = FileManager.default.temporaryDirectory.appending(
      path: "StoreLoadTest-\(ProcessInfo.processInfo.processIdentifier).html"
    ).path

    @Test func runsScenarios() throws {
      let run = try run("ordering cancel --dispatches 500")
      #expect(run.status == 0)
      #expect(run.output.contains("cancel: canceled at random moments, 50 tasks"))
      #expect(run.output.hasSuffix("all checks passed\n"))
      #expect(!run.output.contains("\u{1B}") && run.errors.isEmpty)
    }

    @Test func printsJSON() throws {
      let run = try run("cancel --dispatches 500 --json --seed 9")
      #expect(run.status == 0)
      let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      #expect(object?["seed"] as? Int == 9)
      #expect((object?["scenarios"] as? [[String: Any]])?.first?["operations"] as? Int == 500)
    }

    @Test func writesAReport() throws {
      defer { try? FileManager.default.removeItem(atPath: Self.page) }
      let run = try run("dispatch --dispatches 200 --report \(Self.page)")
      #expect(run.status == 0)
      let page = try String(contentsOfFile: Self.page, encoding: .utf8)
      #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<svg"))
    }

    @Test(arguments: ["--tasks 0", "nonsense", "--report /nowhere/page.html", "--report /tmp", "--quick --seconds 9"])
    func rejectsWrongUsage(arguments: String) throws {
      let run = try run(arguments)
      #expect(run.status == 2)
      #expect(run.output.isEmpty)
      #expect(run.errors.hasPrefix("StoreLoadTest: "))
    }

    @Test func printsHelp() throws {
      let run = try run("--help")
      #expect(run.status == 0 && run.output.hasPrefix("usage: StoreLoadTest"))
      #expect(try self.run("--list dispatch").output.contains("  mutation, 1000 tasks\n"))
    }

    /// Ctrl-C prints the results so far.
    @Test func interruptionPrintsResults() throws {
      let run = try run("memory simulating --seconds 600", until: "memory: an unread stream")
      #expect(run.status == 130)
      #expect(run.output.contains("memory: an unread stream"))
      #expect(run.output.contains("interrupted; all checks until then passed"))
    }

    /// The test interrupts a debug build at the note that it prints before the first case.
    @Test(.enabled(if: isDebug)) func interruptionPrintsJSON() throws {
      let path = Self.page + ".interrupted"
      defer { try? FileManager.default.removeItem(atPath: path) }
      let run = try run("cancel --seconds 600 --json --report \(path)", until: "debug build", said: true)
      #expect(run.status == 130)
      let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      #expect(object?["incomplete"] as? String == "interrupted")
      #expect(FileManager.default.fileExists(atPath: path))
    }

    /// The program finds a planted violation, and then a planted stall, which takes ten seconds.
    @Test func findsViolationsAndStalls() throws {
      let run = try run("planted --seed 5", planting: true)
      #expect(run.status == 1)
      #expect(run.errors.contains("violation: planted: violation: answer: expected 42, saw 41 (seed 5)"))
      #expect(run.errors.contains("no progress for ten seconds; stalled, revision 0: endless action has the turn"))
      #expect(run.errors.contains("1 waiting: Increment"))
      #expect(run.output.contains("stalled; 1 violation"))
    }

    /// The checker of the chaos program finds a wrong formula.
    @Test func findsAWrongFormula() throws {
      let run = try run("planted-chaos --dispatches 2000 --tasks 2 --seed 7", planting: true)
      #expect(run.status == 1)
      #expect(run.errors.contains("violation: planted-chaos: 2 threads: thread "))
      #expect(run.errors.contains("derived 2: expected "))
    }

    /// The chaos program lists its kinds of operations.
    @Test func listsKindsOfOperations() throws {
      let run = try run("chaos --dispatches 2000 --tasks 2")
      #expect(run.status == 0)
      #expect(run.output.contains("\n  snapshot, recomputed "))
      #expect(run.output.contains("\n  repeat of a transaction "))
    }

    /// A missed limit marks its row, and the program measures it only once.
    @Test func marksMissedLimits() throws {
      let run = try run("planted-limits", planting: true)
      #expect(run.status == 0)
      #expect(run.errors.isEmpty)
      let lines = run.output.split(separator: "\n")
      let marks = [
        ("slow", "8.50 to 8.50", "slower than expected (ratio above 3)"),
        ("disturbed", "3.50 to 3.50", "slower than expected (ratio above 3)"),
        ("large", "401 B", "larger than expected (heap bytes above 400)"),
      ]
      for (name, figure, mark) in marks {
        let line = lines.first { $0.hasPrefix("planted-limits: \(name) ") }
        #expect(line?.contains(figure) == true && line?.hasSuffix("  \(mark)") == true, "\(line ?? "")")
      }
      #expect(lines.last == "all checks passed; 2 cases are slower than expected; 1 case is larger than expected")
    }

    /// With `--enforce-limits`, a limit that the best of five measurements misses is a violation.
    @Test func enforcesLimits() throws {
      let run = try run("planted-limits --enforce-limits --json", planting: true)
      #expect(run.status == 1)
      #expect(
        run.errors.hasSuffix(
          """
          violation: planted-limits: slow: slower than expected: ratio: expected at most 3, saw 4.5 in the best of 5 \
          measurements (seed 1)
          violation: planted-limits: large: larger than expected: heap bytes: expected at most 400, saw 401 in the best \
          of 5 measurements (seed 1)

          """))
      let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
      #expect(report.violations == 2)
      #expect(report.scenarios.map(\.ratio?.median) == [4.5, 2, nil])
      #expect(report.scenarios.map(\.missedLimit?.seen) == [4.5, nil, 401])
      #expect(report.scenarios.map(\.violations) == [1, 0, 1])
    }

    @Test func countsAndRepeats() throws {
      #expect(try run("--repeat commit --dispatches 50").status == 0)
      #expect(try run("--repeat dispatch --dispatches 50").output.isEmpty)
      #expect(try run("--allocations").output.contains("dispatch of a mutation"))
    }
  }
#endif
