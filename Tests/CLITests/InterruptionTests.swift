import MartletTestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("Ctrl-C")
struct InterruptionTests {
    @Test(
        "closes the connection and ends the program as shells expect", arguments: [SIGINT, SIGTERM])
    func whileSending(signal: Int32) async throws {
        let server = ScriptedSMTP(faults: [.mail: .silence])
        try await withScriptedServer(server.serve) { port in
            let process = try Subprocess(
                Martlet.path, send(plaintext(port)) + ["--json"],
                environment: Martlet.complete([:]))
            process.closeInput()
            while !server.lines.contains(where: { $0.hasPrefix("MAIL") }) { await Task.yield() }
            process.send(signal: signal)
            let result = await process.result()
            #expect(result.status == 128 + signal)
            #expect(result.errors.contains("cancelled"))
            #expect(result.output.contains("\"kind\":\"cancelled\""))
            // withScriptedServer waits for the script, which waits for the connection's end.
        }
    }

    @Test("ends the wait for a message that is typed")
    func whileTyping() async throws {
        let process = try Subprocess(
            Martlet.path, send(["--server", "127.0.0.1:9", "--tls", "plaintext"]),
            environment: Martlet.complete([:]))
        process.write(Array("half a mess".utf8))
        process.send(signal: SIGINT)
        #expect(await process.result().status == 130)
    }

    @Test("while a send waits for the last reply ends by the signal, and says what is not known")
    func whileInDoubt() async throws {
        let server = ScriptedSMTP(faults: [.end: .silence])
        try await withScriptedServer(server.serve) { port in
            let process = try Subprocess(
                Martlet.path, send(plaintext(port)) + ["--json"],
                environment: Martlet.complete([:]))
            process.closeInput()
            try await waitUntil { !server.messages.isEmpty }
            process.send(signal: SIGTERM)
            let result = await process.result()
            #expect(result.status == 143)
            #expect(result.output.contains("\"exitStatus\":143"))
            #expect(result.output.contains("\"outcome\":\"uncertain\""))
            #expect(result.errors.contains("may have been taken"))
        }
    }
}
