#!/usr/bin/env python3
"""Reads lines "MODE ROUND JSON" of the programs that did the same work in turn, and prints seconds and ratios, round by round."""
import collections
import json
import statistics
import sys

rounds = collections.defaultdict(lambda: collections.defaultdict(dict))
for line in sys.stdin:
    mode, number, text = line.split(" ", 2)
    figures = json.loads(text)
    rounds[figures["work"], mode][figures["program"]][int(number)] = figures
for (work, mode), programs in rounds.items():
    ours = programs.pop("martlet", {})
    shown = " / ".join("%.3f" % ours[number]["seconds"] for number in sorted(ours))
    print(f"{work}, {mode}: martlet {shown} s, CPU {statistics.median(f['cpu_seconds'] for f in ours.values()):.2f} s")
    for program, theirs in programs.items():
        common = sorted(ours.keys() & theirs.keys())
        if not common:
            continue
        # not every program tells octets
        read = {(f["messages"], f["octets"]) for f in ours.values()}
        counts = {(f.get("messages"), f.get("octets", ours[number]["octets"])) for number, f in theirs.items() if number in ours}
        if program != "floor" and counts != read:
            print(f"    {program} has read something else: {counts}")
        ratios = [ours[number]["seconds"] / theirs[number]["seconds"] for number in common]
        print(
            f"    {program}: " + " / ".join("%.3f" % theirs[number]["seconds"] for number in common)
            + f" s, CPU {statistics.median(f['cpu_seconds'] for f in theirs.values()):.2f} s; martlet takes "
            + " / ".join("%.2f" % ratio for ratio in ratios) + " of that, median %.2f" % statistics.median(ratios))
