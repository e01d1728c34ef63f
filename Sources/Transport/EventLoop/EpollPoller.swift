#if os(Linux)
    import CMartletLinux
    import Glibc

    /// Linux: one `epoll` descriptor, edge-triggered, so that a connection costs one system call in its life.
    package struct EpollPoller: Poller {
        private static let wakeToken = UInt64.max
        private static let batch = 256

        private let epoll: CInt
        private let wakeUp: CInt

        package init() throws(TransportError) {
            epoll = epoll_create1(CInt(EPOLL_CLOEXEC))
            guard epoll >= 0 else { throw .system(errno, .eventLoop) }
            wakeUp = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
            guard wakeUp >= 0 else { throw .system(errno, .eventLoop) }
            var event = epoll_event(
                events: EPOLLIN.rawValue | EPOLLET.rawValue, data: .init(u64: Self.wakeToken))
            guard epoll_ctl(epoll, EPOLL_CTL_ADD, wakeUp, &event) == 0 else {
                throw .system(errno, .eventLoop)
            }
        }

        package func add(_ descriptor: CInt, token: UInt64) throws(TransportError) {
            var event = epoll_event(
                events: EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue
                    | EPOLLET.rawValue, data: .init(u64: token))
            guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
                throw .system(errno, .eventLoop)
            }
        }

        package func rearm(_ token: UInt64, for readiness: Readiness) {}  // the edge does it

        package func removeAndClose(_ descriptor: CInt, token: UInt64) {
            // A descriptor shared with a child process would stay watched after `close` alone.
            _ = epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
            Glibc.close(descriptor)
        }

        package func wait(nanoseconds: UInt64?, into events: inout [PollEvent]) {
            // Rounded up: waking a little early would turn into a loop of zero-length waits.
            let timeout = nanoseconds.map { CInt(clamping: ($0 &+ 999_999) / 1_000_000) } ?? -1
            withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.batch) { ready in
                let count = epoll_wait(epoll, ready.baseAddress, CInt(Self.batch), timeout)
                guard count > 0 else { return }
                for event in ready[..<Int(count)] {
                    if event.data.u64 == Self.wakeToken {
                        drainWakeUp()
                    } else {
                        events.append(
                            PollEvent(
                                token: event.data.u64, readiness: Self.readiness(event.events)))
                    }
                }
            }
        }

        package func wake() {
            var one: UInt64 = 1
            _ = write(wakeUp, &one, 8)
        }

        package func close() {
            Glibc.close(epoll)
            Glibc.close(wakeUp)
        }

        private func drainWakeUp() {
            var count: UInt64 = 0
            _ = read(wakeUp, &count, 8)
        }

        private static func readiness(_ events: UInt32) -> Readiness {
            var readiness: Readiness = []
            if events & EPOLLIN.rawValue != 0 { readiness.insert(.read) }
            if events & EPOLLOUT.rawValue != 0 { readiness.insert(.write) }
            if events & EPOLLRDHUP.rawValue != 0 { readiness.formUnion([.read, .end]) }
            // After an error or a hang-up every operation returns at once and says what it was.
            if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 {
                readiness.formUnion([.read, .write, .end])
            }
            return readiness
        }
    }
#endif
