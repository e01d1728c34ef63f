import MartletHTTPServer
import MartletTestSupport
import Testing

#if os(Linux)  // `/proc` tells of descriptors and threads
    import Glibc

    /// Each in a process of its own, where nothing else opens or closes files.
    @Suite("HTTP servers and the system's means", .timeLimit(.minutes(2)))
    struct LeakTests {
        @Test("that are gone leave no descriptor and no thread of theirs")
        func nothingLeft() async {
            await #expect(processExitsWith: .success) {
                func names(in folder: String) -> [String] {
                    guard let open = opendir(folder) else { return [] }
                    defer { closedir(open) }
                    var names: [String] = []
                    while let entry = readdir(open) {
                        names.append(
                            withUnsafePointer(to: &entry.pointee.d_name) {
                                String(
                                    cString: UnsafeRawPointer($0).assumingMemoryBound(
                                        to: CChar.self))
                            })
                    }
                    return names
                }
                func round() async throws {
                    let server = try HTTPServer.start { request in
                        if request.target.path == "/wait" { await untilCancelled() }
                        if request.target.path == "/stream" {
                            return HTTPResponse(.ok, body: .stream { try await $0.write("x") })
                        }
                        return echo(request)
                    }
                    var clients: [RawClient] = []
                    for target in ["/", "/stream", "/wait", "/", "/\0"] {
                        let client = try await RawClient(server)
                        try await client.ask(target)
                        if target != "/wait" { _ = try await client.rest(upTo: 12) }
                        clients.append(client)
                    }
                    await server.stop(within: .milliseconds(10))
                    for client in clients { await client.close() }
                }
                // the first rounds open what Dispatch and the event loop keep
                for _ in 0..<3 { try await round() }
                let before = names(in: "/proc/self/fd").count
                for _ in 0..<20 { try await round() }
                // clients' descriptors are closed by their loop, a little later
                try await waitUntil { names(in: "/proc/self/fd").count <= before }
                // the library's threads are named after it
                let threads = names(in: "/proc/self/task").compactMap {
                    try? String(
                        decoding: octets(ofFile: "/proc/self/task/\($0)/comm"), as: UTF8.self)
                }
                precondition(!threads.contains { $0.hasPrefix("MHD") })
            }
        }

        @Test("that are out of descriptors rest, and go on once there are some")
        func outOfDescriptors() async {
            await #expect(processExitsWith: .success) {
                func ownTime() -> Double {
                    var time = timespec()
                    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
                    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
                }
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                limit.rlim_cur = 200
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                let server = try HTTPServer.start { _ in .text("hello") }
                let first = try await RawClient(server)
                try await first.ask("/")
                _ = try await first.response()
                // the last descriptor is the client's: there is none for the server
                var filling: [CInt] = []
                while case let copy = dup(0), copy >= 0 { filling.append(copy) }
                close(filling.removeLast())
                let client = try await RawClient(server)
                try await client.ask("/")
                let before = ownTime()
                try await Task.sleep(for: .milliseconds(500))
                precondition(ownTime() - before < 0.25, "the server does not rest")
                for copy in filling { close(copy) }
                let response = try await client.response()
                precondition(response.text == "hello")
                await server.stop()
            }
        }
    }
#endif
