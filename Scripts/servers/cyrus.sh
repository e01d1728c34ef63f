#!/usr/bin/env bash
# Cyrus IMAP, as IMAP, POP3 and LMTP server.
#
#   cyrus.sh check | start DIR PORT_BASE [OWNER_PID] | stop DIR
#   +0 IMAP   +1 IMAP over TLS   +2 POP3   +3 POP3 over TLS   +4 LMTP
#
# Users: alice/alicepw, bob/bobpw, perf/perfpw; cyrus/cyruspw is the administrator. A user's mailboxes are made at the first
# login or the first mail by LMTP. DIR/ca/alice.pem and alice.key are a client certificate for EXTERNAL.
# Mail is in memory and goes with the server.
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
server=cyrus
ports='imap imaps pop3 pop3s lmtp'
bin=/usr/lib/cyrus/bin

configure() {
    certificates
    client_certificate alice
    rm -rf "$D/run"
    mkdir -p "$D/conf" "$D/run" "$D/state"
    cat >"$D/conf/imapd.conf" <<CF
configdirectory: /run/m/state
defaultpartition: default
partition-default: /run/m/mail
search_engine: xapian
defaultsearchtier: t1
t1searchpartition-default: /run/m/mail/search
idlesocket: /run/m/run/idle
lmtpsocket: /run/m/run/lmtp
notifysocket: /run/m/run/notify
cyrus_user: vmail
cyrus_group: vmail
servername: mail.example.test
admins: cyrus
virtdomains: off
unixhierarchysep: yes
altnamespace: yes
maxmessagesize: $size_limit

autocreate_quota: 0
autocreate_users: alice bob perf
autocreate_post: yes
autocreate_inbox_folders: Drafts | Sent | Trash | Junk | Archive
autocreate_subscribe_folders: Drafts | Sent | Trash | Junk
xlist-Drafts: Drafts
xlist-Sent: Sent
xlist-Trash: Trash
xlist-Junk: Junk
xlist-Archive: Archive
specialusealways: yes
conversations: yes

allowplaintext: yes
allowapop: yes
# failed logins, which tests want, do not wait
failedloginpause: 0
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: /run/m/conf/passwords
sasl_mech_list: PLAIN LOGIN CRAM-MD5 DIGEST-MD5 SCRAM-SHA-1 SCRAM-SHA-256 SCRAM-SHA-512 EXTERNAL
tls_server_cert: /run/m/ca/server.pem
tls_server_key: /run/m/run/server.key
tls_client_ca_file: /run/m/ca/clients.pem
tls_client_certs: optional
tls_versions: tls1_2 tls1_3
syslog_prefix: martlet
CF
    cat >"$D/conf/cyrus.conf" <<CF
START {
  recover cmd="$bin/ctl_cyrusdb -C /run/m/conf/imapd.conf -r"
}
SERVICES {
  imap  cmd="$bin/imapd -C /run/m/conf/imapd.conf -U 100" listen="127.0.0.1:$P" prefork=1 maxchild=300
  imaps cmd="$bin/imapd -C /run/m/conf/imapd.conf -s -U 100" listen="127.0.0.1:$((P + 1))" prefork=0 maxchild=300
  pop3  cmd="$bin/pop3d -C /run/m/conf/imapd.conf -U 100" listen="127.0.0.1:$((P + 2))" prefork=0
  pop3s cmd="$bin/pop3d -C /run/m/conf/imapd.conf -s -U 100" listen="127.0.0.1:$((P + 3))" prefork=0
  lmtp  cmd="$bin/lmtpd -C /run/m/conf/imapd.conf -a" listen="127.0.0.1:$((P + 4))" prefork=0
}
EVENTS {
  checkpoint cmd="$bin/ctl_cyrusdb -C /run/m/conf/imapd.conf -c" period=30
}
DAEMON {
  idled cmd="$bin/idled -C /run/m/conf/imapd.conf -f"
}
CF
    chmod -R go+rX "$D/conf"
}

inside() {
    if [ ! -s /run/m/conf/passwords ]; then
        password cyrus cyruspw
        password alice alicepw
        password bob bobpw
        password perf perfpw
    fi
    # Nothing here needs a disk, and each first login would wait for one.
    mount -t tmpfs -o mode=755 tmpfs /run/m/state
    mount -t tmpfs -o mode=755 tmpfs /run/m/mail
    mkdir /run/m/state/{db,socket,log,msg,proc,lock} /run/m/mail/search
    install -m 640 -g vmail /run/m/ca/server.key /run/m/run/server.key
    chown -R vmail:vmail /run/m/conf/passwords /run/m/run /run/m/state /run/m/mail
    $bin/master -C /run/m/conf/imapd.conf -M /run/m/conf/cyrus.conf -p /run/m/run/pid
}
password() { printf '%s\n' "$2" | saslpasswd2 -p -c -f /run/m/conf/passwords -u mail.example.test "$1"; }

main "$@"
