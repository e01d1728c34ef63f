"""SMTP server for tests. Arguments: PORT_BASE FOLDER SIZE_LIMIT. See aiosmtpd.sh."""

import asyncio
import itertools
import os
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

base, folder, size_limit = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
users = {b"alice": b"alicepw", b"bob": b"bobpw"}
refusals = {
    "nobody-here@example.test": "550 5.1.1 User unknown",
    "later@example.test": "451 4.2.1 Mailbox busy",
}
numbers = itertools.count(1)


def authenticate(server, session, envelope, mechanism, data):
    right = isinstance(data, LoginPassword) and users.get(data.login) == data.password
    return AuthResult(success=right, handled=False)


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if refusal := refusals.get(address.lower()):
            return refusal
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 Ok"

    async def handle_DATA(self, server, session, envelope):
        for recipient in envelope.rcpt_tos:
            safe = "other" if "/" in recipient or recipient.startswith(".") else recipient
            box = os.path.join(folder, "mail", safe)
            for name in ("tmp", "new", "cur"):
                os.makedirs(os.path.join(box, name), exist_ok=True)
            name = "%012d" % next(numbers)
            with open(os.path.join(box, "tmp", name), "wb") as file:
                file.write(b"Return-Path: <%s>\r\n" % (envelope.mail_from or "").strip("<>").encode())
                file.write(envelope.original_content)
            os.rename(os.path.join(box, "tmp", name), os.path.join(box, "new", name))
        return "250 2.0.0 Ok: kept"


async def main():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder + "/ca/server.pem", folder + "/ca/server.key")
    common = dict(
        enable_SMTPUTF8=True,
        hostname="mail.example.test",
        ident="aiosmtpd",
        data_size_limit=size_limit,
        authenticator=authenticate,
    )
    loop = asyncio.get_running_loop()

    def plain():
        return SMTP(Handler(), tls_context=context, auth_require_tls=True, **common)

    def submission():
        return SMTP(
            Handler(),
            tls_context=context,
            require_starttls=True,
            auth_require_tls=True,
            auth_required=True,
            **common,
        )

    def implicit():
        return SMTP(Handler(), auth_require_tls=False, **common)

    await loop.create_server(submission, "127.0.0.1", base + 1)
    await loop.create_server(implicit, "127.0.0.1", base + 2, ssl=context)
    await loop.create_server(plain, "127.0.0.1", base)
    await asyncio.Event().wait()


asyncio.run(main())
