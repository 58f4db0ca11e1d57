public import ActorStore

/// Connecting components.
extension Selected {
  /// Connects a component that renders the values as its props.
  ///
  /// ```swift
  /// store.select(row(3)).connect(cell)
  /// store.select(\.query).connect(screen, strategy: .debounced(for: .milliseconds(300)))
  /// ```
  ///
  /// The component is rendered on the actor on which you call `connect`. The first call comes after `connect` has
  /// returned, with the current props. Calls with later props follow in order. If the actor is busy, the component
  /// skips to the newest props. `render()` is called outside any turn, so it can dispatch actions.
  ///
  /// If the component already has a connection, the new one replaces it. The connection does not retain the component,
  /// the actor, or the store. See ``Connection``.
  ///
  /// Each commit costs as much as with an observation: it compares the props, and wakes a task only if they have
  /// changed. A debounced or throttled connection adds a task and a small store, which take about five kilobytes.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - strategy: When the component gets new props.
  ///   - isolation: The actor on which the component is rendered.
  public func connect<C: Component>(
    _ component: C, strategy: DeliveryStrategy = .immediate, isolation: isolated any Actor = #isolation
  ) where C.Props == Value {
    connect(component, strategy, isolation) { component, props in component.render(props) }
  }

  /// Connects a component that renders optional values as its props, or shows that they are missing.
  ///
  /// ```swift
  /// store.select(path).connect(commentView)  // calls render(missing:) while there is no such comment
  /// ```
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - strategy: When the component gets new props.
  ///   - isolation: The actor on which the component is rendered.
  public func connect<C: Component>(
    _ component: C, strategy: DeliveryStrategy = .immediate, isolation: isolated any Actor = #isolation
  ) where Value == C.Props? {
    connect(component, strategy, isolation) { component, props in component.render(props) }
  }

  /// Connects an actor that renders the values as its props.
  ///
  /// The connection is like that of an object, but it calls the component on the component itself.
  ///
  /// - Parameters:
  ///   - component: The actor.
  ///   - strategy: When the actor gets new props.
  public func connect<C: ActorComponent>(
    _ component: isolated C, strategy: DeliveryStrategy = .immediate
  ) where C.Props == Value {
    connect(component, strategy) { component, props in component.render(props) }
  }

  /// Connects an actor that renders optional values as its props, or shows that they are missing.
  ///
  /// The connection is like that of an object, but it calls the component on the component itself.
  ///
  /// - Parameters:
  ///   - component: The actor.
  ///   - strategy: When the actor gets new props.
  public func connect<C: ActorComponent>(
    _ component: isolated C, strategy: DeliveryStrategy = .immediate
  ) where Value == C.Props? {
    connect(component, strategy) { component, props in component.render(props) }
  }

  // MARK: Starting

  private func connect<C: Component>(
    _ component: C, _ strategy: DeliveryStrategy, _ isolation: isolated any Actor,
    _ render: @escaping (C, Value) -> Void
  ) {
    component.connection?.disconnect()
    let identity = Connection.Identity()
    let id = ObjectIdentifier(identity)
    guard let pacing = strategy.pacing else {
      let token = observe(component, bufferingPolicy: .bufferingNewest(1), id: id, isolation: isolation, render)
      return component.connection = Connection(identity, token)
    }
    let paced = PacedSelection(self, pacing, strategy.clock)
    let token = paced.delivered.select().observe(
      component, bufferingPolicy: .bufferingNewest(1), id: id, isolation: isolation
    ) { component, value in
      withExtendedLifetime(paced) {}
      if let value { render(component, value) }
    }
    component.connection = Connection(identity, token)
  }

  private func connect<C: ActorComponent>(
    _ component: isolated C, _ strategy: DeliveryStrategy,
    _ render: @escaping @Sendable (isolated C, Value) -> Void
  ) {
    component.connection?.disconnect()
    let identity = Connection.Identity()
    let id = ObjectIdentifier(identity)
    guard let pacing = strategy.pacing else {
      let token = observe(component, bufferingPolicy: .bufferingNewest(1), id: id, render)
      return component.connection = Connection(identity, token)
    }
    let paced = PacedSelection(self, pacing, strategy.clock)
    let token = paced.delivered.select().observe(
      component, bufferingPolicy: .bufferingNewest(1), id: id
    ) { component, value in
      withExtendedLifetime(paced) {}
      if let value { render(component, value) }
    }
    component.connection = Connection(identity, token)
  }
}

extension Component {
  /// Sets the props and renders them, unless setting them ends the connection.
  fileprivate func render(_ props: Props) {
    let identity = connection?.identity
    self.props = props
    if connection?.identity === identity { render() }
  }

  fileprivate func render(_ props: Props?) {
    if let props { render(props) } else { render(missing: self.props) }
  }
}

extension ActorComponent {
  /// Sets the props and renders them, unless setting them ends the connection.
  fileprivate func render(_ props: Props) {
    let identity = connection?.identity
    self.props = props
    if connection?.identity === identity { render() }
  }

  fileprivate func render(_ props: Props?) {
    if let props { render(props) } else { render(missing: self.props) }
  }
}
