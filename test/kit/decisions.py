#!/usr/bin/env python3
"""Compare the decisions of random programs with the branch regions of clang's coverage mapping: outcome and count of
every condition and every case, at every level of optimisation.

    decisions.py TROD FOLDER SEED...
    decisions.py --plant TROD FOLDER SEED...       with a planted fault, one outcome swapped: it must be found
    decisions.py --of=FILE TROD FOLDER             the program in FILE, whose cases are not compared

Conditions that are only partly decided at a branch, and several conditions that were merged into one, have no region.
Of the latter, a whole statement is true as often as its block ran. They are counted, and must be few.
"""
import json
import os
import random
import subprocess
import sys

HEAD = """#include <stdbool.h>
#include <stdio.h>
enum { ONE = 1, TWO };
#define BOTH(x, y) ((x) && !(y))
static int id(int x) { return x; }
static int p[8] = {0, 1, 2, 0, 1, 0, 3, 0};"""
NAMES = ["a", "b", "c", "d"]
LABELS = ["case 0", "case 1", "case TWO", "case 3 ... 5", "case 'a'"]


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.out = HEAD.split("\n")

    def leaf(self):
        v, w, n = self.r.choice(NAMES), self.r.choice(NAMES), self.r.randrange(4)
        return self.r.choice([v, f"{v} == {n}", f"{v} < {w}", f"{v} != {n}", f"id({v})", f"{v} & {1 << n}",
                              f"p[{v} & 7]", "fl", f"x > {n}.5"])

    def condition(self, depth):
        k = self.r.randrange(10)
        if not depth or k < 3:
            return self.leaf()
        if k < 9:
            return f"{self.side(depth - 1)} {'&&' if k < 6 else '||'} {self.side(depth - 1)}"
        return f"BOTH({self.leaf()}, {self.leaf()})"

    def side(self, depth):
        text, k = self.condition(depth), self.r.randrange(5)
        return f"!({text})" if k == 0 else f"!!({text})" if k == 1 and self.r.random() < 0.2 else f"({text})"

    def put(self, deep, text):
        self.out.append("  " * deep + text)

    def block(self, n, deep):
        for _ in range(self.r.randrange(1, 3)):
            self.statement(n, deep)

    def body(self, head, n, deep, tail="}"):
        self.put(deep, head + " {")
        self.block(n, deep + 1)
        self.put(deep, tail)

    def statement(self, n, deep):
        k, i = self.r.randrange(9), f"i{len(self.out)}"
        if not n or k == 0:
            self.put(deep, self.r.choice([f"r += {self.r.choice(NAMES)};", "r = id(r) + 1;", f"{self.r.choice(NAMES)}++;",
                                          f"r += {self.side(1)} ? 3 : id(5);", f"r += {self.side(2)};"]))
        elif k < 5:
            text = self.condition(3)
            self.body(f"if ({'!(' + text + ')' if self.r.random() < 0.25 else text})", n - 1, deep)
        elif k == 5:
            self.body(f"for (int {i} = 0; {i} < 3 && {self.side(1)}; {i}++)", n - 1, deep)
        elif k == 6:
            self.body(f"for (int {i} = 3; {i}-- > 0 && {self.side(2)};)", n - 1, deep)
        elif k == 7:
            self.put(deep, "{")
            self.put(deep, f"int {i} = 3;")
            self.body("do", n - 1, deep, "} while (--" + i + f" > 0 && !({self.condition(2)}));")
            self.put(deep, "}")
        else:
            self.put(deep, f"switch ({self.r.choice(NAMES)}) {{")
            for label in self.r.sample(LABELS, 3):
                self.body(label + ":", n - 1, deep)
                if self.r.random() < 0.7:
                    self.put(deep, "  break;")
            if self.r.random() < 0.6:
                self.put(deep, "default:")
                self.put(deep, "  r++;")
            self.put(deep, "}")

    def text(self):
        for f in range(3):
            self.put(0, f"int f{f}(int a, int b, int c, int d, bool fl, double x) {{")
            self.put(1, "int r = 0;")
            for _ in range(3):
                self.statement(3, 1)
            self.put(1, "return r;")
            self.put(0, "}")
        self.out += ["int main(void) {", "  long s = 0;", "  unsigned q = 12345;", "  for (int i = 0; i < 300; i++) {",
                     "    q = q * 1103515245 + 12345;"]
        self.out += [f"    s += f{f}(q >> 3 & 3, q >> 7 & 3, q >> 11 & 7, q >> 15 & 1, q >> 17 & 1, (q >> 20 & 7) / 2.0);"
                     for f in range(3)]
        return "\n".join(self.out + ["  }", '  printf("%ld\\n", s);', "  return 0;", "}", ""])


