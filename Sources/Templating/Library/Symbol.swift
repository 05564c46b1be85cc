/// An interned name.
///
/// Raw values below the count of names given to the compiler are those names
/// in order, so that a caller can map its own members by an enum.
package struct Symbol: Hashable, Sendable {
    /// The name's place in the library's table of names.
    package let rawValue: UInt16

    /// The symbol at a known place of the table.
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Stands for every name that no template and no caller has mentioned;
    /// only the text beside it tells such names apart.
    package static let unknown = Symbol(rawValue: .max)
}

/// All names of a library, each once.
struct SymbolTable: Sendable {
    private(set) var names: [String] = []
    private var places: [String: UInt16] = [:]
    /// Whether a name was refused because the table is full.
    private(set) var isFull = false

    init(_ names: [String]) {
        for name in names { _ = intern(name) }
    }

    mutating func intern(_ name: String) -> Symbol {
        if let place = places[name] { return Symbol(rawValue: place) }
        guard names.count < Int(UInt16.max) else {
            isFull = true
            return .unknown
        }
        let place = UInt16(names.count)
        names.append(name)
        places[name] = place
        return Symbol(rawValue: place)
    }

    /// The symbol of a name met at run time.
    func symbol(of name: String) -> Symbol {
        places[name].map(Symbol.init(rawValue:)) ?? .unknown
    }

    func name(of symbol: Symbol) -> String {
        symbol == .unknown ? "" : names[Int(symbol.rawValue)]
    }
}
