#!/usr/bin/env python3
"""A long way to a server on this machine: what either side writes arrives DELAY milliseconds later, in order and whole.

    relay.py LISTEN_PORT SERVER_PORT [DELAY_MS=25] [--log FILE]

Bandwidth is not cut. With --log, each piece that was handed on is a line: its moment in nanoseconds (CLOCK_MONOTONIC), `>` to the
server or `<` to the client, how many octets, and how many lines. Prints "ready" when it listens; ends by SIGTERM.
"""
import asyncio
import collections
import socket
import sys
import time


class Direction(asyncio.Protocol):
    """One side of a connection: what it hears goes to the other side after the delay."""

    def __init__(self, mark, relay):
        self.mark, self.relay = mark, relay
        self.waiting = collections.deque()
        self.other = self.transport = None
        self.timer = None

    def connection_made(self, transport):
        self.transport = transport
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.mark == ">":
            self.other = Direction("<", self.relay)
            self.other.other = self
            self.connecting = asyncio.ensure_future(
                self.relay.loop.create_connection(lambda: self.other, "127.0.0.1", self.relay.server_port))

    def data_received(self, octets):
        self.put(octets)

    def connection_lost(self, error):
        self.put(None)

    def put(self, octets):
        due = self.relay.loop.time() + self.relay.delay
        self.waiting.append((due, octets))
        if self.timer is None:
            self.timer = self.relay.loop.call_at(due, self.hand_on)

    def hand_on(self):
        self.timer = None
        while self.waiting:
            due, octets = self.waiting[0]
            if due > self.relay.loop.time():
                self.timer = self.relay.loop.call_at(due, self.hand_on)
                return
            target = self.other.transport
            if target is None:  # the server has not accepted yet
                self.timer = self.relay.loop.call_later(0.001, self.hand_on)
                return
            self.waiting.popleft()
            if octets is None:
                target.close()
                continue
            self.relay.note(self.mark, octets)
            target.write(octets)


class Relay:
    def __init__(self, loop, server_port, delay, log):
        self.loop, self.server_port, self.delay, self.log = loop, server_port, delay, log

    def note(self, mark, octets):
        if self.log:
            self.log.write("%d %s %d %d\n" % (time.monotonic_ns(), mark, len(octets), octets.count(b"\n")))


async def main(arguments):
    log = None
    if "--log" in arguments:
        place = arguments.index("--log")
        log = open(arguments[place + 1], "w", buffering=1)
        del arguments[place:place + 2]
    loop = asyncio.get_running_loop()
    delay = float(arguments[2]) / 1000 if len(arguments) > 2 else 0.025
    relay = Relay(loop, int(arguments[1]), delay, log)
    server = await loop.create_server(lambda: Direction(">", relay), "127.0.0.1", int(arguments[0]))
    print("ready", flush=True)
    await server.serve_forever()


asyncio.run(main(sys.argv[1:]))