def run(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **more).stdout


def regions(folder, name):
    run("clang-19", "-w", "-fprofile-instr-generate", "-fcoverage-mapping", "-o", "cov", name, cwd=folder)
    run("./cov", cwd=folder, env=dict(os.environ, LLVM_PROFILE_FILE="cov.profraw"))
    run("llvm-profdata-19", "merge", "cov.profraw", "-o", "cov.profdata", cwd=folder)
    data = json.loads(run("llvm-cov-19", "export", "cov", "-instr-profile", "cov.profdata", cwd=folder))["data"][0]
    file = next(f for f in data["files"] if f["filename"].endswith(name))
    bodies = {(s[0], s[1]): s[2] for s in file["segments"] if s[3] and s[4]}
    return file["branches"], bodies


def decisions(trod, folder, name, level):
    run(trod, "cc", "-w", "-g", level, "-o", "app", name, cwd=folder)
    if os.path.exists(folder + "/app.trod"):
        os.unlink(folder + "/app.trod")
    run("./app", cwd=folder, env=dict(os.environ, TROD_OUT="app.trod"))
    flow = json.loads(run(trod, "stage", "flow", "--json", "app.trod", cwd=folder))
    return next((f["decisions"] for f in flow["files"] if f["file"].endswith(name)), [])


class Compared:
    def __init__(self, lines, branches, bodies):
        self.lines, self.branches, self.bodies = lines, branches, bodies
        self.wrong, self.right, self.other = [], 0, 0

    def note(self, d, ok, want):
        self.right += ok
        if not ok:
            self.wrong.append(f"line {d['line']}: {dict(zip(d['labels'], d['ways']))}, clang has {want}: {self.lines[d['line'] - 1].strip()}")

    def case(self, d):
        head = self.lines[d["line"] - 1]
        indent = head[: len(head) - len(head.lstrip())]
        for label in {x for x in d["labels"] if x.startswith("case")}:
            at = self.lines.index(f"{indent}{label}: {{", d["line"]) + 1
            want = [b[4] for b in self.branches if b[0] == at and b[1] == len(indent) + 1]
            got = sum(n for n, x in zip(d["ways"], d["labels"]) if x == label)
            self.note(d, [got] == want, want)

    def whole(self, d):
        line = self.lines[d["line"] - 1]
        of_line = [b for b in self.branches if b[0] == d["line"]]
        body = self.bodies.get((d["line"], len(line)))
        if body is None or len(of_line) != d["conditions"] or "BOTH" in line:
            self.other += 1
        else:
            self.note(d, d["ways"][0] == body, body)

    def condition(self, d):
        at = (d["line"], d["column"])
        around = [b for b in self.branches if (b[0], b[1]) <= at < (b[2], b[3])]
        if around:
            self.note(d, any(b[4:6] == d["ways"] for b in around), [b[4:6] for b in around])
        else:
            self.other += 1

    def compare(self, d, cases):
        if "labels" not in d or d.get("partly"):
            self.other += 1
        elif d["labels"] != ["T", "F"]:
            if cases:
                self.case(d)
        elif d["conditions"] > 1:
            self.whole(d)
        else:
            self.condition(d)


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    trod, folder, *seeds = [a for a in sys.argv[1:] if not a.startswith("--")]
    own = [o[5:] for o in options if o.startswith("--of=")]
    failed = False
    for seed in own or seeds:
        text = open(seed).read() if own else Program(int(seed)).text()
        with open(folder + "/random.c", "w") as out:
            out.write(text)
        branches, bodies = regions(folder, "random.c")
        for level in ["-O0", "-O1", "-O2", "-O3"]:
            c = Compared(text.split("\n"), branches, bodies)
            all_of_it = decisions(trod, folder, "random.c", level)
            if "--plant" in options:
                simple = [d for d in all_of_it if d.get("conditions") == 1 and not d.get("partly") and d["ways"][0] != d["ways"][1]]
                simple[len(simple) // 2]["ways"].reverse()
            for d in all_of_it:
                c.compare(d, not own)
            print(f"# {seed} {level}: {c.right} right, {len(c.wrong)} wrong, {c.other} not compared")
            for text_of in c.wrong:
                print(f"#   {seed} {level}: {text_of}")
            # Where branches were merged, up to twice as many may not be compared as are.
            failed |= bool(c.wrong) or c.right * (1 if level == "-O0" else 2) <= c.other
    sys.exit(failed)


main()
