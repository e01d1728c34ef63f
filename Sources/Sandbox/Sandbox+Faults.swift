/// What goes wrong on purpose. All of it can change while clients are connected.
extension Sandbox {
    /// The faults that are there, in the order in which they are asked, with how often each struck.
    public var faults: [PlacedFault] { shared.faults.placed }

    /// Adds a fault behind the others.
    ///
    /// - Returns: its number.
    /// - Throws: `SandboxError` of kind `.invalidFault` with what to change.
    @discardableResult
    public func addFault(_ fault: Fault) throws(SandboxError) -> Int {
        try shared.faults.add([fault])[0]
    }

    /// Puts faults in the place of those that are there, all or none.
    ///
    /// - Returns: their numbers.
    /// - Throws: `SandboxError` of kind `.invalidFault` with what to change.
    @discardableResult
    public func setFaults(_ faults: [Fault]) throws(SandboxError) -> [Int] {
        try shared.faults.add(faults, replaces: true)
    }

    /// Removes a fault.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    public func removeFault(_ id: Int) -> Bool { shared.faults.remove(id) }

    /// Removes all faults. A connection that is slow or silent by one stays so.
    public func removeFaults() { shared.faults.removeAll() }
}
