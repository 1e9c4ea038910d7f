"""Compare exports with `trod report --json` of the same profile.

    check_export.py FORMAT EXPORTED REPORT.json EVERYTHING.json

REPORT.json has every path; EVERYTHING.json is the JSON export, which has the lines of blocks. Prints the differences;
status 1 if there are any.
"""
import csv
import json
import os
import re
import sys
from collections import Counter

import pprof_wire

wrong = []


def same(got, want, what):
    if got != want:
        wrong.append("%s: %r, not %r" % (what, got, want))


def blocks_of(trail):
    """The blocks of a path as reports write it: `> 1 3 > 1` begins and ends at cuts; chains are written path by
    path."""
    out = []
    for path in trail.split(" then "):
        words = path.split()
        if words[0] == ">":
            words = words[1:]
        if len(words) > 1 and words[-2] == ">":
            words = words[:-2]
        out += [re.sub("~[0-9]+$", "", w).strip('"') for w in words]
    return out


class Everything:
    def __init__(self, report, everything):
        self.rows = report["hot"]
        self.total = report["total"]
        self.all = everything
        self.name = {f["function"]: f["name"] for f in everything["functions"]}
        for at, row in enumerate(self.rows):
            row["at"] = at

    def function(self, row):
        """That a path is of, or None: several may have one name."""
        number = self.all["paths"][row["at"]].get("function")
        return None if number is None else self.all["functions"][number]

    def places(self, row):
        """Function, block and line of each block on a path; and whether it is the path's own function."""
        out = []
        f = self.function(row)
        by_name = {b["name"]: i for i, b in enumerate(f["blocks"])}
        for block in blocks_of(row["blocks"]):
            node, own, first = by_name[block], f, True
            if "frames" in f:
                frame = [x for x in f["frames"] if x["first"] <= node][-1]
                own, first = self.all["functions"][frame["function"]], "parent" not in frame
                node -= frame["first"]
            b = own["blocks"][node]
            out.append((own["function"], b["name"], (b.get("lines") or [0])[0], first))
        return out

    def keys(self, row):
        """Number of the function, and block, of each block on a path."""
        f = self.function(row)
        number = self.all["paths"][row["at"]]["function"]
        by_name = {b["name"]: i for i, b in enumerate(f["blocks"])}
        out = []
        for block in blocks_of(row["blocks"]):
            node, own = by_name[block], number
            if "frames" in f:
                frame = [x for x in f["frames"] if x["first"] <= node][-1]
                own, node = frame["function"], node - frame["first"]
            out.append((own, node))
        return out

    def reported(self, row):
        f = self.function(row)
        return f["name"] if f else row["function"]


def check_pprof(path, e):
    p = pprof_wire.read(path)
    same(p["types"], [["paths", "count"], ["blocks", "count"]], "sample types")
    same(p["mappings"], [(m["path"], m["build_id"]) for m in e.all["modules"]], "mappings")
    same(len(p["samples"]), len(e.rows), "samples")
    for (frames, values, labels), row in zip(p["samples"], e.rows):
        what = "%s =%d" % (row["function"], row["id"])
        same(labels.get("path", 0), row["id"], what + ", id")
        same(values[0], row["count"], what + ", count")
        if "path" not in row:
            same([f[1] for f in frames], [row["function"]], what + ", of no map")
            continue
        same(values[1], row["weight"], what + ", weight")
        same(labels["way"], row["path"], what + ", way")
        same([(f[1], f[3]) for f in frames], [(f, line) for f, _, line, _ in e.places(row)], what + ", places")
        same(frames[0][0], e.name[e.places(row)[0][0]], what + ", name")
    for remark in e.all["remarks"]:
        if remark not in p["comments"]:
            wrong.append("comments lack '%s'" % remark)


def frame_name(name):
    return "".join("," if c == ";" else c for c in name)


