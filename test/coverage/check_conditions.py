"""Compare the conditions that trod report shows with the branch regions of clang's coverage mapping.

    check_conditions.py REPORT.json REGIONS.json

REPORT is of 'trod report --json --conditions', REGIONS of 'llvm-cov export'. A region says where each condition begins
and ends, so the text is known without a parser. Conditions in macros have no region at their location and are only
counted. Prints the differences, and how many conditions were compared; status 1 if any differs, or none was compared.
"""
import json
import os
import re
import sys


def plain(text):
    """The text without comments and blanks, with && and || for C++'s alternative tokens."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    text = re.sub(r"\band\b", "&&", re.sub(r"\bor\b", "||", text))
    return "".join(text.replace("\\\n", "").split())


def stripped(text):
    """The text without parentheses around all of it."""
    while text.startswith("(") and text.endswith(")"):
        depth = 0
        for at, c in enumerate(text):
            depth += (c == "(") - (c == ")")
            if not depth and at + 1 < len(text):
                return text
        text = text[1:-1]
    return text


def text_of(lines, region):
    first, begin, last, end = region
    part = lines[first - 1:last]
    part[-1] = part[-1][:end - 1]
    part[0] = part[0][begin - 1:]
    return "\n".join(part)


def regions_of(exported):
    out = {}
    for unit in exported["data"]:
        for file in unit["files"]:
            lines = open(file["filename"], encoding="latin-1").read().split("\n")
            found = out.setdefault(os.path.basename(file["filename"]), (lines, []))
            found[1].extend(tuple(b[:4]) for b in file["branches"])
    return out


def smallest(regions, line, column):
    """The smallest region that contains a location."""
    at = [r for r in regions if (r[0], r[1]) <= (line, column) < (r[2], r[3])]
    return min(at, key=lambda r: (r[2] - r[0], r[3] - r[1]), default=None)


def is_macro_call(got, want):
    """A region that ends with a macro ends with its name."""
    rest = got[len(want):] if got.startswith(want) else ""
    return rest.startswith("(") and rest.endswith(")") and stripped(rest) != rest


def main():
    report, exported = (json.load(open(name)) for name in sys.argv[1:])
    regions = regions_of(exported)
    wrong, held, macros = {}, set(), set()
    for row in report["report"]["hot"]:
        lines, known = regions.get(os.path.basename(row.get("file", "")), ([], []))
        for d in row.get("decisions", []):
            if d["outcome"] not in "TF" or "column" not in d or "condition" not in d:
                continue
            key = (row["file"], d["line"], d["column"])
            region = smallest(known, d["line"], d["column"])
            if not region:
                macros.add(key)
                continue
            want = stripped(plain(text_of(lines, region)))
            got = stripped(plain(d["condition"]))
            held.add(key)
            # The optimizer may have merged several conditions into a branch, which has the location of the first.
            if want == ":" or want.endswith("," + got):
                continue  # a range-based for; what is before a comma is not the condition
            if got != want and not (re.search(r"&&|\|\|", got) and want in got) and not is_macro_call(got, want):
                wrong[key] = "%s:%d:%d: %s, not %s" % (key + (got, want))
    for text in list(wrong.values())[:20]:
        print(text)
    print("%d conditions held against regions, %d of macros, %d wrong" % (len(held), len(macros), len(wrong)))
    sys.exit(1 if wrong or not held else 0)


main()
