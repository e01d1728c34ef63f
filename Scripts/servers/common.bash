# What the scripts of this folder share: a private view of the machine in which one mail server lives.
#
# A server's Debian packages are unpacked below $MARTLET_SERVERS (see fetch) and laid over /usr and /etc in a mount and
# process namespace of its own. So nothing on the machine is replaced, no user or folder is added, servers whose packages
# conflict run side by side, and ending the namespace's first process ends every process in it.
#
# A server script sets `server` and `ports` (their names, for P and those that follow it), defines `configure` and `inside`,
# and calls `main "$@"`. A function `command_NAME` is a command of its own; `usage` names it.
#
#   $D          the caller's folder: everything a server writes is below it; inside the namespace it is /run/m
#   $P          the first port
#   exit codes  0 done, 64 wrong use, 69 did not start, 75 cannot run on this machine (one sentence says why)

set -euo pipefail
# A daemon must not keep what the caller left open: whoever waits for the end of such a file would wait for ever.
for descriptor in /proc/$$/fd/*; do
    n=${descriptor##*/}
    [ "$n" -gt 2 ] && [ "$n" != 255 ] && eval "exec $n>&-"
done

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${MARTLET_SERVERS:-${XDG_CACHE_HOME:-$HOME/.cache}/martlet/servers}
PATH=$PATH:/usr/sbin:/sbin
size_limit=41943040 # octets: 40 MiB

unavailable() { echo "$*" >&2; exit 75; }

# Goes on as root, through sudo if need be.
become_root() {
    [ "$(id -u)" = 0 ] && return
    command -v sudo >/dev/null \
        || unavailable "Real mail servers need root (private mounts, ports of their own users), and there is no sudo."
    sudo -n true 2>/dev/null \
        || unavailable "Real mail servers need root, and sudo asks for a password: run this as root, or 'sudo -v' first."
    exec sudo -n env MARTLET_SERVERS="$cache" SINK_ARGS="${SINK_ARGS:-}" bash "$0" "$@"
}

# Before a command: runs it in a mount and process namespace of its own, which ends with it.
isolated=(unshare --mount --pid --fork --kill-child --propagation private)

# Exits 75 with one sentence where servers cannot run.
check_machine() {
    [ "$(uname -s)" = Linux ] || unavailable "Real mail servers run on Linux only (they need mount namespaces)."
    local tool
    for tool in unshare mount setsid tail; do
        command -v $tool >/dev/null || unavailable "Real mail servers need the command '$tool', which is missing here."
    done
    "${isolated[@]}" true 2>/dev/null \
        || unavailable "Real mail servers need mount and process namespaces, and this machine does not allow unshare."
    "${isolated[@]}" sh -c 'mount -t tmpfs tmpfs /run && mkdir -p /run/u &&
        mount -t overlay overlay -o ro,lowerdir=/run/u:/usr /usr' 2>/dev/null \
        || unavailable "Real mail servers need overlay mounts, and this machine's kernel does not allow them on /usr."
}

# Exits 75 with one sentence where the server $1 has not been unpacked.
check_fetched() {
    [ -e "$cache/$1/.ready" ] && return
    [ -s "$cache/$1.why" ] && unavailable "$(cat "$cache/$1.why")"
    unavailable "The packages of $1 have not been fetched: run Scripts/servers/fetch ('make test' does)."
}

# Users and names of the private view; none of them exists outside it.
private_etc() {
    mkdir -p "$1"
    local name id=64800
    printf '%s\n' root:x:0:0::/root:/bin/sh daemon:x:1:1::/:/bin/false mail:x:8:8::/:/bin/false \
        nobody:x:65534:65534::/:/bin/false >"$1/passwd"
    printf '%s\n' root:x:0: daemon:x:1: tty:x:5: mail:x:8: nogroup:x:65534: postdrop:x:64799: >"$1/group"
    for name in postfix dovecot dovenull Debian-exim opensmtpd opensmtpq vmail courier; do
        id=$((id + 1))
        echo "$name:x:$id:$id::/var/lib/empty:/bin/sh" >>"$1/passwd"
        echo "$name:x:$id:" >>"$1/group"
    done
    printf 'passwd: files\ngroup: files\nshadow: files\nhosts: files\nservices: files\nprotocols: files\n' \
        >"$1/nsswitch.conf"
    printf '127.0.0.1 localhost mail.example.test\n::1 localhost\n' >"$1/hosts"
    echo 'nameserver 127.0.0.1' >"$1/resolv.conf"
    printf '%s\n' 'smtp 25/tcp' 'smtps 465/tcp' 'submission 587/tcp' 'imap 143/tcp' 'imaps 993/tcp' 'pop3 110/tcp' \
        'pop3s 995/tcp' >"$1/services"
    echo mail.example.test >"$1/mailname"
    : >"$1/aliases"
}

