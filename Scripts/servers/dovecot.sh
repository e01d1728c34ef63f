#!/usr/bin/env bash
# Dovecot, as IMAP, POP3 and LMTP server.
#
#   dovecot.sh check | start DIR PORT_BASE [OWNER_PID] | stop DIR
#   +0 IMAP   +1 IMAP over TLS   +2 POP3   +3 POP3 over TLS   +4 LMTP
#   dovecot.sh exec DIR [USER]         an IMAP session of USER (alice) on standard input and output, already logged in, as
#                                      through an ssh command; it needs no server that runs, but may have one beside it
#   dovecot.sh token USER [SECONDS]    prints a token for XOAUTH2 and OAUTHBEARER, valid for an hour or for SECONDS from now
#
# Users: alice/alicepw, bob/bobpw, perf/perfpw, üser/pässwörd; full/fullpw may store 64 KiB; alice*master with masterpw is
# alice. DIR/ca/alice.pem and alice.key are a client certificate for EXTERNAL.
# Mail of USER is the Maildir DIR/mail/USER/Maildir, folder A/B in it .A.B; it may be there before the start.
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
server=dovecot
ports='imap imaps pop3 pop3s lmtp'
usage='exec DIR [USER] | token USER [SECONDS]'
token_secret=martlet-test-secret-0123456789abcdef
token_issuer=https://issuer.example.test

configure() {
    certificates
    client_certificate alice
    rm -rf "$D/run" "$D/state" # sockets of an earlier start would look like a server that answers
    mkdir -p "$D/conf/tokens/default/HS256" "$D/run" "$D/state"
    # the colons: with fewer fields a line is no entry of the userdb
    printf '%s\n' 'alice:{PLAIN}alicepw::::::' 'bob:{PLAIN}bobpw::::::' 'perf:{PLAIN}perfpw::::::' \
        'üser:{PLAIN}pässwörd::::::' 'full:{PLAIN}fullpw::::::userdb_quota_rule=*:storage=64K' >"$D/conf/users"
    echo 'master:{PLAIN}masterpw' >"$D/conf/masters"
    echo 'anonymous:::::::' >"$D/conf/guests" # known to no passdb
    printf %s "$token_secret" | base64 -w0 >"$D/conf/tokens/default/HS256/default"
    cat >"$D/conf/oauth2.conf" <<CF
introspection_mode = local
local_validation_key_dict = fs:posix:prefix=/run/m/conf/tokens/
username_attribute = sub
username_format = %u
issuers = $token_issuer
CF
    cat >"$D/conf/dovecot.conf" <<CF
base_dir = /run/m/run
state_dir = /run/m/state
log_path = /run/m/log/dovecot
listen = 127.0.0.1
protocols = imap pop3 lmtp
hostname = mail.example.test
instance_name = martlet
default_process_limit = 300
default_client_limit = 2000

ssl = yes
ssl_cert = </run/m/ca/server.pem
ssl_key = </run/m/ca/server.key
ssl_ca = </run/m/ca/clients.pem
ssl_require_crl = no
ssl_verify_client_cert = yes
auth_ssl_username_from_cert = yes
ssl_cert_username_field = commonName

# No auth_realms: DIGEST-MD5 would add the realm to the name.
disable_plaintext_auth = no
auth_mechanisms = plain login cram-md5 digest-md5 scram-sha-1 scram-sha-256 xoauth2 oauthbearer external anonymous apop
auth_anonymous_username = anonymous
auth_username_chars =
auth_username_format = %Lu
auth_master_user_separator = *
auth_failure_delay = 0
auth_cache_size = 0
passdb {
  driver = passwd-file
  args = /run/m/conf/masters
  master = yes
}
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = /run/m/conf/oauth2.conf
}
passdb {
  # TLS has checked the certificate
  driver = static
  mechanisms = external
  args = nopassword
}
passdb {
  driver = passwd-file
  args = username_format=%u /run/m/conf/users
}
userdb {
  driver = passwd-file
  args = username_format=%u /run/m/conf/users
  default_fields = uid=vmail gid=vmail home=/run/m/mail/%u/home
}
userdb {
  driver = passwd-file
  args = username_format=%u /run/m/conf/guests
  default_fields = uid=vmail gid=vmail home=/run/m/mail/%u/home
}

