#!/usr/bin/env bash
# OpenSMTPD, plain SMTP only: TLS of Debian 12's build fails against OpenSSL 3 (its engine for private keys; upstream issues
# 1171 and 1239), and without TLS it offers no AUTH.
#
#   opensmtpd.sh check | start DIR PORT_BASE [OWNER_PID] | stop DIR
#   +0 SMTP
#
# Mail for example.test goes to DIR/mail/RECIPIENT/new; other domains are refused.
# nobody-here@example.test is refused (550), later@example.test deferred (451).
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
server=opensmtpd
ports='smtp'

configure() {
    printf '%s\n' 'nobody-here@example.test error:550 5.1.1 User unknown' \
        'later@example.test error:451 4.2.1 Mailbox busy' '@ vmail' >"$D/virtual"
    cat >"$D/smtpd.conf" <<CF
table virtuals file:/run/m/virtual
smtp max-message-size $size_limit
smtp limit max-mails 100000
smtp limit max-rcpt 1000
listen on 127.0.0.1 port $P hostname mail.example.test
action "maildir" mda "/run/m/deliver" virtual <virtuals>
match from any for domain "example.test" action "maildir"
CF
    chmod 600 "$D/smtpd.conf"
}

inside() {
    mkdir -p /var/lib/opensmtpd/empty
    mkdir -m 711 /var/spool/smtpd # the queue: in memory
    smtpd -d -f /run/m/smtpd.conf
}
main "$@"
