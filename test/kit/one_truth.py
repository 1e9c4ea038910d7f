#!/usr/bin/env python3
"""Compare the outputs of trod for one profile, in all forms, with each other.

    one_truth.py FOLDER [--plant=FORM]

FOLDER has page.json, annotate.json, flow.json, lcov.info, gcov.json, cobertura.xml, export.json, coverage.json and,
where clang's counters were built in, llvm.json ('llvm-cov export'). Counts of lines, blocks, functions and decisions
must be the same in all of them. Prints how much was compared; each difference is a line on standard error, and the
status is 1. --plant changes one count of a form first: the difference must be found.
"""
import json
import os
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict


class Form:
    """The counts of one form: lines[path][line], ran[path][line], functions[path][name], decisions[path][line],
    blocks[name, file]; covered[name]: how many blocks of functions of that name ran; branches[path][line]: the sum
    of all outcomes of decisions there."""

    def __init__(self, name):
        self.name = name
        self.lines = defaultdict(dict)
        self.ran = defaultdict(dict)
        self.functions = defaultdict(lambda: defaultdict(int))
        self.decisions = defaultdict(lambda: defaultdict(int))
        self.blocks = defaultdict(list)
        self.covered = {}
        self.branches = defaultdict(lambda: defaultdict(int))


def load(folder, name):
    with open(os.path.join(folder, name)) as text:
        return json.load(text)


def read_page(folder):
    d, form = load(folder, "page.json"), Form("page")
    paths = [f.get("path", f["name"]) for f in d["files"]]
    for path, file in zip(paths, d["files"]):
        form.lines[path] = dict(zip(file["rows"]["line"], file["rows"]["count"]))
    for f in d["functions"]:
        path = paths[f["file"]]
        form.functions[path][f["link"]] += f["entered"]
        unknown = set(f.get("unknown", []))
        form.blocks[f["link"], path].append([None if i in unknown else b[0] for i, b in enumerate(f["blocks"])])
        edges = defaultdict(list)
        for e in f["edges"]:
            edges[e[0]].append(e[2])
        for block, line, *ways in f.get("decisions", []):
            if line and ways[0] != "-":
                form.decisions[path][line] += sum(edges[block])
    return form


def read_annotate(folder):
    form = Form("annotate")
    for file in load(folder, "annotate.json")["files"]:
        for row in file["lines"]:
            form.lines[file["path"]][row["line"]] = row["count"]
            form.branches[file["path"]][row["line"]] = sum(way or 0 for ways in row["decisions"] for way in ways)
        for f in file["functions"]:
            if not f.get("included"):
                form.functions[file["path"]][f["function"]] += f["entered"]
    return form


def read_flow(folder):
    d, form = load(folder, "flow.json"), Form("flow")
    paths = {}
    for file in d["files"]:
        paths[file["file"]] = file["path"]
        form.lines[file["path"]] = {row["line"]: row["count"] for row in file["lines"]}
        for row in file["lines"]:
            form.branches[file["path"]][row["line"]] = 0
        for one in file["decisions"]:
            if one.get("line") in form.branches[file["path"]]:
                form.branches[file["path"]][one["line"]] += sum(way or 0 for way in one["ways"])
            if one.get("line") and "labels" in one:
                form.decisions[file["path"]][one["line"]] += sum(way or 0 for way in one["ways"])
    for f in d["functions"]:
        path = paths[f["file"]]
        form.functions[path][f["function"]] += f["entered"]
        form.blocks[f["function"], path].append([b["count"] for b in f["blocks"]])
    return form


def read_lcov(folder):
    form, path = Form("lcov"), None
    with open(os.path.join(folder, "lcov.info")) as text:
        for record in text:
            kind, _, rest = record.rstrip("\n").partition(":")
            if kind == "SF":
                path = rest
            elif kind == "DA":
                line, count = rest.split(",")[:2]
                form.lines[path][int(line)] = int(count)
                form.branches[path][int(line)] += 0
            elif kind == "BRDA":
                line, _, _, count = rest.split(",")
                form.branches[path][int(line)] += 0 if count == "-" else int(count)
            elif kind == "FNDA":
                count, name = rest.split(",", 1)
                form.functions[path][name] += int(count)
    return form


def read_gcov(folder):
    form = Form("gcov")
    for file in load(folder, "gcov.json")["files"]:
        for row in file["lines"]:
            form.lines[file["file"]][row["line_number"]] = row["count"]
            form.branches[file["file"]][row["line_number"]] = sum(one["count"] for one in row["branches"])
        for f in file["functions"]:
            form.functions[file["file"]][f["name"]] += f["execution_count"]
    return form


def read_cobertura(folder):
    root, form = ET.parse(os.path.join(folder, "cobertura.xml")).getroot(), Form("cobertura")
    sources = [s.text for s in root.iter("source")]
    for one in root.iter("class"):
        name = one.get("filename")
        path = name if os.path.isabs(name) else os.path.normpath(os.path.join(sources[0], name))
        for row in one.find("lines").iter("line"):
            form.lines[path][int(row.get("number"))] = int(row.get("hits"))
    return form


def read_export(folder):
    """The JSON export: blocks, and how often functions were entered."""
    form = Form("export json")
    for f in load(folder, "export.json")["functions"]:
        form.functions[None][f["function"]] += f["entered"]
        form.blocks[f["function"], None].append([b["count"] for b in f["blocks"]])
    return form