mail_uid = vmail
mail_gid = vmail
mail_home = /run/m/mail/%u/home
mail_location = maildir:/run/m/mail/%u/Maildir
mail_fsync = never
mail_max_userip_connections = 500
mailbox_list_index = yes
mail_attribute_dict = file:/run/m/mail/%u/attributes
mail_plugins = acl quota zlib notify
namespace inbox {
  inbox = yes
  separator = /
  prefix =
  mailbox Drafts {
    special_use = \\Drafts
    auto = subscribe
  }
  mailbox Sent {
    special_use = \\Sent
    auto = subscribe
  }
  mailbox Trash {
    special_use = \\Trash
    auto = subscribe
  }
  mailbox Junk {
    special_use = \\Junk
    auto = subscribe
  }
  mailbox Archive {
    special_use = \\Archive
    auto = create
  }
}
namespace shared {
  type = shared
  separator = /
  prefix = shared/%%u/
  location = maildir:/run/m/mail/%%u/Maildir
  list = children
  subscriptions = no
}
plugin {
  quota = count:User quota
  quota_rule = *:storage=4G
  quota_vsizes = yes
  acl = vfile
  acl_shared_dict = file:/run/m/mail/shared-mailboxes
  # else a master user has only his own rights in another's mailboxes
  acl_user = %u
}
protocol imap {
  mail_plugins = \$mail_plugins imap_zlib imap_acl imap_quota
  imap_metadata = yes
  imap_urlauth_host = mail.example.test
}
protocol lmtp {
  # alice@any.domain is alice
  auth_username_format = %Ln
}
lmtp_save_to_detail_mailbox = yes
recipient_delimiter = +

service imap-login {
  inet_listener imap {
    port = $P
  }
  inet_listener imaps {
    port = $((P + 1))
    ssl = yes
  }
  service_count = 0
  process_min_avail = 1
}
service pop3-login {
  inet_listener pop3 {
    port = $((P + 2))
  }
  inet_listener pop3s {
    port = $((P + 3))
    ssl = yes
  }
  service_count = 0
}
service lmtp {
  inet_listener lmtp {
    port = $((P + 4))
  }
}
service stats {
  # sessions that 'exec' starts report to it, too
  unix_listener stats-writer {
    mode = 0666
  }
}
service anvil {
  # else failed logins, which tests want, make the next ones from 127.0.0.1 wait
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
CF
    chmod -R go+rX "$D/conf"
}

inside() {
    chown -R vmail:vmail /run/m/mail
    dovecot -F -c /run/m/conf/dovecot.conf
}

command_exec() {
    [ $# -ge 1 ] && [ $# -le 2 ] || wrong_use
    become_root exec "$@"
    check_machine
    check_fetched "$server"
    mkdir -p "$1"
    D=$(cd "$1" && pwd)
    if [ ! -s "$D/conf/dovecot.conf" ]; then
        P=1 # nothing listens
        prepare
    fi
    # shellcheck disable=SC2016
    exec unshare --mount --propagation private bash -c '. "$1/common.bash"
        enter "$2" "$3"
        chown -R vmail:vmail /run/m/mail
        exec setpriv --reuid vmail --regid vmail --clear-groups env USER="$4" HOME="/run/m/mail/$4/home" \
            /usr/lib/dovecot/imap -c /run/m/conf/dovecot.conf 2>>"/run/m/log/exec"' _ "$here" "$server" "$D" "${2:-alice}"
}

command_token() {
    [ $# -ge 1 ] && [ $# -le 2 ] || wrong_use
    find_openssl
    local now content
    now=$(date +%s)
    content=$(printf '{"alg":"HS256","typ":"JWT"}' | base64url).$(
        printf '{"sub":"%s","iss":"%s","iat":%d,"nbf":%d,"exp":%d}' "$1" "$token_issuer" $((now - 86400)) \
            $((now - 86400)) $((now + ${2:-3600})) | base64url)
    echo "$content.$(printf %s "$content" | $openssl dgst -sha256 -hmac "$token_secret" -binary | base64url)"
}
base64url() { base64 -w0 | tr +/ -_ | tr -d =; }

main "$@"