def learn_labels(path, e):
    """What frames are called: each block has one name, no other block of its function has it, and it names a line of
    that."""
    label, block = {}, {}
    lines = open(path, encoding="utf-8").read().splitlines()
    same(len(lines), len(e.rows), "stacks")
    for line, row in zip(lines, e.rows):
        frames = line.rpartition(" ")[0].split(";")[1:]
        if "path" not in row:
            continue
        keys = e.keys(row)
        same(len(frames), len(keys), "frames of " + line)
        for frame, key in zip(frames, keys):
            same(label.setdefault(key, frame), frame, "the name of block %d of %d" % (key[1], key[0]))
            same(block.setdefault((key[0], frame), key[1]), key[1], "the block of " + frame)
            number = re.match(r".*?:([0-9]+)(?: \(.*\))?(?: #.*)?$", frame)
            own = {n for b in e.all["functions"][key[0]]["blocks"] for n in b.get("lines") or []}
            if not (int(number.group(1)) in own if number else re.search(r" block .* \(no line\)", frame)):
                wrong.append("%s names no line of its function: %r" % (frame, sorted(own)))
    return label


def stacks_of(path):
    """The stacks that an export was made from."""
    return path[:-len(".json")] if path.endswith(".txt.json") else os.path.splitext(path)[0] + ".collapsed"


def collapsed_lines(e, path):
    label = learn_labels(stacks_of(path), e)
    out = Counter()
    marks = []
    for path in e.all["paths"]:
        mark = "" if path["counted"] in ("all", "residual") else " [%s paths only]" % path["counted"]
        marks.append(mark + ("" if e.all["exact"] else " [estimated]"))
    for row in e.rows:
        frames = [frame_name(e.reported(row)) + marks[row["at"]]]
        if "path" not in row:
            frames.append("path =%d" % row["id"])
        else:
            frames += [label[key] for key in e.keys(row)]
        out[";".join(frames)] += row["count"]
    return out


def check_collapsed(path, e):
    got = Counter()
    for line in open(path, encoding="utf-8"):
        stack, _, count = line.rstrip("\n").rpartition(" ")
        got[stack] += int(count)
    same(got, collapsed_lines(e, path), "stacks")
    same(sum(got.values()), e.total, "total")


def check_flamegraph(path, e):
    """The picture that flamegraph.pl made: every frame that is wide enough, by name and samples."""
    want = Counter()
    for stack, count in collapsed_lines(e, path).items():
        frames = stack.split(";")
        for depth in range(len(frames)):
            want[tuple(frames[:depth + 1])] += count
    # It writes parentheses for angle brackets.
    want = Counter((frames[-1].translate(str.maketrans("<>", "()")), count) for frames, count in want.items())
    want["all", e.total] += 1
    got = Counter()
    for name, count in re.findall(r"<title>(.*) \(([0-9,]+) samples, [0-9.]+%\)</title>", open(path, encoding="utf-8").read()):
        for mark, char in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
            name = name.replace(mark, char)
        got[name, int(count.replace(",", ""))] += 1
    same(got - want, Counter(), "frames that no path has")
    # flamegraph.pl omits frames narrower than a tenth of a pixel.
    missing = {k: v for k, v in (want - got).items() if k[1] > e.total / 5000}
    same(missing, {}, "frames that are missing")


def check_csv(path, e):
    rows = list(csv.DictReader(open(path, newline="", encoding="utf-8"), strict=True))
    data = open(path, "rb").read()
    same(data.count(b"\r\n"), data.count(b"\n"), "ends of lines")
    same(len(rows), len(e.rows), "rows")
    for got, row in zip(rows, e.rows):
        same((got["function"], int(got["id"]), int(got["count"])), (row["function"], row["id"], row["count"]), "row")
        same(None in got or None in got.values(), False, "a row with more or fewer columns than the first")
        if "path" in row:
            same((got["path"], got["blocks"]), (row["path"], row["blocks"]), "row")
            same(int(got["weight"]), row["weight"], "weight")
            same(got["name"], e.reported(row), "name")
        same(abs(float(got["share"]) - row["share"]) < 1e-5, True, "share")


