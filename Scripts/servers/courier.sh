#!/usr/bin/env bash
# Courier, as IMAP and POP3 server.
#
#   courier.sh check | start DIR PORT_BASE [OWNER_PID] | stop DIR
#   +0 IMAP   +1 IMAP over TLS   +2 POP3   +3 POP3 over TLS
#
# Users: alice/alicepw, bob/bobpw, perf/perfpw, üser/pässwörd. DIR/ca/alice.pem and alice.key are a client certificate for
# EXTERNAL. A failed login takes 5 s, which is compiled in.
# Mail of USER is the Maildir DIR/mail/USER/Maildir, folder INBOX.A.B in it .A.B; it may be there before the start.
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
server=courier
ports='imap imaps pop3 pop3s'

configure() {
    certificates
    client_certificate alice
    rm -rf "$D/run"
    mkdir -p "$D/etc/courier" "$D/run/etc/shared" "$D/run/authdaemon" "$D/run/tls"
    (umask 077 && cat "$D/ca/server.key" "$D/ca/server.pem" >"$D/run/server.pem")
    cat >"$D/run/etc/authdaemonrc" <<CF
authmodulelist="authuserdb"
authmodulelistorig="authuserdb"
daemons=3
authdaemonvar=/run/courier/authdaemon
DEBUG_LOGIN=0
DEFAULTOPTIONS=""
LOGGEROPTS=""
CF
    local capability='IMAP4rev1 UIDPLUS CHILDREN NAMESPACE THREAD=ORDEREDSUBJECT THREAD=REFERENCES SORT QUOTA IDLE' # it adds ACL
    local mechanisms='AUTH=CRAM-MD5 AUTH=CRAM-SHA1 AUTH=CRAM-SHA256 AUTH=PLAIN'
    cat >"$D/run/environment" <<CF
IMAP_CAPABILITY="$capability $mechanisms"
IMAP_CAPABILITY_TLS="$capability $mechanisms"
IMAP_KEYWORDS=1
IMAP_ACL=1
IMAP_UMASK=022
IMAP_IDLE_TIMEOUT=60
IMAP_USELOCKS=1
IMAP_ENHANCEDIDLE=0
IMAP_DISABLETHREADSORT=0
IMAP_CHECK_ALL_FOLDERS=0
IMAP_OBSOLETE_CLIENT=0
IMAP_MAILBOX_SANITY_CHECK=0
IMAP_TRASHFOLDERNAME=Trash
IMAP_EMPTYTRASH=
IMAP_MOVE_EXPUNGE_TO_TRASH=0
IMAP_SHAREDINDEXFILE=/etc/courier/shared/index
IMAP_STARTTLS=YES
IMAP_TLS_REQUIRED=0
IMAP_PROXY=0
POP3AUTH="PLAIN LOGIN CRAM-MD5 CRAM-SHA1 CRAM-SHA256"
POP3AUTH_TLS="PLAIN LOGIN CRAM-MD5 CRAM-SHA1 CRAM-SHA256"
POP3_STARTTLS=YES
POP3_TLS_REQUIRED=0
MAILDIRPATH=Maildir
COURIERTLS=/usr/bin/couriertls
TLS_CERTFILE=/run/m/run/server.pem
TLS_TRUSTCERTS=/run/m/ca/clients.pem
TLS_VERIFYPEER=PEER
TLS_EXTERNAL=cn
CF
}

inside() {
    local name login=/usr/lib/courier/courier
    mount --bind /run/m/run/etc /etc/courier
    mkdir /run/courier
    mount --bind /run/m/run /run/courier
    for name in alice bob perf üser; do mailboxes "$name"; done
    chown -R vmail:vmail /run/m/mail /run/m/run/authdaemon
    chown -R courier /run/m/run/server.pem /run/m/run/tls # the TLS helper becomes this user
    shared >/run/m/run/etc/shared/index
    users | database /run/m/run/etc/userdb
    passwords | (umask 077 && database /run/m/run/etc/userdbshadow)
    set -a
    # shellcheck disable=SC1091
    . /run/m/run/environment
    set +a
    ulimit -n 1024 # couriertcpd closes every number up to the limit, for each connection
    /usr/lib/courier/courier-authlib/authdaemond &
    wait_until 500 test -S /run/courier/authdaemon/socket
    IMAP_TLS=1 IMAP_STARTTLS=NO listen $((P + 1)) /usr/bin/couriertls -server -tcpd $login/imaplogin /usr/bin/imapd Maildir &
    listen $((P + 2)) $login/courierpop3login $login/courierpop3d Maildir &
    POP3_TLS=1 POP3_STARTTLS=NO listen $((P + 3)) /usr/bin/couriertls -server -tcpd $login/courierpop3login $login/courierpop3d Maildir &
    listen "$P" $login/imaplogin /usr/bin/imapd Maildir &
    wait
}
listen() { couriertcpd -address=127.0.0.1 -maxprocs=500 -maxperip=500 -nodnslookup -noidentlookup "$@"; }

mailboxes() {
    local maildir=/run/m/mail/$1/Maildir
    mkdir -p "$maildir"/{.,.Drafts,.Sent,.Trash}/{cur,new,tmp}
    touch "$maildir"/{.Drafts,.Sent,.Trash}/maildirfolder
}

# Courier's userdb, which a script in Perl would make of a text: what may be seen of each user, and passwords apart.
users() {
    local name
    for name in alice bob perf üser; do
        printf '%s\tuid=%d|gid=%d|home=%s|mail=%s|_=\n' "$name" "$(id -u vmail)" "$(id -g vmail)" "/run/m/mail/$name" \
            "/run/m/mail/$name/Maildir"
    done
}
# Whose mailboxes may be seen below #shared, if he grants a right.
shared() {
    local name
    for name in alice bob perf; do
        printf '%s\t%d\t%d\t%s\tMaildir\n' "$name" "$(id -u vmail)" "$(id -g vmail)" "/run/m/mail/$name"
    done
}
passwords() {
    local name password hash
    for name in alice bob perf üser; do
        password=${name}pw
        [ "$name" != üser ] || password=pässwörd
        printf '%s\tsystempw=%s' "$name" "$(hashed md5)"
        for hash in hmac-md5 hmac-sha1 hmac-sha256; do printf '|%spw=%s' $hash "$(hashed $hash)"; done
        echo
    done
}
hashed() { printf '%s\n' "$password" | userdbpw "-$1"; }
database() { (cat; echo .) | /usr/lib/courier/courier-authlib/makedatprog - "$1.new" "$1.dat"; }

main "$@"
