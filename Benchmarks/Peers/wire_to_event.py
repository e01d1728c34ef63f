#!/usr/bin/env python3
"""How long after a server's words were on the wire a client had the event: wire_to_event.py RELAY_LOG EVENTS

RELAY_LOG is what relay.py wrote with --log, EVENTS what imap-bench wrote to standard error with IMAP_BENCH_TRACE=1.
Prints one line of JSON.
"""
import bisect
import json
import sys

pieces = sorted(int(line.split()[0]) for line in open(sys.argv[1]) if line.split()[1] == "<")
delays = []
for line in open(sys.argv[2]):
    word, moment = line.split()[:2]
    if word == "event":
        place = bisect.bisect(pieces, int(moment))
        if place > 0:
            delays.append((int(moment) - pieces[place - 1]) / 1e6)
delays.sort()
print(json.dumps({
    "program": "martlet", "work": "wire_to_event", "rounds": len(delays), "min_ms": round(delays[0], 3),
    "median_ms": round(delays[len(delays) // 2], 3), "max_ms": round(delays[-1], 3),
}))