# Inside the namespace: lays the root of server $1 over the machine, with the folder $2, if any, at /run/m.
enter() {
    mount -t tmpfs tmpfs /mnt # a foothold on every machine, so that paths with odd characters need no escaping
    mkdir /mnt/x /mnt/m
    mount --bind "$cache/$1" /mnt/x
    [ -z "${2:-}" ] || mount --bind "$2" /mnt/m
    mount -t tmpfs -o mode=755 tmpfs /run
    mkdir /run/x /run/m
    mount --move /mnt/x /run/x
    [ -z "${2:-}" ] || mount --move /mnt/m /run/m
    umount /mnt
    [ -d /run/m/etc ] || private_etc /run/m/etc
    mount -t overlay overlay -o ro,lowerdir=/run/x/usr:/usr /usr
    mount -t overlay overlay -o ro,lowerdir=/run/m/etc:/etc /etc
    mount -t tmpfs -o mode=755 tmpfs /var/spool
    mount -t tmpfs -o mode=755 tmpfs /var/lib
    mkdir /var/lib/empty
    mount -t proc proc /proc 2>/dev/null || true
}

# Sets `openssl` to the command: the machine's, or the one that the packages brought.
find_openssl() {
    openssl=openssl
    command -v openssl >/dev/null && return
    openssl="$here/run-in $server openssl"
    [ -e "$cache/$server/usr/bin/openssl" ] || openssl="$here/run-in postfix openssl"
}

# Goes to the folder of certificates. A machine to which the command was brought has no /etc/ssl/openssl.cnf.
openssl_settings() {
    cd "$D/ca"
    printf '%s\n' '[req]' 'distinguished_name = name' '[name]' >openssl.cnf
    export OPENSSL_CONF=openssl.cnf
}

