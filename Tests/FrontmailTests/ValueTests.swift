import Foundation
import Frontmail
import Testing

@Suite("Values")
struct ValueTests {
    @Test("Literals make values")
    func literals() {
        let name = "Ana"
        let value: FrontmailValue = [
            "text": "a", "filled": "Dear \(name)", "whole": 2, "part": 1.5, "yes": true,
            "none": nil,
            "list": [1, "two", [3]], "twice": 1, "nested": ["a": ["b": nil]],
        ]
        #expect(
            value
                == .object([
                    "text": .string("a"), "filled": .string("Dear Ana"), "whole": .int(2),
                    "part": .double(1.5), "yes": .bool(true), "none": .null,
                    "list": .array([.int(1), .string("two"), .array([.int(3)])]), "twice": .int(1),
                    "nested": .object(["a": .object(["b": .null])]),
                ]))
        #expect(FrontmailValue(dictionaryLiteral: ("a", 1), ("a", 2)) == ["a": 2])
    }

    private static let values: [FrontmailValue] = [
        .string("text ✉️ \u{2028}\"\\/"), .string(""), .int(0), .int(-7), .int(.max), .int(.min),
        .double(0.1), .double(1e300), .bool(true), .bool(false), .null, .array([]), .object([:]),
        .object(["a": .array([.null, .object(["b": .double(1.25)])])]),
    ]

    @Test("Values survive being written and read", arguments: values)
    func roundTrip(value: FrontmailValue) throws {
        let data = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(FrontmailValue.self, from: data) == value)
    }

    @Test("JSON keeps true and 1, 2 and 2.5 apart; numbers beyond Int are doubles")
    func reading() throws {
        let text = "[true,1,0,false,2.5,18446744073709551616,\"1\",null]"
        #expect(
            try JSONDecoder().decode(FrontmailValue.self, from: Data(text.utf8)) == [
                true, 1, 0, false, 2.5, .double(18_446_744_073_709_551_616), "1", nil,
            ])
    }

    @Test("Statuses are read and written by their words")
    func statuses() throws {
        for word in [
            "queued", "sending", "sent", "delivered", "bounced", "complained", "failed", "held",
            "held_service_error", "discarded", "brand_new",
        ] {
            #expect(DeliveryStatus(rawValue: word).rawValue == word)
            let data = try JSONEncoder().encode([DeliveryStatus(rawValue: word)])
            #expect(String(decoding: data, as: UTF8.self) == "[\"\(word)\"]")
        }
        #expect(DeliveryStatus(rawValue: "held_service_error") == .heldServiceError)
        #expect(DeliveryStatus(rawValue: "Queued") == .unknown("Queued"))
    }
}
