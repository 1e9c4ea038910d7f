"""BURST sections: what was recorded in bursts, and its text form."""
import struct

from .sections import BURST, CONTROL, LIVE, REFS, lose
from .varints import HIGHEST

TRIGGERS = (b"count", b"flag", b"always", b"never")
PERIODS = (b"fixed", b"prime", b"jitter", b"geometric")
TYPES = (b"paths", b"methods", b"calls", b"trips", b"streams", b"handler", b"time")
TIME = 6


class Burst:
    # Before paths were timed, ranges were those of six types.
    SIZE, RANGES, OLD_RANGES = 376, 112, 96

    def __init__(self, section, live):
        """Raises ValueError where it cannot be used."""
        data = section.payload
        if live and len(data) < self.SIZE <= section.length:
            lose(section.at, "the end of a burst")
            data = data[: len(data) // 8 * 8].ljust(self.SIZE, b"\0")
        if len(data) < self.SIZE + (0 if live else self.OLD_RANGES):
            raise ValueError
        self.nthread, self.types, self.trigger, self.period = struct.unpack(
            "<4I", data[:16]
        )
        self.words, self.hz, self.budget = struct.unpack("<3I", data[16:28])
        self.sums = list(struct.unpack("<5Q", data[32:72]))
        # burst, sparsity, weight, bursts, events; then the most sparsity and weight
        self.type = [list(row) for row in struct.iter_unpack("<5Q", data[72:352])]
        self.clock = list(struct.unpack("<2Q", data[352:368]))
        self.floor = struct.unpack("<Q", data[368:376])[0]
        self.group = 0 if live else section.thread
        if live:
            self.nthread = 1
            for row in self.type:
                row[0], row[2] = row[0] or 1, row[2] or 1
                row += row[1:3]
        else:
            ranges = data[self.SIZE : self.SIZE + self.RANGES]
            ranges = ranges[: len(ranges) // 16 * 16].ljust(self.RANGES, b"\0")
            for row, most in zip(self.type, struct.iter_unpack("<2Q", ranges)):
                row += most
        for i in range(len(TYPES)):
            if not self.has(i):
                self.type[i] = [0] * 7
        if not self.has(TIME):
            self.clock = [0, 0]
        if live and not self.types:
            return
        sound = (
            self.trigger < len(TRIGGERS)
            and self.period < len(PERIODS)
            and 0 < self.types < 2 ** len(TYPES)
            and self.nthread
            and self.budget <= 10**6
        )
        for i, (on, sparsity, weight, _, _, most, heaviest) in enumerate(self.type):
            if self.has(i):
                sound = sound and on and weight
                sound = sound and sparsity <= most and weight <= heaviest
        if not sound:
            raise ValueError

    def has(self, i):
        return self.types >> i & 1

    def widen(self, most):
        """Rates were changed: these were the greatest sparsity and weight of each type."""
        for i, (sparsity, weight) in enumerate(most[: len(TYPES)]):
            if self.has(i):
                row = self.type[i]
                row[5:7] = max(row[5], sparsity), max(row[6], weight)

    def asked(self):
        """What was asked for: those in which it is the same are one."""
        how = self.trigger, self.period, self.words, self.hz, self.budget, self.types
        return (self.group, *how, *[row[0] for row in self.type])

    def add(self, other):
        self.nthread = min(HIGHEST, self.nthread + other.nthread)
        self.sums = [min(HIGHEST, a + b) for a, b in zip(self.sums, other.sums)]
        self.clock = [min(HIGHEST, a + b) for a, b in zip(self.clock, other.clock)]
        self.floor = min(HIGHEST, self.floor + other.floor)
        for row, more in zip(self.type, other.type):
            row[1:3] = min(row[1], more[1]), min(row[2], more[2])
            row[3:5] = [min(HIGHEST, row[i] + more[i]) for i in (3, 4)]
            row[5:7] = max(row[5], more[5]), max(row[6], more[6])

    def show(self, several):
        words = TRIGGERS[self.trigger], PERIODS[self.period], self.nthread
        line = b"burst %s %s %d" % words
        out = [line + (b" @%d" % self.group if several else b"")]
        known = [(b"words", self.words), (b"hz", self.hz), (b"budget", self.budget)]
        keys = b"time", b"cost", b"seen", b"passed", b"missed"
        known += zip(keys, self.sums)
        known += zip((b"ticks", b"nanoseconds"), self.clock)
        known.append((b"floor", self.floor))
        out += [b"%s %d" % pair for pair in known if pair[1]]
        for i, (on, sparsity, weight, nburst, nevent, most, heaviest) in enumerate(
            self.type
        ):
            if self.has(i):
                row = on, sparsity, most, weight, heaviest, nburst, nevent
                out.append(b"type " + TYPES[i] + b" %d" * 7 % row)
        return out


def greatest(sections, live):
    """What the first sound CONTROL says of earlier rates."""
    found = []
    for section in sections:
        if section.type != CONTROL:
            continue
        if not live or not section.flags & LIVE or len(section.payload) < 664:
            lose(section.at, "a CONTROL that makes no sense")
        elif not found:
            found = list(struct.iter_unpack("<2Q", section.payload[344:600]))
    return found


def read_bursts(sections, live):
    most = greatest(sections, live)
    found = []
    for section in sections:
        if section.type == REFS and not live:
            lose(section.at, "references")
        if section.type != BURST:
            continue
        try:
            burst = Burst(section, live)
        except ValueError:
            lose(section.at, "a burst that makes no sense")
            continue
        if burst.types:
            burst.widen(most)
            found.append(burst)
    return found


def put_together(bursts):
    out = {}
    for burst in bursts:
        if burst.asked() in out:
            out[burst.asked()].add(burst)
        else:
            out[burst.asked()] = burst
    return [out[key] for key in sorted(out)]
