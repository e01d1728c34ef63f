#!/usr/bin/env python3
"""Does with IMAPClient (PyPI) what imap-bench does.

    imapclient_bench.py WORK PORT [--tls CA] [--mailbox NAME]

WORK: envelopes, bodies, flags. Messages are asked for 500 at a time, since the library keeps an answer whole. It has no
compression. Prints one line of JSON.
"""
import argparse
import json
import resource
import ssl
import time

import imapclient

ITEMS = {"envelopes": ["ENVELOPE", "BODYSTRUCTURE"], "bodies": ["BODY.PEEK[]"], "flags": ["FLAGS"]}


def parts(body):
    return 1 + sum(parts(part) for part in body[0]) if body.is_multipart else 1


def count(work, row):
    if work == "envelopes":
        return len(row[b"ENVELOPE"].subject or b"") + parts(row[b"BODYSTRUCTURE"])
    return len(row[b"BODY[]"] if work == "bodies" else row[b"FLAGS"])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("work", choices=list(ITEMS))
    parser.add_argument("port", type=int)
    parser.add_argument("--tls")
    parser.add_argument("--mailbox", default="INBOX")
    options = parser.parse_args()
    start = time.perf_counter()
    context = ssl.create_default_context(cafile=options.tls) if options.tls else None
    client = imapclient.IMAPClient("localhost", options.port, ssl=bool(options.tls), ssl_context=context)
    client.login("perf", "perfpw")
    client.select_folder(options.mailbox, readonly=True)
    selected = time.perf_counter()
    messages = octets = 0
    size = 10_000 if options.work == "flags" else 500
    uids = client.search()
    for first in range(0, len(uids), size):
        for row in client.fetch(uids[first:first + size], ITEMS[options.work]).values():
            messages += 1
            octets += count(options.work, row)
    fetched = time.perf_counter()
    client.logout()
    seconds = time.perf_counter() - start
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({
        "program": "imapclient " + imapclient.__version__, "work": options.work, "seconds": round(seconds, 4),
        "fetch_seconds": round(fetched - selected, 4), "messages": messages, "octets": octets,
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 4), "peak_MiB": usage.ru_maxrss / 1024,
    }))


main()
