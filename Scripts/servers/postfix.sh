#!/usr/bin/env bash
# Postfix: a queue, a configuration and ports of its own; passwords are checked by Dovecot's auth service.
#
#   postfix.sh check | start DIR PORT_BASE [OWNER_PID] | stop DIR
#   +0 SMTP, STARTTLS and then AUTH offered   +1 submission: STARTTLS and AUTH required   +2 submissions: TLS from the start, AUTH required
#
# Mail for example.test goes to DIR/mail/RECIPIENT/new; for other domains it is refused, or thrown away after AUTH.
# nobody-here@example.test is refused (550), later@example.test deferred (450). Users alice/alicepw, bob/bobpw.
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
server=postfix
ports='smtp submission smtps'

configure() {
    certificates
    rm -rf "$D/data" "$D/dovecot" # a socket of an earlier start would look like a server that answers
    mkdir -p "$D/conf" "$D/data" "$D/dovecot"
    cat >"$D/conf/main.cf" <<CF
compatibility_level = 3.7
queue_directory = /run/m/spool
data_directory = /run/m/data
maillog_file = /run/m/log/postfix
maillog_file_prefixes = /run/m
daemon_directory = /usr/lib/postfix/sbin
command_directory = /usr/sbin
meta_directory = /etc/postfix
myhostname = mail.example.test
mydomain = example.test
mydestination =
inet_protocols = ipv4
inet_interfaces = 127.0.0.1
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
local_recipient_maps =
virtual_mailbox_domains = example.test
virtual_mailbox_maps = static:ok
virtual_transport = maildir
maildir_destination_recipient_limit = 1
default_transport = discard
relay_transport = discard
smtp_dns_support_level = disabled
smtpd_peername_lookup = no

# what arrives stays as it was sent
local_header_rewrite_clients =
message_drop_headers =
smtputf8_enable = yes

# limits that a test wants to meet, and none that it does not
message_size_limit = $size_limit
mailbox_size_limit = 0
virtual_mailbox_limit = 0
queue_minfree = 0
in_flow_delay = 0
default_process_limit = 100
smtpd_client_connection_count_limit = 0
smtpd_client_connection_rate_limit = 0
smtpd_error_sleep_time = 0
smtpd_soft_error_limit = 1000
smtpd_hard_error_limit = 1000

smtpd_delay_reject = yes
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_recipient_restrictions = check_recipient_access inline:{
  { nobody-here@example.test = 550 5.1.1 User unknown }, { later@example.test = 450 4.2.1 Mailbox busy } }

smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtpd_tls_chain_files = /run/m/ca/server.key, /run/m/ca/server.pem
smtpd_tls_CAfile = /run/m/ca/ca.pem
smtpd_tls_ask_ccert = yes
smtpd_tls_received_header = yes
smtpd_tls_session_cache_database = btree:\${data_directory}/smtpd_scache
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = /run/m/dovecot/auth-postfix
smtpd_sasl_security_options = noanonymous
CF
    [ -s "$D/ca/ca.pem" ] || sed -i '/^smtpd_tls_CAfile/d; /^smtpd_tls_ask_ccert/d' "$D/conf/main.cf"
    cat >"$D/conf/master.cf" <<CF
127.0.0.1:$P inet n - n - - smtpd
127.0.0.1:$((P + 1)) inet n - n - - smtpd
  -o syslog_name=postfix/submission -o smtpd_tls_security_level=encrypt
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
127.0.0.1:$((P + 2)) inet n - n - - smtpd
  -o syslog_name=postfix/submissions -o smtpd_tls_wrappermode=yes
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
pickup     unix  n - n 60    1 pickup
cleanup    unix  n - n -     0 cleanup
qmgr       unix  n - n 300   1 qmgr
tlsmgr     unix  - - n 1000? 1 tlsmgr
rewrite    unix  - - n -     - trivial-rewrite
bounce     unix  - - n -     0 bounce
defer      unix  - - n -     0 bounce
trace      unix  - - n -     0 bounce
verify     unix  - - n -     1 verify
flush      unix  n - n 1000? 0 flush
proxymap   unix  - - n -     - proxymap
proxywrite unix  - - n -     1 proxymap
showq      unix  n - n -     - showq
error      unix  - - n -     - error
retry      unix  - - n -     - error
discard    unix  - - n -     - discard
anvil      unix  - - n -     1 anvil
scache     unix  - - n -     1 scache
postlog    unix-dgram n - n - 1 postlogd
maildir    unix  - n n -     - pipe
  flags=DR user=vmail null_sender= argv=/run/m/deliver \${recipient}
CF
    touch -d '10 seconds ago' "$D"/conf/*.cf # Postfix waits until a configuration file is over a second old
    printf '%s\n' 'alice:{PLAIN}alicepw' 'bob:{PLAIN}bobpw' >"$D/conf/users"
    cat >"$D/conf/dovecot.conf" <<CF
base_dir = /run/m/dovecot
state_dir = /run/m/dovecot
log_path = /run/m/log/dovecot
protocols =
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login cram-md5 digest-md5 scram-sha-1 scram-sha-256
auth_failure_delay = 0
auth_cache_size = 0
passdb {
  driver = passwd-file
  args = /run/m/conf/users
}
userdb {
  driver = static
  args = uid=vmail gid=vmail home=/var/lib/empty
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service auth {
  unix_listener auth-postfix {
    mode = 0666
  }
}
CF
}

inside() {
    mount -t tmpfs -o mode=755 tmpfs /run/m/spool # the queue needs no disk
    cd /run/m/spool
    mkdir active bounce corrupt defer deferred flush hold incoming private saved trace maildrop public pid
    chown postfix active bounce corrupt defer deferred flush hold incoming private saved trace maildrop public /run/m/data
    chgrp postdrop maildrop public
    chmod 700 active bounce corrupt defer deferred flush hold incoming private saved trace /run/m/data
    chmod 730 maildrop
    chmod 710 public
    dovecot -F -c /run/m/conf/dovecot.conf &
    wait_until 500 test -S /run/m/dovecot/auth-postfix
    MAIL_CONFIG=/run/m/conf /usr/lib/postfix/sbin/master -c /run/m/conf -s
}
main "$@"
