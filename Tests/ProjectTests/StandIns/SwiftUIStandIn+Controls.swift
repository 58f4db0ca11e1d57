#if !canImport(SwiftUI)
  import Atoms

  struct Text: Control {
    let string: String
    init(_ string: String) { self.string = string }

    func show(on screen: Screen) { screen.texts.append(string) }
  }

  struct TextField: Control {
    let title: String
    @Binding var text: String

    init(_ title: String, text: Binding<String>) {
      self.title = title
      _text = text
    }

    func show(on screen: Screen) { screen.fields.append(self) }
  }

  struct Button: Control {
    let title: String
    let action: @MainActor () -> Void
    init(_ title: String, action: @escaping @MainActor () -> Void) { (self.title, self.action) = (title, action) }

    func show(on screen: Screen) { screen.buttons.append(self) }
  }

  struct ProgressView: Control {
    func show(on screen: Screen) { screen.progressViews += 1 }
  }

  struct VStack<Content: View>: Control {
    let content: Content
    init(@ViewBuilder content: () -> Content) { self.content = content() }

    func show(on screen: Screen) { screen.show(content) }
  }

  struct NavigationStack<Content: View>: Control {
    let content: Content
    init(@ViewBuilder content: () -> Content) { self.content = content() }

    func show(on screen: Screen) { screen.show(content) }
  }

  struct ForEach<Content: View>: Control {
    let rows: [Content]

    init<Element: Identifiable>(_ data: [Element], @ViewBuilder content: (Element) -> Content) {
      rows = data.map { content($0) }
    }

    func show(on screen: Screen) { for row in rows { screen.show(row) } }
  }

  struct List<Content: View>: Control {
    let content: Content
    init(@ViewBuilder content: () -> Content) { self.content = content() }

    init<Element: Identifiable, Row: View>(
      _ data: [Element], @ViewBuilder rowContent: (Element) -> Row
    ) where Content == ForEach<Row> {
      content = ForEach(data, content: rowContent)
    }

    init<Element: Identifiable & Sendable, Row: View>(
      _ data: Binding<[Element]>, @ViewBuilder rowContent: (Binding<Element>) -> Row
    ) where Content == ForEach<Row>, Element.ID: Sendable {
      content = ForEach(rows: data.elements.map(rowContent))
    }

    func show(on screen: Screen) { screen.show(content) }
  }

  extension ForEach {
    init(rows: [Content]) { self.rows = rows }
  }

  extension View {
    func searchable(text: Binding<String>) -> some View {
      VStack {
        TextField("Search", text: text)
        self
      }
    }
  }
#endif
