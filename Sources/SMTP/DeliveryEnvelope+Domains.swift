import MartletDomains
import MartletSMTPCore

extension DeliveryEnvelope {
    /// The same envelope with A-labels for domains beyond ASCII, wherever that makes an address ASCII as a whole: such
    /// an address goes to every server. RFC 5890 §2.3.2.1.
    func withASCIIDomains() throws(SMTPError) -> DeliveryEnvelope {
        var copy = self
        if case .mailbox(let mailbox) = reversePath, mailbox.needsSMTPUTF8 {
            copy.reversePath = .mailbox(try mailbox.withASCIIDomain())
        }
        for (index, path) in forwardPaths.enumerated() where path.needsSMTPUTF8 {
            copy.forwardPaths[index] = ForwardPath(try path.mailbox.withASCIIDomain())
        }
        return copy
    }
}

extension PathMailbox {
    fileprivate func withASCIIDomain() throws(SMTPError) -> PathMailbox {
        guard !localPart.utf8.contains(where: { $0 >= 0x80 }) else { return self }
        do {
            return try PathMailbox(
                localPart: localPart, domain: DomainName.toASCII(domain))
        } catch let error as SMTPError {
            throw error
        } catch {
            throw SMTPError(kind: .invalidInput("\(error)"), stage: .envelope, underlying: error)
        }
    }
}