def check_json(path, e):
    """Compare with the report; and check that counts of blocks and edges are the sums over its own paths."""
    e.all = json.load(open(path, encoding="utf-8"))
    same(e.all["total"], e.total, "total")
    same(len(e.all["paths"]), len(e.rows), "paths")
    blocks, edges = Counter(), Counter()
    for path, row in zip(e.all["paths"], e.rows):
        same((path["name"], path["id"], path["count"]), (row["function"], row["id"], row["count"]), "path")
        if "path" not in row:
            continue
        same((path["path"], path["trail"], path["weight"]), (row["path"], row["blocks"], row["weight"]), "path")
        function = e.all["functions"][path["function"]]
        names = [function["blocks"][b]["name"] for step in path["chain"] for b in step["blocks"]]
        same(names, blocks_of(row["blocks"]), "blocks of %s =%d" % (path["name"], path["id"]))
        last = path["chain"][-1]
        for b in last["blocks"]:
            blocks[path["function"], b] += path["count"]
        for edge in last["edges"]:
            edges[path["function"], edge] += path["count"]
        for a, b, edge in zip(last["blocks"], last["blocks"][1:], last["edges"]):
            same((function["edges"][edge]["source"], function["edges"][edge]["target"]), (a, b), "an edge on a path")
    for i, function in enumerate(e.all["functions"]):
        for b, block in enumerate(function["blocks"]):
            same(block["count"], blocks[i, b], "block %d of %s" % (b, function["function"]))
        for n, edge in enumerate(function["edges"]):
            same(edge["count"], edges[i, n], "edge %d of %s" % (n, function["function"]))


def check_callgrind(path, e):
    """The output of callgrind_annotate (--auto=yes --threshold=100, all events): totals, functions and lines."""
    text = open(path, encoding="utf-8").read().replace(",", "")
    cost = r"^ *([0-9.]+) (?:\([ 0-9.]+%\))? *([0-9.]+) (?:\([ 0-9.]+%\))? *([0-9.]+) (?:\([ 0-9.]+%\))? *"
    number = lambda x: 0 if x == "." else int(x)
    weight, count = Counter(), Counter()
    for row in e.rows:
        if "path" in row:
            own = len([1 for place in e.places(row) if place[3]])
            chain = len(e.all["paths"][row["at"]]["chain"]) > 1
            weight[e.reported(row)] += row["weight"] if chain else own * row["count"]
            count[e.reported(row)] += row["count"]
    totals = re.search(cost + "PROGRAM TOTALS", text, re.M)
    same([number(totals[2]), number(totals[3])], [sum(weight.values()), sum(count.values())], "totals")
    part = text[totals.end():]
    got = {}
    want = {}
    for m in re.finditer(cost + r"(\S[^:\n]*):(.*?)(?: \[.*\])?$", part[:part.find("-- Auto-annotated")], re.M):
        before = got.get(m[5], (0, 0))
        got[m[5]] = (before[0] + number(m[2]), before[1] + number(m[3]))
    for f in weight:
        want[f.replace(",", "")] = (weight[f], count[f])
    same(got, want, "functions")
    lines = Counter()
    for source in e.all["sources"]:
        for line in source["lines"]:
            lines[source["name"]] += line["count"]
    same(number(totals[1]), sum(lines.values()), "lines begun")


def check_annotated(path, e):
    """Compare every source line that callgrind_annotate prints with the counts of lines."""
    source = e.all["sources"][0]
    text = open(path, encoding="utf-8").read().replace(",", "")
    text = text.split("-- Auto-annotated source: %s\n" % source["name"])[1].split("-- Auto-annotated source")[0]
    want = {line["line"]: line["count"] for line in source["lines"]}
    listing = open(source["name"], encoding="utf-8").read().replace(",", "").split("\n")
    seen = 0
    for m in re.finditer(r"^ *([0-9]+) (?:\([ 0-9.]+%\))? *(?:[0-9.]+) *(?:\([ 0-9.]+%\))? *(?:[0-9.]+) *(?:\([ 0-9.]+%\))?  (.*)$", text, re.M):
        at = [i + 1 for i, line in enumerate(listing) if line and line == m[2]]
        if len(at) == 1:
            same(int(m[1]), want.get(at[0], 0), "line %d" % at[0])
            seen += 1
    same(seen >= 5, True, "at least five lines were seen")


