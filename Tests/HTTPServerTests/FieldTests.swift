import MartletHTTPServer
import Testing

@Suite("HTTP fields")
struct FieldTests {
    @Test(
        "cannot be made to carry a second one",
        arguments: ["a\r\nX: y", "a\nX: y", "a\rb", "a\0b", "a\u{7F}", "\u{1B}[2J", "\u{0B}"])
    func injection(value: String) throws {
        let error = #expect(throws: HTTPFieldError.self) { try HTTPField(.location, value) }
        #expect(error?.description.contains("Location") == true)
    }

    @Test(
        "cannot be made to by a name",
        arguments: ["", "a b", "a:", "a\r\nb", "ä", "a\0", "(a)", "a\t"])
    func names(name: String) {
        #expect(HTTPField.Name(name) == nil)
        #expect(HTTPMethod(name) == nil)
    }

    @Test("keep their values, without blanks around them")
    func values() throws {
        #expect(try HTTPField(.eTag, " \ta\tb ").value == "a\tb")
        #expect(try HTTPField(.eTag, "grüße").value == "grüße")
    }

    @Test("are found without regard to case, in order")
    func lookUp() throws {
        let name = try #require(HTTPField.Name("x-a"))
        var fields = try HTTPFields([
            HTTPField(name, "1"), HTTPField(.eTag, "e"), HTTPField(name, "2"),
        ])
        let other = try #require(HTTPField.Name("X-A"))
        #expect(fields[other] == "1")
        #expect(fields.values(of: other) == ["1", "2"])
        fields.set(try HTTPField(other, "3"))
        #expect(fields.map(\.value) == ["e", "3"])
        fields.removeAll(name)
        #expect(fields[name] == nil)
        #expect(fields.count == 1)
        #expect(Set([name, other]).count == 1)
    }

    @Test("statuses are final ones")
    func statuses() {
        #expect(HTTPStatus(100) == nil)
        #expect(HTTPStatus(600) == nil)
        #expect(HTTPStatus(404) == .notFound)
        #expect(HTTPStatus.notFound.description == "404 Not Found")
    }
}