def lines_of_segments(segments):
    """Which lines ran, by the rule of llvm-cov show: the region around the line's beginning, or one that begins on
    it."""
    ran, around, at = {}, None, 1
    begins = defaultdict(list)
    for line, _, count, counted, entry, gap, *_ in segments:
        for one in range(at, line + 1):
            if around is not None:
                ran.setdefault(one, around > 0)
        at, around = line + 1, count if counted else None
        if counted and entry and not gap:
            begins[line].append(count)
    for line, counts in begins.items():
        ran[line] = ran.get(line, False) or max(counts) > 0
    return ran


def read_coverage(folder):
    form, names = Form("coverage"), defaultdict(list)
    for f in load(folder, "coverage.json")["coverage"]["functions"]:
        names[f["function"]].append(f["blocks"]["ran"])
    form.covered = {name: sorted(ran) for name, ran in names.items()}
    return form


def read_llvm(folder):
    """llvm-cov counts regions of the syntax tree: which lines ran, and how often functions did."""
    form, data = Form("llvm"), load(folder, "llvm.json")["data"][0]
    for f in data["functions"]:
        form.functions[None][f["name"].split(":")[-1]] += f["count"]
    for file in data["files"]:
        form.ran[file["filename"]] = lines_of_segments(file["segments"])
    return form


READERS = {"page": read_page, "annotate": read_annotate, "flow": read_flow, "lcov": read_lcov, "gcov": read_gcov,
           "cobertura": read_cobertura, "export": read_export, "coverage": read_coverage, "llvm": read_llvm}


def plant(form):
    """A planted fault: change exactly one count."""
    for counts in form.lines.values():
        for line in counts:
            counts[line] = (counts[line] or 0) + 1
            return
    for counts in form.functions.values():
        for name in counts:
            counts[name] += 1
            return
    for name in form.covered:
        form.covered[name] = [ran + 1 for ran in form.covered[name]]


class Comparison:
    def __init__(self):
        self.compared = defaultdict(int)
        self.wrong = []

    def counts(self, what, base, other, where):
        """Each may lack some: those that both have must be equal."""
        for key in base.keys() & other.keys():
            self.compared[what] += 1
            if base[key] != other[key]:
                self.wrong.append(f"{where}: {what} {key}: {base[key]} and {other[key]}")

    def forms(self, a, b):
        where = f"{a.name} and {b.name}"
        if b.covered and a.blocks:
            self.counts(f"blocks that ran, {where}", covered(a), b.covered, "all files")
        for path in a.lines.keys() & b.lines.keys():
            self.counts(f"lines, {where}", a.lines[path], b.lines[path], path)
            if {"page", "annotate"} & {a.name, b.name} == set() and known(a.lines[path]) != known(b.lines[path]):
                self.wrong.append(f"{path}: {where} do not have the same lines")
        for path in b.ran.keys() & a.lines.keys():
            ran = {line: a.lines[path][line] > 0 for line in known(a.lines[path])}
            self.counts(f"lines that ran, {where}", ran, b.ran[path], path)
        for path in a.branches.keys() & b.branches.keys():
            self.counts(f"branches, {where}", a.branches[path], b.branches[path], path)
        for path in a.decisions.keys() & b.decisions.keys():
            self.counts(f"decisions, {where}", a.decisions[path], b.decisions[path], path)
        if None in a.functions or None in b.functions:
            self.counts(f"functions, {where}", total(a), total(b), "all files")
            if a.blocks and b.blocks:
                self.counts(f"blocks, {where}", blocks(a), blocks(b), "all files")
            return
        for path in a.functions.keys() & b.functions.keys():
            self.counts(f"functions, {where}", a.functions[path], b.functions[path], path)
        if a.blocks and b.blocks:
            self.counts(f"blocks, {where}", blocks(a), blocks(b), "all files")


def total(form):
    out = defaultdict(int)
    for names in form.functions.values():
        for name, count in names.items():
            out[name] += count
    return out


def covered(form):
    """The number of blocks that ran, of functions that ran."""
    out = defaultdict(list)
    for (name, _), lists in form.blocks.items():
        out[name].extend(sum(1 for count in one if count) for one in lists)
    return {name: sorted(ran) for name, ran in out.items()}


def blocks(form):
    """Functions that did not run have no counts in some forms, and are ignored."""
    out = {}
    for (name, _), lists in form.blocks.items():
        ran = sorted((one for one in lists if any(one)), key=repr)
        if ran:
            out.setdefault(name, []).extend(ran)
    return {name: sorted(lists, key=repr) for name, lists in out.items()}


def known(lines):
    """Formats that have only counts lack the lines that may or may not have run."""
    return {line for line, count in lines.items() if count is not None}


def main(folder, *words):
    planted = [word.split("=", 1)[1] for word in words if word.startswith("--plant=")]
    forms = [read(folder) for name, read in READERS.items() if name != "llvm" or os.path.exists(os.path.join(folder, "llvm.json"))]
    for form in forms:
        if planted and form.name.split()[0] == planted[0]:
            plant(form)
    comparison = Comparison()
    for i, a in enumerate(forms):
        for b in forms[i + 1:]:
            comparison.forms(a, b)
    for text in comparison.wrong[:20]:
        print(text, file=sys.stderr)
    kinds = defaultdict(int)
    for what, n in comparison.compared.items():
        kinds[what.split(",")[0]] += n
    print(", ".join(f"{n} {what}" for what, n in sorted(kinds.items())), f"compared, {len(comparison.wrong)} differ")
    missing = [a.name for a in forms if not any(f"{a.name} and" in what or f"and {a.name}" in what for what in comparison.compared)]
    if missing:
        print("nothing was compared of: " + ", ".join(missing), file=sys.stderr)
    return 1 if comparison.wrong or missing else 0


sys.exit(main(*sys.argv[1:]))
