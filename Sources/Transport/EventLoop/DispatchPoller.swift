import Dispatch
import Synchronization

/// Everywhere: a pair of dispatch sources for each descriptor. The one for macOS.
///
/// A source fires as long as its descriptor is ready, so each is suspended when it fires and resumed by `rearm`.
package final class DispatchPoller: Poller {
    /// The two sources of one descriptor, and which of them rest.
    // @unchecked: dispatch sources may be used from any thread; `state`'s lock guards the rest.
    private struct Watched: @unchecked Sendable {
        var read: any DispatchSourceRead
        var write: any DispatchSourceWrite
        var readRests = false
        var writeRests = false
    }

    private struct State {
        var watched: [UInt64: Watched] = [:]
        var events: [PollEvent] = []
    }

    private let queue = DispatchQueue(label: "martlet.poller")
    private let news = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    package init() {}

    package func add(_ descriptor: CInt, token: UInt64) throws(TransportError) {
        let read = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        let write = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        read.setEventHandler { [weak self] in self?.fired(token, .read) }
        write.setEventHandler { [weak self] in self?.fired(token, .write) }
        let watched = Watched(read: read, write: write)
        state.withLock { $0.watched[token] = watched }
        watched.read.activate()
        watched.write.activate()
    }

    package func rearm(_ token: UInt64, for readiness: Readiness) {
        state.withLock { state in
            guard var watched = state.watched[token] else { return }
            if readiness.contains(.read), watched.readRests {
                watched.readRests = false
                watched.read.resume()
            }
            if readiness.contains(.write), watched.writeRests {
                watched.writeRests = false
                watched.write.resume()
            }
            state.watched[token] = watched
        }
    }

    package func removeAndClose(_ descriptor: CInt, token: UInt64) {
        guard let watched = state.withLock({ $0.watched.removeValue(forKey: token) }) else {
            return
        }
        // The descriptor may be closed only when neither source can look at it any more.
        let group = DispatchGroup()
        for source in [watched.read as any DispatchSourceProtocol, watched.write] {
            group.enter()
            source.setCancelHandler { group.leave() }
        }
        if watched.readRests { watched.read.resume() }
        if watched.writeRests { watched.write.resume() }
        watched.read.cancel()
        watched.write.cancel()
        group.notify(queue: queue) { SystemCalls.close(descriptor) }
    }

    package func wait(nanoseconds: UInt64?, into events: inout [PollEvent]) {
        if let nanoseconds {
            _ = news.wait(timeout: .now() + .nanoseconds(Int(clamping: nanoseconds)))
        } else {
            news.wait()
        }
        state.withLock { state in
            events += state.events
            state.events.removeAll(keepingCapacity: true)
        }
    }

    package func wake() { news.signal() }

    package func close() {}

    private func fired(_ token: UInt64, _ readiness: Readiness) {
        let isNews = state.withLock { state in
            guard var watched = state.watched[token] else { return false }
            if readiness == .read {
                guard !watched.readRests else { return false }
                watched.readRests = true
                watched.read.suspend()
            } else {
                guard !watched.writeRests else { return false }
                watched.writeRests = true
                watched.write.suspend()
            }
            state.watched[token] = watched
            state.events.append(PollEvent(token: token, readiness: readiness))
            return true
        }
        if isNews { news.signal() }
    }
}
