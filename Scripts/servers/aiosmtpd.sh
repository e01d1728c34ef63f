#!/usr/bin/env bash
# aiosmtpd, the plainest of the servers: no PIPELINING, no enhanced status codes.
#
#   aiosmtpd.sh check | start DIR PORT_BASE [OWNER_PID] | stop DIR
#   +0 SMTP, STARTTLS and then AUTH offered   +1 submission: STARTTLS and AUTH required   +2 TLS from the start, AUTH offered
#
# Mail for any domain goes to DIR/mail/RECIPIENT/new, its line ends as they came.
# nobody-here@example.test is refused (550), later@example.test deferred (451). Users alice/alicepw, bob/bobpw.
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
server=aiosmtpd
ports='smtp submission smtps'

configure() {
    certificates
    cp "$here/aiosmtpd_server.py" "$D/server.py"
    mkdir -p "$cache/aiosmtpd/compiled"
}

# The compiled modules are kept beside the packages, where nobody compiled them.
inside() { /usr/bin/python3 -I -X pycache_prefix=/run/x/compiled /run/m/server.py "$P" /run/m $size_limit; }
main "$@"
