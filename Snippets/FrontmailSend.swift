// Sends a mail from a template with a public key.
import Frontmail

let frontmail = try Frontmail(publicKey: "pk_4f2a")  // once, then shared
do {
    let result = try await frontmail.send(
        templateID: "tpl_welcome", params: ["name": "Ana", "visits": 3])
    print(result.messageID, result.status)
} catch let error as FrontmailError where error.isRateLimit {
    print("Try again in \(Int(error.retryAfter ?? 60)) seconds")
} catch {
    print(error)
}
