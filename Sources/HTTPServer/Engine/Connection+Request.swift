import CMartletMicrohttpd

/// The steps of a request, on the library's thread. Each says whether the connection goes on.
extension Connection {
    /// The header is complete.
    func begin(_ raw: RawHead, _ exchange: Exchange) -> Bool {
        do throws(Refusal) {
            let head = try RequestHead(raw, target: exchange.targetText, limits: core.limits)
            exchange.head = head
            if case .length(let length) = head.framing, length > core.limits.bodySizeInOctets {
                throw tooLarge
            }
            if head.framing.hasBody { awaitsBody() }
            return true
        } catch {
            return refuse(
                error, exchange, hasBody: exchange.head?.framing.hasBody ?? raw.mayHaveBody)
        }
    }

    /// A piece of the body came.
    func receive(_ piece: UnsafeRawBufferPointer, _ exchange: Exchange) -> Bool {
        guard !isDraining else { return true }
        do throws(Refusal) {
            guard piece.count <= core.limits.bodySizeInOctets - exchange.body.count else {
                throw tooLarge
            }
            guard core.reserveBody(piece.count) else {
                throw Refusal(
                    .serviceUnavailable, "Too many large requests are under way. Try again later.")
            }
            exchange.reservedOctets += piece.count
            exchange.body.append(contentsOf: piece)
            return true
        } catch {
            exchange.body = []
            return refuse(error, exchange, hasBody: true)
        }
    }

    /// The request is complete, or its response is.
    func goOn(_ exchange: Exchange) -> Bool {
        guard !isDraining, let head = exchange.head else { return false }
        if isReceiving {
            let request = HTTPRequest(
                head.method, head.target, fields: head.fields, body: exchange.body,
                remoteAddress: remoteAddress)
            exchange.body = []
            return startHandling(exchange, request)
        }
        guard let response = takeResponse() else { return false }
        return send(response, exchange)
    }

    private var tooLarge: Refusal {
        Refusal(
            .contentTooLarge,
            "The body is too large: at most \(core.limits.bodySizeInOctets) octets are taken.")
    }

    private func refuse(_ refusal: Refusal, _ exchange: Exchange, hasBody: Bool) -> Bool {
        let response = HTTPResponse.refusal(refusal.status, refusal.reason)
        // Who asked whether to send the body has not sent it.
        let isAsked = exchange.head?.expectsContinue == true && exchange.body.isEmpty
        guard hasBody, !isAsked else { return send(response, exchange) }
        refuseAndDrain(response.octets)
        return true
    }
}

extension RawHead {
    /// Whether octets may follow the header of a request that was refused.
    fileprivate var mayHaveBody: Bool {
        fields.contains { field in
            HTTPField.Name(String(decoding: field.name, as: UTF8.self)).map {
                $0 == .contentLength || $0 == .transferEncoding
            } ?? true
        }
    }
}
