/// The source of a script that says what CPython's `email` reads in messages. See `Records`.
enum PythonReader {
    static let source = #"""
        import email, email.policy, sys
        from datetime import timezone

        data = open(sys.argv[1], "rb").read()
        out = open(sys.argv[2], "wb")

        def put(word, value):
            if isinstance(value, str):
                value = value.encode("utf-8", "surrogateescape")
            out.write(b"%s %d\n%s\n" % (word.encode(), len(value), value))

        def attempt(word, read):
            try:
                read()
            except Exception as error:
                put("failure", word + ": " + type(error).__name__)

        def subject(message):
            value = message["Subject"]
            if value is not None:
                put("subject", str(value))

        def people(message, field, word):
            for value in message.get_all(field, []):
                for address in value.addresses:
                    put(word + "-name", address.display_name)
                    put(word, address.addr_spec)

        def date(message):
            value = message["Date"].datetime if "Date" in message else None
            if value is not None:
                if value.tzinfo is None:
                    value = value.replace(tzinfo=timezone.utc)
                put("date", str(int(value.timestamp())))

        # It takes everything of the type message apart as if it were a message.
        def children(p):
            is_text = p.get_content_maintype() == "message" and p.get_content_subtype() != "rfc822"
            return p.get_payload() if p.is_multipart() and not is_text else []

        def part(p):
            put("part", p.get_content_type())
            if p.is_multipart():
                for child in children(p):
                    part(child)
                return
            attempt("name", lambda: put("name", p.get_filename() or ""))
            attempt("body", lambda: put("body", p.get_payload(decode=True)))

        def read(octets):
            message = email.message_from_bytes(octets, policy=email.policy.default)
            attempt("subject", lambda: subject(message))
            attempt("from", lambda: people(message, "From", "from"))
            attempt("to", lambda: people(message, "To", "to"))
            attempt("date", lambda: date(message))
            part(message)

        at = 0
        while at < len(data):
            line = data.index(b"\n", at)
            size = int(data[at:line].split()[1])
            message = data[line + 1:line + 1 + size]
            at = line + 2 + size
            attempt("message", lambda: read(message))
            put("end", "")
        """#
}
