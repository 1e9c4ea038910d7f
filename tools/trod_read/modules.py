"""MODULE sections: the functions of a module, and where their counters are."""
import struct

from .sections import MODULE, lose
from .varints import HIGHEST

MODES = {1: b"source", 2: b"code", 3: b"steps", 4: b"segments", 5: b"blocks", 6: b"burst", 7: b"machine"}
BLOCKS = 5
MODES.update((16 + k, b"iterations%d" % k) for k in range(2, 9))
ALL, CHOSEN, RESIDUAL, UNTESTED, REST, EVENTS = 0, 1, 2, 3, 4, 5
EACH = (ALL, REST)  # a counter for each path
WORDS = {
    ALL: b"",
    CHOSEN: b" chosen",
    RESIDUAL: b" residual",
    UNTESTED: b" untested",
    REST: b" rest",
    EVENTS: b" events",
}


class Module:
    def __init__(self, section, live):
        data = section.payload
        self.nweeded, self.bundles = 0, []
        self.ncounter, nfunction, self.mode, flags, self.hashed, self.nhashed = struct.unpack(
            "<QIHHQQ", data[:32]
        )
        if self.mode not in MODES or flags > 1 or len(data) < 32 + 56 * nfunction:
            raise ValueError
        self.functions, self.counters, self.counted, self.slots = [], [], [], []
        self.stops = []
        ids = 32 + 56 * nfunction
        for f in range(nfunction):
            row = struct.unpack("<6QII", data[32 + 56 * f : 88 + 56 * f])
            self.functions.append(row[:4])
            self.counters.append(row[4])
            nslot, counted = row[5:7]
            if counted not in WORDS or counted in EACH and nslot:
                raise ValueError
            if nslot > (len(data) - ids) // 8:
                raise ValueError
            slots = struct.unpack("<%dQ" % nslot, data[ids : ids + 8 * nslot])
            ids += 8 * nslot
            if any(row[3] <= i < HIGHEST for i in slots):
                lose(section.at, "a slot of no path")
            self.counted.append(counted)
            self.stops.append(row[7] == 1 and counted == 0)
            self.slots.append([i if i < row[3] else None for i in slots])
        self.chosen = [sorted(set(s) - {None}) for s in self.slots]
        texts = data[ids:].split(b"\0")
        self.path = texts[0] if len(texts) > 1 and texts[0] else b"?"
        self.build_id = texts[1].lower() if len(texts) > 2 else b""
        if any(c not in b"0123456789abcdef" for c in self.build_id):
            self.build_id = b""
        if live or self.ncounter:
            self.check_counters()
        else:
            self.counters = [None] * nfunction
            self.nhashed = 0

    def last(self, f):
        """The counter of begun, from the function's first on."""
        return self.functions[f][3] if self.counted[f] in EACH else len(self.slots[f])

    def check_counters(self):
        free = 0
        order = sorted(range(len(self.functions)), key=lambda f: self.counters[f])
        for f in order:
            first, count = self.counters[f], self.last(f) + 1 + self.stops[f]
            if first + count > self.ncounter or first < free:
                lose(0, "counters of a function")
                self.counters[f] = None
            else:
                free = first + count
        end = self.hashed + 3 * self.nhashed
        bad = end > self.ncounter
        for f, first in enumerate(self.counters):
            if first is not None:
                last = self.last(f) + self.stops[f]
                bad = bad or first < end and first + last >= self.hashed
        if self.nhashed and bad:
            lose(0, "the hash table")
            self.nhashed = 0

    def identity(self):
        path = b"" if self.build_id else self.path
        functions = [
            (function, counted, len(chosen), chosen)
            for function, counted, chosen in zip(
                self.functions, self.counted, self.chosen
            )
        ]
        return (self.build_id, path, self.mode, len(functions), functions)


def read_modules(sections, live):
    modules = {}
    for section in sections:
        if section.type != MODULE:
            continue
        try:
            module = Module(section, live)
        except (ValueError, struct.error):
            lose(section.at, "a module")
            continue
        others = list(modules.values())
        if modules and section.module <= max(modules):
            lose(section.at, "the number of a module")
        elif others and others[0].mode != module.mode:
            lose(section.at, "another mode")
        else:
            modules[section.module] = module
    return modules


def firsts(module):
    """The first terminal of each function."""
    first = 0
    for function in module.functions:
        yield first
        first = min(HIGHEST, first + function[3] + 1)
