#!/usr/bin/env python3
"""Compare the decisions and lines that trod reports with clang's coverage of the same run.

    truth.py [--plant] NAME FOLDER COVERAGE.json FLOW.json

FOLDER is where the program was compiled; the other files are the output of `llvm-cov export` and `trod stage flow
--json`. --plant swaps one outcome first, which must be found.

A decision of one condition, which no other branch decides, is compared with the branch regions around its line and
column. A function that is compiled several times has as many regions and as many decisions in one place: their sums are
compared. Regions of macros lie in the macro's definition; those that one use expands to are compared where it stands.

Which lines ran is compared with the segments that cover a line's text, braces, semicolons, comments and `else` apart:
where some of them ran and others did not, either answer is right. (llvm-cov's own count of a line is the largest of
some of them.) A macro that is all of a statement's body has no segment: what it expands to counts. Where several
functions include one text, segments of one may hide those of another: then the regions of each function are asked, and
the line ran if it did in any of them.

The outcomes of a switch are compared with the regions of labels after it that have the same text. Lines that are
unknown because of unfinished paths are not compared. clang assumes that calls return, and that setjmp returns once;
trod has a lower bound for unfinished paths. So in functions with unfinished paths, and in callers of functions that
throw, counts may differ by the number of these paths, and lines after a call that always threw did not run. System
headers are not compared: which of their functions the program contains differs between levels.
"""
import bisect
import collections
import json
import os
import re
import sys


class Coverage:
    def __init__(self, name):
        self.lines = {}  # text of a file
        self.segments = {}  # of a file: [line, column, count, has a count, ...]
        self.branches = {}  # of a file: regions [line, column, line, column, true, false]
        self.expanded = {}  # of a file: (line, whether what it expands to ran)
        self.expansions = {}  # of a file: (source region, branches that it expands to)
        self.regions = collections.defaultdict(list)  # of a file: those of each function that has some
        data = json.load(open(name))["data"][0]
        for function in data["functions"]:
            of = collections.defaultdict(list)
            for r in function["regions"]:
                if r[7] == 0:
                    of[r[5]].append(r)
            for number, regions in of.items():
                self.regions[os.path.realpath(function["filenames"][number])].append(regions)
        for file in data["files"]:
            path = os.path.realpath(file["filename"])
            self.branches[path] = summed(b[:6] for b in file["branches"])
            self.expansions[path] = [(e["source_region"][:4], e["branches"]) for e in file["expansions"]]
            self.expanded[path] = [(e["source_region"][0], {r[4] > 0 for r in e["target_regions"]}) for e in file["expansions"]]
            self.segments[path] = file["segments"]

    def ran(self, path, number, text):
        """Whether the code on a line ran: the set of acceptable answers."""
        segments, answers = self.segments.get(path, []), set()
        other = {1 + i for word in re.finditer(r"\belse\b|//.*|/\*.*?(\*/|$)", text) for i in range(*word.span())}
        for column, letter in enumerate(text, 1):
            if letter.isspace() or letter in "{};" or column in other:
                continue
            at = bisect.bisect_right(segments, [number, column, float("inf")]) - 1
            if at >= 0 and segments[at][3]:
                answers.add(segments[at][2] > 0)
        return answers.union(*(ran for line, ran in self.expanded.get(path, []) if line == number))

    def ran_in_some(self, path, number, text):
        """Whether a function that has the line ran it, by the innermost region at its first character."""
        at = (number, len(text) - len(text.lstrip()) + 1)
        inner = [[r for r in of if tuple(r[:2]) <= at < tuple(r[2:4])] for of in self.regions[path]]
        return any(max(of, key=lambda r: r[:2])[4] for of in inner if of)

    def case(self, path, line, label, total, left):
        """How often a label of a switch was taken, given how often the switch ran, or slightly less; None: there is
        no such region."""
        at = [b for b in self.branches.get(path, []) if b[0] >= line and abs(b[4] + b[5] - total) <= left and self.text(path, b) == label]
        return min(at)[4] if at else None

    def text(self, path, region):
        if path not in self.lines:
            with open(path, errors="replace") as source:
                self.lines[path] = source.read().split("\n")
        if region[0] != region[2]:
            return None
        return self.lines[path][region[0] - 1][region[1] - 1:region[3] - 1].rstrip(": ")

    def outcomes(self, path, line, column):
        """The possible outcomes of a condition that begins there: [true, false] each."""
        at = (line, column)
        own = [b for b in self.branches.get(path, []) if tuple(b[:2]) <= at < tuple(b[2:4])]
        used = [b for s, bs in self.expansions.get(path, []) if tuple(s[:2]) <= at < tuple(s[2:4]) for b in bs]
        return [b[4:6] for b in own + summed(used) + used]


def summed(branches):
    sums = collections.defaultdict(lambda: [0, 0])
    for b in branches:
        sums[tuple(b[:4])][0] += b[4]
        sums[tuple(b[:4])][1] += b[5]
    return [list(k) + v for k, v in sums.items()]


def plain(d):
    """Whether it is all of one condition."""
    return d.get("labels") == ["T", "F"] and d.get("conditions") == 1 and not d.get("partly")


def never_returned(calls, line):
    """Whether the last call before a line always threw, so that nothing after it ran."""
    before = [ways for at, ways in calls if at < line]
    return bool(before) and before[-1][0] == 0 and bool(before[-1][1])


