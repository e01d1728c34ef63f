import Foundation
import Frontmail
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Session")
struct SessionTests {
    @Test("that a client is given stays as it is")
    func untouched() throws {
        let configuration = URLSessionConfiguration.default
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        configuration.urlCache = cache
        configuration.httpAdditionalHeaders = ["X-App": "1"]
        let session = URLSession(configuration: configuration)
        let shared = URLSession.shared.configuration.urlCache
        let clients = try [
            Frontmail(publicKey: "pk_1", session: session), Frontmail(publicKey: "pk_1"),
        ]
        #expect(session.configuration.urlCache === cache)
        #expect(session.configuration.httpAdditionalHeaders?.count == 1)
        #expect(shared != nil && URLSession.shared.configuration.urlCache === shared)
        #expect(clients.count == 2)
    }
}
