import MartletFuzzOracles

@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ argc: UnsafeMutablePointer<CInt>, _ argv: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
    _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    SMTPReplyOracle.check([UInt8](UnsafeBufferPointer(start: start, count: count)))
    return 0
}

var argc = CommandLine.argc
var argv = UnsafeMutableRawPointer(CommandLine.unsafeArgv)
    .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
_ = withUnsafeMutablePointer(to: &argv) { pointer in
    runDriver(
        &argc,
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: UnsafeMutableRawPointer?.self),
        testOneInput)
}