class Compared:
    def __init__(self, name, coverage):
        self.name, self.coverage = name, coverage
        self.right = self.several = self.partly = self.unnamed = self.nowhere = self.unsure = 0
        self.labels = self.no_label = 0
        self.lines = self.mixed = self.unlisted = self.unknown = 0
        self.near = 0  # counts that differ by at most the number of calls that did not return
        self.left = collections.Counter()  # by function: abandoned activations
        self.wrong = []

    def decisions(self, path, decisions):
        places = collections.defaultdict(list)
        for d in decisions:
            if None in d["ways"]:
                self.unsure += 1
            elif "labels" not in d:
                self.unnamed += 1
            elif any(label.startswith("case ") for label in d["labels"]):
                self.cases(path, d)
            elif d["labels"] == ["T", "F"]:
                places[(d["line"], d.get("column", 0))].append(d)
        for (line, column), of in sorted(places.items()):
            want = self.coverage.outcomes(path, line, column)
            got = [sum(d["ways"][k] for d in of) for k in (0, 1)]
            if not all(plain(d) for d in of):
                self.several += any(d["conditions"] > 1 for d in of)
                self.partly += any(d.get("partly", False) for d in of)
            elif not want:
                self.nowhere += 1
            elif got in want or all(d["ways"] in want for d in of):
                self.right += 1
            elif any(self.is_near(of, got, w) for w in want):
                self.near += 1
            else:
                self.wrong.append(f"{os.path.basename(path)}:{line}:{column}: {got}, clang has {want}")

    def is_near(self, of, got, want):
        left = sum(self.left[name] for name in {d.get("function") for d in of})
        return all(abs(a - b) <= left for a, b in zip(got, want))

    def cases(self, path, d):
        for label, way in zip(d["labels"], d["ways"]):
            # Cases that the optimizer merged are counted together.
            wants = [self.coverage.case(path, d["line"], one, sum(d["ways"]), self.left[d.get("function")]) for one in label.split(" or ")]
            want = None if None in wants else sum(wants)
            if want is None:
                self.no_label += 1
            elif want == way:
                self.labels += 1
            elif abs(want - way) <= self.left[d.get("function")]:
                self.near += 1
            else:
                self.wrong.append(f"{os.path.basename(path)}:{d['line']}: {label}: {way}, clang has {want}")

    def ran(self, path, rows, decisions):
        calls = [(d["line"], d["ways"]) for d in decisions if d.get("labels") == ["returns", "throws"]]
        calls.sort(key=lambda call: call[0])
        with open(path, errors="replace") as source:
            text = source.read().split("\n")
        for row in rows:
            line = text[row["line"] - 1] if row["line"] <= len(text) else ""
            want = self.coverage.ran(path, row["line"], line)
            self.unknown += row["count"] is None
            if re.match(r"\s*\}?\s*catch\b", line):
                want = set()  # the head of a handler is in the region around the whole statement
            if not want:
                self.unlisted += 1
            elif len(want) > 1:
                self.mixed += 1
            elif row["count"] is None:
                continue
            elif {row["count"] > 0} == want or (row["count"] and self.coverage.ran_in_some(path, row["line"], line)):
                self.lines += 1
            elif not row["count"] and never_returned(calls, row["line"]):
                self.near += 1
            else:
                self.wrong.append(f"{os.path.basename(path)}:{row['line']}: {row['count']} times, clang says {want}: {line.strip()}")

    def show(self):
        print(f"{self.name}: {self.right} decisions right; not compared: {self.several} of several conditions, {self.partly} decided "
              f"elsewhere too, {self.unnamed} without a label, {self.nowhere} without a region, "
              f"{self.unsure} unknown; {self.near} differ by no more than calls did not return")
        print(f"{self.name}: {self.labels} labels of switches right, {self.no_label} without a region")
        print(f"{self.name}: {self.lines} lines right, {self.mixed} of which clang says both, {self.unlisted} that it does not list; "
              f"{self.unknown} unknown")
        for text in self.wrong:
            print(f"  {text}")
        print(f"{len(self.wrong)} wrong")


def plant(files):
    for file in files:
        for d in file["decisions"]:
            if plain(d) and d["ways"][0] != d["ways"][1] and sum(x.get("line") == d["line"] for x in file["decisions"]) == 1:
                d["ways"].reverse()
                return


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    name, folder, coverage, flow = [a for a in sys.argv[1:] if not a.startswith("--")]
    compared = Compared(name, Coverage(coverage))
    flow = json.load(open(flow))
    files = flow["files"]
    for f in flow["functions"]:
        compared.left[f["function"]] += f["unfinished"] or 0
    for d in (d for file in files for d in file["decisions"] if d.get("labels") == ["returns", "throws"]):
        compared.left[d.get("function")] += d["ways"][1] or 0
    if "--plant" in options:
        plant(files)
    foreign = 0
    for file in files:
        path = os.path.realpath(os.path.join(folder, file["file"]))
        if path.startswith("/usr/"):
            continue
        if path not in compared.coverage.segments:
            foreign += 1
            continue
        compared.decisions(path, file["decisions"])
        compared.ran(path, file["lines"], file["decisions"])
    compared.show()
    if foreign:
        print(f"clang has nothing of {foreign} files", file=sys.stderr)
    sys.exit(bool(compared.wrong) or compared.right == 0)


main()
