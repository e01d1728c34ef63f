import Dispatch

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argc: UnsafeMutablePointer<CInt>, _ argv: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
    _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

// Set once, before the fuzzer starts; a C function cannot carry it.
nonisolated(unsafe) private var check: ([UInt8]) -> Void = { _ in
    preconditionFailure("the fuzzer's own program was started, not the target's")
}

/// The run-time library links against a function of this name, also where it is not its program that runs.
@_cdecl("LLVMFuzzerTestOneInput")
package func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check([UInt8](UnsafeBufferPointer(start: start, count: count)))
    return 0
}

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
            { testOneInput($0, $1) })
    }
}

/// Runs the fuzzer on what an asynchronous `oracle` checks.
package func fuzz(_ oracle: @escaping @Sendable ([UInt8]) async -> Void) {
    fuzz { (input: [UInt8]) -> Void in
        let isDone = DispatchSemaphore(value: 0)
        Task {
            await oracle(input)
            isDone.signal()
        }
        isDone.wait()
    }
}
