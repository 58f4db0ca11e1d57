import ActorStore
import Testing

extension Readme {
  /// Handles a purchase, and returns the status code.
  func buy(from shop: Store<Shop>, _ journal: Journal) async -> Int {
    do {
      switch try await shop.dispatch(Buy(journal: journal)) {
      case .committed: return 200
      case .deferred: return 202  // Happens only inside an action, to avoid a deadlock.
      case .vetoed: return 403
      case .cancelled: return 499  // The client disconnected before the action began.
      case .closed: return 503
      }
    } catch { return 409 }  // The action threw `SoldOut`.
  }

  @Test func theServerAnswers() async {
    let (shop, journal) = (Store(Shop()), Journal())
    #expect(await buy(from: shop, journal) == 200)
    #expect(await buy(from: shop, journal) == 409)
    let nested = await shop.dispatch { _ async in await buy(from: shop, journal) }
    #expect(nested.output == 202)
    let canceled = Task.inheritingExecutor {
      withUnsafeCurrentTask { $0?.cancel() }
      return await buy(from: shop, journal)
    }
    #expect(await canceled.value == 499)
    shop.close()
    #expect(await buy(from: shop, journal) == 503)
  }
}
