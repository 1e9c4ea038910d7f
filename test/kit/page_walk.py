#!/usr/bin/env python3
"""Read a page of 'trod html', or its data, as doc/everyday/page.md specifies them, and walk every path. Prints the
numbers of functions and paths and the sum of their counts, or prints what is wrong and fails.

    page_walk.py FILE [EXPRESSION]      with an expression over d, the data: also print its value
"""
import base64
import gzip
import json
import re
import sys

DIGIT = re.compile(r"[0-9a-z]|\((\d+)\)")
BAR = re.compile(r"\|(?:(\d+):)?")


def wrong(text):
    sys.exit("page_walk: " + text)


def data_of(text):
    if not text.lstrip().startswith("<"):
        return json.loads(text)
    found = re.findall(r'<script type="application/(json|gzip)" id="trod-data">(.*?)</script>', text, re.S)
    if len(found) != 1 or "<" in found[0][1]:
        wrong("the data are not one element without '<'")
    kind, data = found[0]
    return json.loads(gzip.decompress(base64.b64decode(data)) if kind == "gzip" else data)


def check_function(d, f):
    n = len(f["blocks"])
    if not n:
        wrong(f"{f['name']} has no blocks")
    if f["file"] is not None and not 0 <= f["file"] < len(d["files"]):
        wrong(f"{f['name']} is of no file")
    if [e[:1] for e in f["edges"]] != sorted(e[:1] for e in f["edges"]):
        wrong(f"edges of {f['name']} are in no order")
    for e in f["edges"]:
        if not (0 <= e[0] < n and 0 <= e[1] < n):
            wrong(f"an edge of {f['name']} leads out of it")
    for b in f["blocks"]:
        if "frames" in f and not 0 <= b[4] < len(f["frames"]):
            wrong(f"a block of {f['name']} is in no frame")
    layout = f["layout"]
    if layout and (len(layout["blocks"]) != n or len(layout["edges"]) != len(f["edges"])):
        wrong(f"the layout of {f['name']} is of another graph")
    f["out"] = [[e for e in f["edges"] if e[0] == b] for b in range(n)] if n < 300 else None
    if f["out"] is None:
        f["out"] = [[] for _ in range(n)]
        for e in f["edges"]:
            f["out"][e[0]].append(e)


def walk(f, start, way):
    """The blocks of the last path of a chain."""
    at, block = 0, max(start, 0)
    if start >= len(f["blocks"]):
        wrong("a path starts nowhere")
    passed = []
    while True:
        out = f["out"][block]
        passed.append(block)
        if len(passed) > 100000:
            wrong(f"a path of {f['name']} does not end")
        edge = out[0] if out else None
        if len(out) > 1:
            digit = DIGIT.match(way, at)
            if not digit:
                wrong(f"a path of {f['name']} ends at a decision: {way}")
            at = digit.end()
            choice = int(digit.group(1)) if digit.group(1) else int(digit.group(0), 36)
            if choice >= len(out):
                wrong(f"a path of {f['name']} takes a way that is not there: {way}")
            edge = out[choice]
        if edge and len(edge) < 4:
            block = edge[1]
            continue
        if at == len(way):
            return passed
        bar = BAR.match(way, at)
        if not bar or not (edge or bar.group(1)):
            wrong(f"a path of {f['name']} goes on behind its end: {way}")
        at, block, passed = bar.end(), int(bar.group(1)) if bar.group(1) else edge[1], []


def check_paths(d):
    p = d["paths"]
    n = len(p["id"])
    for key, column in p.items():
        if column is not None and len(column) != n:
            wrong(f"column {key} has another length")
    seen = {}
    weight = 0
    for i in range(n):
        if not 0 <= p["function"][i] < len(d["functions"]):
            wrong("a path is of no function")
        f = d["functions"][p["function"][i]]
        passed = walk(f, p["start"][i], p["way"][i])
        if len(passed) * p["count"][i] != p["weight"][i]:
            wrong(f"path {p['id'][i]} of {f['name']} weighs {p['weight'][i]}, and has {len(passed)} blocks")
        for b in passed:
            seen[p["function"][i], b] = seen.get((p["function"][i], b), 0) + p["count"][i]
        weight += p["weight"][i]
        if i and p["count"][i] > p["count"][i - 1]:
            wrong("paths are not most often first")
    if p["flags"] and any(p["flags"]) and not (d["tested"] or d["since"]):
        wrong("there are flags that mean nothing")
    return seen, weight


def check(d):
    if d["trod"] != "page" or d["version"] != 1:
        wrong("this is no page")
    for f in d["functions"]:
        check_function(d, f)
    seen, weight = check_paths(d)
    left = any("not listed" in n or "not shown" in n for n in d["notes"])
    for i, f in enumerate(d["functions"]):
        for b, block in enumerate(f["blocks"]):
            if block[0] is not None and d["paths"]["id"] and not left and block[0] != seen.get((i, b), 0):
                wrong(f"block {b} of {f['name']} ran {block[0]} times, its paths {seen.get((i, b), 0)}")
    for s in d["spans"]:
        for span in s["list"]:
            for item in span["items"]:
                if item[1] is None:
                    continue
                blocks = d["functions"][item[1]]["blocks"]
                if any(not 0 <= b < len(blocks) for b in item[3]):
                    wrong(f"a span of {s['word']} has a block that is not there")
    for t in d["tables"]:
        for row in t["rows"]:
            if len(row) != len(t["columns"]):
                wrong(f"a row of {t['word']} has another length")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        d = data_of(file.read())
    check(d)
    if len(sys.argv) > 2:
        print(eval(sys.argv[2], {"d": d}))
    else:
        print(f"{len(d['functions'])} functions, {len(d['paths']['id'])} paths, {sum(d['paths']['count'])} times")


main()
