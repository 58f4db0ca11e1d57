import Atoms
import Foundation

#if canImport(SwiftUI)
  import SwiftUI
#endif

// The README leaves out the value of `apiAtom`.
let searchTextAtom = Atom("")
let apiAtom = Atom(API(searchDogs: { _ in [] }))

// Define a dogsAtom for fetching dogs based on the search text
let dogsAtom = AsyncAtom<[Dog]> {
  @UseAtomValue(searchTextAtom, debounce: 0.3) var searchText
  @UseAtomValue(apiAtom) var api
  return try await api.searchDogs(searchText)
}

struct SearchDogsView: View {
  @UseAtom(searchTextAtom) var searchText
  @UseAtomValue(dogsAtom) var dogsState
  var body: some View {
    NavigationStack {
      List {
        switch dogsState {
        case .loading:
          ProgressView()
        case .success(let dogs):
          ForEach(dogs) {
            Text($0.name)
          }
        case .failure(let error):
          Text(error.localizedDescription)
          Button("Try again") {
            dogsAtom.reload()
          }
        }
      }
      .searchable(text: $searchText)
    }
  }
}