def check_raw(path, e):
    """The output of `pprof -raw`: every sample, with labels and locations."""
    samples, at = [], {}
    part = None
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line in ("Samples:", "Locations", "Mappings"):
            part = line
        elif part == "Samples:" and re.match(r" *[0-9]+ +[0-9]+: ", line):
            values, _, ids = line.partition(":")
            samples.append([[int(v) for v in values.split()], [int(i) for i in ids.split()][::-1], {}])
        elif part == "Samples:" and "[" in line and samples:
            for key, value in re.findall(r"(\w+):\[(.*?)\](?= |$)", line):
                samples[-1][2][key] = value
        elif part == "Locations":
            m = re.match(r" *([0-9]+): 0x[0-9a-f]+ (?:M=[0-9]+ )?(\S+) (.*):([0-9]+) s=", line)
            at[int(m[1])] = (m[2], int(m[4]))
    same(len(samples), len(e.rows), "samples")
    for (values, ids, labels), row in zip(samples, e.rows):
        what = "%s =%d" % (row["function"], row["id"])
        same(values, [row["count"], row["weight"]], what)
        same([at[i] for i in ids], [(e.name[f], line) for f, _, line, _ in e.places(row)], what)
        same(labels.get("way"), row["path"], what)
        same(labels.get("path", "0 id"), "%d id" % row["id"], what)


def check_top(path, e):
    """What `pprof -top -nodecount=100000 -nodefraction=0` printed: flat of functions are their counts."""
    got, want = {}, Counter()
    for m in re.finditer(r"^ *([0-9]+) +[0-9.]+% +[0-9.]+% +([0-9]+) +[0-9.]+%  (.*)$", open(path, encoding="utf-8").read(), re.M):
        got[m[3]] = int(m[1])
    for row in e.rows:
        want[e.reported(row)] += row["count"]
    same(got, dict(want), "functions")


def check_list(path, e):
    """What `pprof -list` printed of a function: cum of a line are paths that went through it, flat those that ended
    there."""
    text = open(path, encoding="utf-8").read()
    name = re.search(r"^ROUTINE =+ (\S+) in", text, re.M)[1]
    flat, cum = Counter(), Counter()
    for row in e.rows:
        if row["function"] == name:
            lines = [place[2] for place in e.places(row)]
            flat[lines[-1]] += row["count"]
            for line in set(lines):
                cum[line] += row["count"]
    seen = {}
    for m in re.finditer(r"^ *([0-9]+|\.) +([0-9]+|\.) +([0-9]+):", text, re.M):
        seen[int(m[3])] = tuple(0 if x == "." else int(x) for x in (m[1], m[2]))
    same({line: seen[line] for line in seen if any(seen[line])},
         {line: (flat[line], cum[line]) for line in cum if line}, "lines of " + name)


def check_speedscope(path, e):
    """The stacks as speedscope imported them: frames opened and closed, and the weight between."""
    d = json.load(open(path, encoding="utf-8"))
    profile = d["profiles"][0]
    names = [f["name"] for f in d["shared"]["frames"]]
    got, stack, before = Counter(), [], 0
    for event in profile["events"]:
        if stack:
            got[";".join(stack)] += event["at"] - before
        before = event["at"]
        if event["type"] == "O":
            stack.append(names[event["frame"]])
        else:
            same(stack.pop(), names[event["frame"]], "a frame that is left")
    same(profile["endValue"] - profile["startValue"], e.total, "total")
    got = Counter({k: v for k, v in got.items() if v})
    if os.path.exists(stacks_of(path)):
        same(got, collapsed_lines(e, path), "stacks")
    want = Counter()
    for row in e.rows:
        want[e.reported(row)] += row["count"]
    roots = Counter()
    for k, v in got.items():
        roots[k.split(";")[0]] += v
    same(roots, want, "functions")


def main():
    form, exported, report, everything = sys.argv[1:]
    e = Everything(json.load(open(report))["report"], json.load(open(everything)))
    globals()["check_" + form](exported, e)
    for line in wrong[:20]:
        print(line)
    sys.exit(1 if wrong else 0)


main()
