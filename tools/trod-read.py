#!/usr/bin/env python3
"""A second reader of profiles, written from doc/format.md alone.

    tools/trod-read.py FILE

Prints the text form of a profile, live or packed, as `trod show` does, but without
notes on what was lost: what it cannot read it leaves out, and says so on standard error.
It shares no line with trod and is there to disagree with it. Compressed sections need
the program `zstd`.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from trod_read.bursts import read_bursts
from trod_read.counts import add_up, read_bundles
from trod_read.modules import read_modules
from trod_read.runs import find_shared, noted_in, read_runs
from trod_read.samples import read_samples
from trod_read.sections import NOTE, check_chain, read_header, read_sections
from trod_read.show import show
from trod_read.steps import read_steps
from trod_read.text import lines, unescape
from trod_read.varints import HIGHEST


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tools/trod-read.py FILE")
    try:
        with open(sys.argv[1], "rb") as file:
            data = file.read()
    except OSError as error:
        sys.exit(f"trod-read.py: {sys.argv[1]}: {error.strerror}")
    kind, first = read_header(data)
    live = kind == 1
    sections = read_sections(data, kind, first)
    modules = read_modules(sections, live)
    notes = {unescape(l) for s in sections if s.type == NOTE for l in lines(s)}
    if not live:
        check_chain(data, sections)
    shared = find_shared(sections) if live else []
    for section in shared:
        notes.update(noted_in(section, list(notes)))
    runs = read_runs(sections, live, shared)
    read_bundles(sections, modules)
    counts = add_up(sections, modules, live)
    steps = read_steps(sections, modules, live)
    samples = read_samples(sections, modules, live)
    bursts = read_bursts(sections, live)
    nweeded = min(HIGHEST, sum(module.nweeded for module in modules.values()))
    if live and nweeded:
        runs[0][1].append((b"weeded", b"%d" % nweeded))
    sys.stdout.buffer.write(show(runs, modules, counts, steps, samples, bursts, notes))


if __name__ == "__main__":
    main()
