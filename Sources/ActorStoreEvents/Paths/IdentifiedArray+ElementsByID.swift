extension IdentifiedArray: ElementsByID {}
