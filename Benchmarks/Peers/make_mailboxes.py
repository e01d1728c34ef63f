#!/usr/bin/env python3
"""Fills Maildir++ folders beside an INBOX: make_mailboxes.py MAILDIR [FLAGS=100000] [FOLDERS=50] [LARGE_MB=100]

    Flags      FLAGS small messages, with all kinds of flags
    Large      one message whose second part has LARGE_MB million octets on the wire
    Folder-n   FOLDERS folders with a message each
"""
import os
import sys

MESSAGE = b"From: a@example.test\nTo: b@example.test\nSubject: %d\nDate: Tue, 14 Nov 2023 22:13:20 +0000\nMessage-ID: <%d@example.test>\n\nHello.\n"


def folder(maildir, name):
    path = os.path.join(maildir, "." + name)
    for part in ("cur", "new", "tmp"):
        os.makedirs(os.path.join(path, part))
    return os.path.join(path, "cur")


def put(path, number, octets, flags="S"):
    name = "%d.M%dP1.bench,S=%d:2,%s" % (1700000000 + number, number, len(octets), flags)
    with open(os.path.join(path, name), "wb") as file:
        file.write(octets)


def main(maildir, flags=100_000, folders=50, large=100):
    kinds = ["", "S", "S", "RS", "FS", "S", "FRS", "T", "", "S"]
    path = folder(maildir, "Flags")
    for number in range(flags):
        put(path, number, MESSAGE % (number, number), kinds[number % len(kinds)])
    for number in range(folders):
        put(folder(maildir, "Folder-%d" % number), number, MESSAGE % (number, number))
    line = b"QmFzZTY0IG9mIG5vdGhpbmcgaW4gcGFydGljdWxhciwgbGluZSBmb3IgbGluZSBhcyBpdCBjb21l\n"
    head = (b"From: a@example.test\nSubject: large\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
            b"--b\nContent-Type: text/plain\n\nSee the file.\n--b\nContent-Type: application/octet-stream\n"
            b"Content-Transfer-Encoding: base64\n\n")
    put(folder(maildir, "Large"), 0, head + line * (large * 1_000_000 // (len(line) + 1)) + b"--b--\n")


main(sys.argv[1], *map(int, sys.argv[2:]))
