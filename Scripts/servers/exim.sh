#!/usr/bin/env bash
# Exim with a spool, a configuration and ports of its own.
#
#   exim.sh check | start DIR PORT_BASE [OWNER_PID] | stop DIR
#   +0 SMTP, STARTTLS and then AUTH offered   +1 submission: STARTTLS and AUTH required   +2 TLS from the start, AUTH offered
#
# Mail for example.test goes to DIR/mail/RECIPIENT/new; for other domains it is refused, or thrown away after AUTH.
# nobody-here@example.test is refused (550), later@example.test deferred (451). Users alice/alicepw, bob/bobpw.
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
server=exim
ports='smtp submission smtps'

configure() {
    certificates
    cat >"$D/exim.conf" <<CF
primary_hostname = mail.example.test
qualify_domain = example.test
exim_user = Debian-exim
exim_group = Debian-exim
spool_directory = /run/m/spool
log_file_path = /run/m/log/exim-%slog
pid_file_path = /run/m/spool/exim.pid
local_interfaces = 127.0.0.1
daemon_smtp_ports = $P : $((P + 1)) : $((P + 2))
tls_on_connect_ports = $((P + 2))
tls_advertise_hosts = *
tls_certificate = /run/m/ca/server.pem
tls_privatekey = /run/m/spool/server.key
tls_try_verify_hosts =
tls_resumption_hosts = *
domainlist local_domains = example.test
deliver_drop_privilege = true
never_users =
host_lookup =
dns_dnssec_ok = 0
keep_environment =
auth_advertise_hosts = \${if eq{\$tls_in_cipher}{}{}{*}}
smtputf8_advertise_hosts = *
prdr_enable = true
dsn_advertise_hosts = *
chunking_advertise_hosts = *
pipelining_connect_advertise_hosts = *
smtp_enforce_sync = true

# limits that a test wants to meet, and none that it does not
message_size_limit = $size_limit
check_spool_space = 0
check_spool_inodes = 0
check_log_space = 0
check_log_inodes = 0
smtp_accept_max = 500
smtp_accept_max_per_connection = 1000000
smtp_accept_queue_per_connection = 0
smtp_max_unknown_commands = 1000
smtp_max_synprot_errors = 1000
acl_smtp_rcpt = check_rcpt
acl_smtp_data = accept
acl_smtp_vrfy = accept
acl_smtp_etrn = accept
acl_smtp_data_prdr = accept

begin acl
check_rcpt:
  deny    message = 530 5.7.0 Must issue a STARTTLS command first
          condition = \${if eq{\$received_port}{$((P + 1))}}
          !encrypted = *
  deny    message = 530 5.7.0 Authentication required
          condition = \${if eq{\$received_port}{$((P + 1))}}
          !authenticated = *
  deny    message = 550 5.1.1 User unknown
          domains = +local_domains
          local_parts = nobody-here
  defer   message = 451 4.2.1 Mailbox busy
          domains = +local_domains
          local_parts = later
  accept  domains = +local_domains
  accept  authenticated = *
  deny    message = 550 5.7.1 Relaying denied

begin routers
here:
  driver = accept
  domains = +local_domains
  caseful_local_part
  transport = maildir
elsewhere:
  driver = redirect
  data = :blackhole:

begin transports
maildir:
  driver = pipe
  command = /run/m/deliver
  message_prefix =
  message_suffix =
  return_path_add
  return_fail_output
  timeout = 1m

begin retry
* * F,1h,1m

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if or{{and{{eq{\$auth2}{alice}}{eq{\$auth3}{alicepw}}}}{and{{eq{\$auth2}{bob}}{eq{\$auth3}{bobpw}}}}}}
  server_set_id = \$auth2
login:
  driver = plaintext
  public_name = LOGIN
  server_prompts = Username:: : Password::
  server_condition = \${if or{{and{{eq{\$auth1}{alice}}{eq{\$auth2}{alicepw}}}}{and{{eq{\$auth1}{bob}}{eq{\$auth2}{bobpw}}}}}}
  server_set_id = \$auth1
cram:
  driver = cram_md5
  public_name = CRAM-MD5
  server_secret = \${if eq{\$auth1}{alice}{alicepw}{\${if eq{\$auth1}{bob}{bobpw}fail}}}
  server_set_id = \$auth1
CF
    chmod 644 "$D/exim.conf"
}

inside() {
    mount -t tmpfs -o mode=750,uid=$(id -u Debian-exim),gid=$(id -g Debian-exim) tmpfs /run/m/spool # needs no disk
    install -m 640 -g Debian-exim /run/m/ca/server.key /run/m/spool/server.key
    chown -R Debian-exim:Debian-exim /run/m/log # from an earlier start, too
    exim4 -C /run/m/exim.conf -bdf -q5m
}
main "$@"