# A test CA and a certificate for localhost, unless the caller put some there.
certificates() {
    if [ -s "$D/ca/server.pem" ] && [ -s "$D/ca/server.key" ]; then
        chmod 644 "$D"/ca/*.pem # the server's users read them, too
        return
    fi
    find_openssl
    mkdir -p "$D/ca"
    (
        openssl_settings
        $openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj '/CN=Martlet test CA' \
            -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign \
            -keyout ca.key -out ca.pem
        $openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost \
            -keyout server.key -out server.csr
        printf '%s\n' 'subjectAltName=DNS:localhost,DNS:mail.example.test,IP:127.0.0.1,IP:::1' \
            'extendedKeyUsage=serverAuth' >extensions
        $openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 \
            -extfile extensions -out server.pem
    ) >"$D/ca/log" 2>&1 || { cat "$D/ca/log" >&2; exit 69; }
}

# A client's certificate for the user $1, of an authority of its own: the server's may be the caller's.
client_certificate() {
    [ ! -s "$D/ca/$1.pem" ] || return 0
    find_openssl
    (
        openssl_settings
        $openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj '/CN=Martlet test clients' \
            -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign \
            -keyout clients.key -out clients.pem
        $openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr"
        echo extendedKeyUsage=clientAuth >extensions
        $openssl x509 -req -in "$1.csr" -CA clients.pem -CAkey clients.key -CAcreateserial -days 30 \
            -extfile extensions -out "$1.pem"
        chmod 644 ./*.pem
        chown --reference=.. ./*.pem "$1.key" # whoever asked for the server shows it
    ) >"$D/ca/log" 2>&1 || { cat "$D/ca/log" >&2; exit 69; }
}

# "PID TICKS": a process and when it was started, so that a number given to another process later is not mistaken for it.
identity() { local s; s=$(cat "/proc/$1/stat" 2>/dev/null) || return; s=${s##*) }; set -- "$1" $s; echo "$1 ${21}"; }
# Whether that process is there. A zombie is not: who should reap it may take seconds.
is_running() {
    [ -n "${1:-}" ] && [ "$(identity "$1")" = "$1 $2" ] && grep -qs '^State:.[^ZX]' "/proc/$1/status"
}
running_from() { local p t; [ -s "$1" ] && read -r p t <"$1" && is_running "$p" "$t"; }

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
greets() { (exec 3<>"/dev/tcp/127.0.0.1/$1" && read -r -t 5 -u 3 -n 1) 2>/dev/null; }
# wait_until LIMIT COMMAND…: tries every 20 ms, LIMIT times
wait_until() { local n=$1; shift; while ! "$@"; do n=$((n - 1)); [ $n -gt 0 ] || return 1; sleep 0.02; done; }

# Lives as long as the server: ends it when told to (SIGTERM) or when the process that wanted it is gone.
supervise() {
    local owner=$1 child watch='' first ticks
    identity $$ >"$D/supervisor"
    "${isolated[@]}" bash "$0" __inside "$D" "$P" &
    child=$!
    finish() {
        trap '' TERM
        [ -s "$D/first" ] && read -r first ticks <"$D/first" && is_running "$first" "$ticks" && kill -9 "$first"
        kill -9 $child $watch 2>/dev/null
        wait
        [ ! -s "$D/first" ] || wait_until 500 gone "$first" "$ticks"
        [ "${1:-}" != ownerless ] || rm -rf --one-file-system "$D"
        exit 0
    }
    gone() { ! is_running "$@"; }
    trap 'finish' TERM
    set +e
    if [ -n "$owner" ]; then
        tail --pid="$owner" -s 0.2 -f /dev/null &
        watch=$!
        wait -n
        kill -0 "$owner" 2>/dev/null || finish ownerless
    else
        wait $child
    fi
    finish
}

start() {
    local owner=$1 port name
    check_fetched "$server"
    mkdir -p "$D"
    D=$(cd "$D" && pwd)
    if running_from "$D/supervisor"; then cat "$D/line"; return; fi
    port=$P
    for name in $ports; do
        ! listens "$port" || { echo "$server: port $port is taken." >&2; exit 69; }
        port=$((port + 1))
    done
    rm -f "$D/supervisor" "$D/first"
    prepare
    setsid bash "$0" __supervise "$D" "$P" "$owner" </dev/null >"$D/log/out" 2>&1 &
    wait_until 250 test -s "$D/supervisor" || { cat "$D/log/out" >&2; exit 69; }
    port=$P
    for name in $ports; do
        # the first port speaks first; of the others it is enough that they listen
        wait_until 500 up_or_dead "$port" "$([ "$port" = "$P" ] && echo greets || echo listens)" || break
        port=$((port + 1))
    done
    if ! running_from "$D/first" || ! listens "$P"; then
        echo "$server did not start:" >&2
        tail -n 20 "$D"/log/* >&2
        stop
        exit 69
    fi
    local line
    read -r line _ <"$D/first"
    line="server=$server pid=$line"
    port=$P
    for name in $ports; do
        line+=" $name=$port"
        port=$((port + 1))
    done
    line+=" size_limit=$size_limit"
    case "$ports " in *'s '*) line+=" ca=$D/ca/ca.pem" ;; esac # imaps, smtps
    echo "$line mail=$D/mail" | tee "$D/line"
}
# Makes all that the server needs in its folder.
prepare() {
    chmod 755 "$D"
    mkdir -p "$D"/{mail,log,etc,spool}
    chmod 1777 "$D/mail"
    cp "$here/deliver" "$D/deliver"
    private_etc "$D/etc"
    configure
}
up_or_dead() { $2 "$1" || { [ -s "$D/supervisor" ] && ! running_from "$D/supervisor"; }; }

stop() {
    local p t file
    # by a signal that nobody can block: who calls this may have given its blocked signals to all that it started
    if running_from "$D/first"; then
        read -r p t <"$D/first"
        kill -9 "$p" 2>/dev/null || true
    elif running_from "$D/supervisor"; then
        read -r p t <"$D/supervisor"
        kill "$p" 2>/dev/null || true
    fi
    for file in first supervisor; do # the supervisor ends when the server has
        [ -s "$D/$file" ] || continue
        read -r p t <"$D/$file"
        wait_until 500 ended "$p" "$t" || { echo "$server: process $p does not end." >&2; exit 69; }
    done
    rm -f "$D/supervisor" "$D/first"
    # what the server's users wrote goes to whoever owns the folder, who may want to remove it
    [ ! -d "$D" ] || chown -R --reference="$D" "$D" 2>/dev/null || true
}
ended() { ! is_running "$@"; }

wrong_use() {
    echo "use: $(basename "$0") check | start DIR PORT_BASE [OWNER_PID] | stop DIR${usage:+ | $usage}" >&2
    exit 64
}

main() {
    case "${1:-} $#" in
    'check 1' | 'start 3' | 'start 4' | 'stop 2' | '__supervise 4' | '__inside 3') ;;
    *)
        if declare -F "command_${1:-}" >/dev/null; then
            "command_$1" "${@:2}"
            return
        fi
        wrong_use
        ;;
    esac
    become_root "$@"
    D=${2:-} P=${3:-}
    case $1 in
    check) check_machine; check_fetched "$server" ;;
    start) start "${4:-}" ;;
    stop) stop ;;
    __supervise) supervise "$4" ;;
    __inside)
        # /proc still shows the numbers of the outer namespace
        local self; read -r self _ </proc/self/stat
        identity "$self" >"$D/first"
        enter "$server" "$D"
        inside
        ;;
    esac
}
