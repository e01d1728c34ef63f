import MartletCLI

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// Numbers 0 to 2 that nobody opened must not go to a socket, which would then get what is printed.
for number in CInt(0)...2 where fcntl(number, F_GETFD) < 0 {
    _ = open("/dev/null", number == 0 ? O_RDONLY : O_WRONLY)
}
// `CommandLine.arguments` mends what is not UTF-8, and a mended address is another address.
for index in 1..<max(Int(CommandLine.argc), 1) {
    guard let word = CommandLine.unsafeArgv[index] else { continue }
    if String(validatingCString: word) == nil { exit(Program.refuseWord(at: index)) }
}
exit(await Program.run(Array(CommandLine.arguments.dropFirst())))
