@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argc: UnsafeMutablePointer<CInt>, _ argv: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
    _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

// Set once, before the fuzzer starts; a C function cannot carry it.
nonisolated(unsafe) private var check: ([UInt8]) -> Void = { _ in }

/// Runs the fuzzer with the words of the command line on what `oracle` checks, until it has found something or its time
/// is over.
package func fuzz(_ oracle: @escaping ([UInt8]) -> Void) {
    check = oracle
    var argc = CommandLine.argc
    var argv = UnsafeMutableRawPointer(CommandLine.unsafeArgv)
        .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    _ = withUnsafeMutablePointer(to: &argv) { pointer in
        runDriver(
            &argc,
            UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: UnsafeMutableRawPointer?.self),
            { start, count in
                check([UInt8](UnsafeBufferPointer(start: start, count: count)))
                return 0
            })
    }
}
