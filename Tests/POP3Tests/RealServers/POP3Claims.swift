import MartletPOP3
import MartletTestSupport
import Testing

extension POP3Claim {
    static let all: [POP3Claim] = [
        POP3Claim("lists, and gives header and message octet by octet") { server in
            try await POP3Client.withConnection(to: server.popEntrance()) { pop in
                let listed = try await pop.messages()
                #expect(listed.map(\.number) == [1, 2, 3])
                #expect(listed.allSatisfy { $0.uniqueID != nil && $0.sizeInOctets ?? 0 > 0 })
                #expect(try await pop.status().messageCount == 3)
                for (index, message) in alices.enumerated() {
                    #expect(stripped(try await pop.octets(of: index + 1)) == message)
                    #expect(try await pop.message(index + 1).subject == "alice \(index)")
                    let header = try await pop.header(of: index + 1)
                    #expect(Message(parsing: header).subject == "alice \(index)")
                    #expect(header.count < message.count)
                }
                let error = await failure { _ = try await pop.octets(of: 99) }
                #expect(error?.reply != nil && error?.endsConnection == false)
                try await pop.noop()
            }
        },
        POP3Claim("calls messages the same in the next session") { server in
            var seen: [[UniqueID?]] = []
            for _ in 0..<2 {
                try await POP3Client.withConnection(to: server.popEntrance()) { pop in
                    seen.append(try await pop.messages().map(\.uniqueID))
                }
            }
            #expect(seen[0] == seen[1])
        },
        POP3Claim("starts TLS by STLS") { server in
            try await POP3Client.withConnection(to: server.popEntrance(.pop3)) { pop in
                try await pop.connect()
                #expect(await pop.tls != nil)
                #expect(try await pop.status().messageCount == 3)
            }
        },
        POP3Claim("logs in by each mechanism") { server in
            let known = [
                "PLAIN", "LOGIN", "CRAM-MD5", "DIGEST-MD5", "SCRAM-SHA-1", "SCRAM-SHA-256",
                "SCRAM-SHA-512", "SCRAM-SHA-1-PLUS", "SCRAM-SHA-256-PLUS", "SCRAM-SHA-512-PLUS",
            ]
            let offered = server.kind.mechanisms(of: .pop3s)
            for name in known.filter(offered.contains) + ["USER"]
                + (server.kind.hasAPOP ? ["APOP"] : [])
            {
                var entrance = try server.popEntrance()
                entrance.credentials?.mechanisms = [name]
                let (steps, continuation) = AsyncStream<POP3ConnectionStep>.makeStream()
                let client = POP3Client(entrance)
                do {
                    try await client.connect(steps: continuation)
                    try await client.disconnect()
                } catch {
                    await client.abandon()
                    Issue.record(error, "\(server.kind): \(name)")
                }
                for await case .authenticated(let mechanism) in steps {
                    #expect(mechanism == name)
                }
            }
        },
        POP3Claim("tells a wrong password apart") { server in
            var entrance = try server.popEntrance()
            entrance.credentials = Credentials(user: "alice") { Secret("wrong") }
            entrance.credentials?.mechanisms = ["PLAIN"]
            let client = POP3Client(entrance)
            let error = await failure { try await client.connect() }
            #expect(error?.recovery == .authenticate, "\(String(describing: error))")
        },
        POP3Claim("gives many messages, sent ahead where that is offered") { server in
            try await POP3Client.withConnection(to: server.popEntrance(as: .bob)) { pop in
                let listed = try await pop.messages()
                #expect(listed.count == bobs.count)
                var found: [[UInt8]] = []
                try await pop.retrieve(listed.map(\.number)) { message in
                    found.append(stripped(message.octets))
                }
                #expect(found == bobs)
                var headers = 0
                try await pop.retrieve(listed.map(\.number), bodyLines: 0) { _ in headers += 1 }
                #expect(headers == bobs.count)
            }
        },
        POP3Claim("deletes with QUIT, and with nothing else") { server in
            let entrance = try server.popEntrance(as: .perf)
            let client = POP3Client(entrance)
            #expect(try await client.delete(1...3).isEmpty)
            await client.abandon()
            try await POP3Client.withConnection(to: entrance) { pop in
                let listed = try await pop.messages()
                #expect(listed.count == 5)
                try await pop.delete([1, 2])
                try await pop.unmarkAll()
                try await pop.delete([2, 4])
            }
            try await POP3Client.withConnection(to: entrance) { pop in
                var subjects: [String?] = []
                for message in try await pop.messages() {
                    subjects.append(try await pop.message(message.number).subject)
                }
                #expect(subjects == ["perf 0", "perf 2", "perf 4"])
            }
        },
    ]

    /// Without what a server put in front when the message was put there.
    private static func stripped(_ message: [UInt8]) -> [UInt8] {
        let start = message.firstRange(of: octets("From: Ann"))?.lowerBound ?? 0
        return [UInt8](message[start...])
    }
}
