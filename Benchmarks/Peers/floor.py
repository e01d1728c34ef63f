#!/usr/bin/env python3
"""What no IMAP client can do faster: sends the one command, and reads what comes without looking at it.

    floor.py WORK PORT [--tls CA] [--compress] [--mailbox NAME] [--count N] [--save FILE]

WORK: envelopes, bodies, flags: as imap-bench. idle: a flag is changed over one connection, until another tells of it.
Prints one line of JSON.
"""
import argparse
import json
import resource
import socket
import ssl
import time
import zlib

ITEMS = {"envelopes": "(ENVELOPE BODYSTRUCTURE)", "bodies": "(BODY.PEEK[])", "flags": "(FLAGS)"}


class Connection:
    def __init__(self, options):
        self.socket = socket.create_connection(("127.0.0.1", options.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if options.tls:
            context = ssl.create_default_context(cafile=options.tls)
            self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
        self.inflater = self.deflater = None
        self.tag = 0
        self.buffer = bytearray(1 << 18)
        self.view = memoryview(self.buffer)
        self.socket.recv(4096)
        self.run(b"LOGIN perf perfpw")

    def write(self, octets):
        if self.deflater:
            octets = self.deflater.compress(octets) + self.deflater.flush(zlib.Z_SYNC_FLUSH)
        self.socket.sendall(octets)

    def read(self):
        count = self.socket.recv_into(self.buffer)
        if count == 0:
            raise EOFError
        octets = self.view[:count]
        return self.inflater.decompress(octets) if self.inflater else octets

    def run(self, command, tail=4096, save=None):
        """Runs a command; the octets of its answers are counted, and its end is looked for in the last of them."""
        self.tag += 1
        tag = b"F%d" % self.tag
        self.write(tag + b" " + command + b"\r\n")
        total, end, done = 0, b"", b"\r\n" + tag + b" OK"
        while True:
            octets = self.read()
            total += len(octets)
            if save:
                save.write(octets)
            end = (end + bytes(octets[-tail:]))[-tail:]
            if done in end or end.startswith(done[2:]):
                return total

    def compress(self):
        self.run(b"COMPRESS DEFLATE")
        self.inflater = zlib.decompressobj(-15)
        self.deflater = zlib.compressobj(6, zlib.DEFLATED, -15)


def fetch(options):
    start = time.perf_counter()
    connection = Connection(options)
    if options.compress:
        connection.compress()
    connection.run(b"EXAMINE " + options.mailbox.encode())
    selected = time.perf_counter()
    save = open(options.save, "wb") if options.save else None
    octets = connection.run(b"UID FETCH 1:* " + ITEMS[options.work].encode(), 64, save)
    fetched = time.perf_counter()
    connection.run(b"LOGOUT")
    return {"seconds": time.perf_counter() - start, "fetch_seconds": fetched - selected, "octets": octets}


def idle(options):
    mailbox = options.mailbox.encode()
    watcher, changer = Connection(options), Connection(options)
    watcher.run(b"EXAMINE " + mailbox)
    watcher.write(b"I1 IDLE\r\n")
    watcher.read()
    changer.run(b"SELECT " + mailbox)
    changer.run(b"STORE 1 -FLAGS.SILENT (\\Flagged)")
    delays = []
    watcher.socket.settimeout(5)
    for round in range(options.count):
        time.sleep(0.7)
        watcher.socket.setblocking(False)
        try:
            while True:
                watcher.read()  # what came of the round before
        except (BlockingIOError, ssl.SSLWantReadError):
            pass
        watcher.socket.settimeout(5)
        changer.run(b"STORE 1 %sFLAGS.SILENT (\\Flagged)" % (b"-" if round % 2 else b"+"))
        done = time.perf_counter()
        while b"FETCH" not in bytes(watcher.read()):
            pass
        delays.append(1000 * (time.perf_counter() - done))
    delays.sort()
    return {
        "rounds": len(delays), "ok_to_event_min_ms": delays[0],
        "ok_to_event_median_ms": delays[len(delays) // 2], "ok_to_event_max_ms": delays[-1],
    }


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("work", choices=[*ITEMS, "idle"])
    parser.add_argument("port", type=int)
    parser.add_argument("--tls")
    parser.add_argument("--compress", action="store_true")
    parser.add_argument("--mailbox", default="INBOX")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--save")
    options = parser.parse_args()
    figures = idle(options) if options.work == "idle" else fetch(options)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    figures = {name: round(value, 4) if isinstance(value, float) else value for name, value in figures.items()}
    print(json.dumps({
        "program": "floor", "work": options.work, **figures,
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 4), "peak_MiB": usage.ru_maxrss / 1024,
    }))


main()
