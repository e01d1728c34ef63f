#!/usr/bin/env bash
# Postfix's smtp-sink: takes mail and throws it away, as fast as it comes. For benchmarks and for odd servers.
#
#   smtp-sink.sh check | start DIR PORT [OWNER_PID] | stop DIR
#
# SINK_ARGS: more options, for example -f MAIL,RCPT (refuse these), -r DATA (defer it), -w SECONDS (delay), -p (no PIPELINING),
# -8 (no 8BITMIME), -e (no ESMTP), -L (LMTP). Its partner is `run-in postfix smtp-source`.
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
server=postfix
ports='smtp'

configure() { printf '%s' "${SINK_ARGS:-}" >"$D/options"; }
# shellcheck disable=SC2046
inside() { cd /run/m/spool; smtp-sink -c -u nobody $(cat /run/m/options) "127.0.0.1:$P" 1024; }
main "$@"
