"""SAMPLE sections: sampled subpaths, and their text form."""
import struct

from .modules import BLOCKS, firsts
from .sections import SAMPLE, lose
from .text import quoted
from .varints import HIGHEST, Varints

IDENTITIES = (b"rotation", b"sequence", b"xor")
LENGTHS = (b"powers", b"uniform", b"inverse", b"list")
AGEINGS = (b"none", b"halves", b"window")


def places_of(module, live):
    """Where numbers of blocks begin in the file, their first terminal, how many there are."""
    return [
        (module.counters[f] if live else first, first, function[3])
        for f, (function, first) in enumerate(zip(module.functions, firsts(module)))
        if (module.counters[f] is not None or not live) and first + function[3] < HIGHEST
    ]


def terminal_of(places, number):
    for place, first, npath in places:
        if place <= number < place + npath and first + number - place < 2**32:
            return first + number - place
    raise ValueError


class Samples:
    SIZE = 936

    def __init__(self, section, module, live):
        """Raises ValueError where nothing of it can be used."""
        data = section.payload
        if len(data) < self.SIZE or module.mode != BLOCKS:
            raise ValueError
        self.at, self.nbad, self.subpaths = section.at, 0, []
        self.places = places_of(module, live)
        self.read_how(data)
        if live:
            self.read_live(data, section.length)
        else:
            self.read_packed(data[self.SIZE :])
        self.subpaths.sort(key=lambda s: (len(s[2]), s[2], s[1], s[0]))

    def read_how(self, data):
        self.thread, self.nentry, self.nchunk, self.identity, self.lengths = (
            struct.unpack("<5I", data[:20])
        )
        self.shortest, self.longest, nlength = struct.unpack("<3I", data[20:32])
        self.bias = struct.unpack("<d", data[32:40])[0]
        self.list = list(struct.iter_unpack("<If", data[40:296]))
        self.costs, self.ageing, self.period = struct.unpack("<IIQ", data[296:312])
        self.threshold = struct.unpack("<d", data[312:320])[0]
        self.frequency = struct.unpack("<64d", data[320:832])
        self.level, self.begun, self.counted, self.dropped, self.rejected, self.once = (
            struct.unpack("<6Q", data[832:880])
        )
        self.time, self.cost, self.floor, self.budget = struct.unpack(
            "<3QI", data[880:908]
        )
        sound = (
            self.identity < len(IDENTITIES)
            and self.lengths < len(LENGTHS)
            and self.ageing < len(AGEINGS)
            and 2 <= self.shortest <= self.longest <= 1024
            and 2.0**-64 < self.bias < 2.0**64
            and self.budget <= 10**6
            and nlength <= 32
            and all(2.0**-64 <= chance <= 1 for _, chance in self.list[:nlength])
            and self.level < 64
            and self.frequency[self.level] >= 1
        )
        if not sound:
            raise ValueError
        self.list = self.list[:nlength] if self.lengths == 3 else []

    def has_frequency(self, level):
        return level < 64 and 1 <= self.frequency[level]

    def may_be(self, length):
        if not self.shortest <= length <= self.longest:
            return False
        if self.lengths == 0:
            return length & (length - 1) == 0
        return self.lengths < 3 or length in [n for n, _ in self.list]

    def blocks(self, varints, length):
        number, found = 0, []
        for i in range(length):
            code = varints.take()
            if code >> 34:
                raise ValueError
            number = number + (code >> 1 ^ -(code & 1)) if i else code
            found.append(terminal_of(self.places, number))
        return found

    def read_live(self, data, length):
        if self.nentry * 32 + self.nchunk * 16 > length - self.SIZE:
            raise ValueError
        first = self.SIZE + self.nentry * 32
        for i in range(self.nentry):
            entry = data[self.SIZE + 32 * i : self.SIZE + 32 * i + 32]
            if len(entry) < 32:
                break
            state, blocks, nbyte, chunk = struct.unpack("<Q16xHHH2x", entry)
            if not state % 2**40:
                continue
            try:
                level, text = state >> 40 & 255, b""
                if not self.has_frequency(level) or not self.may_be(blocks):
                    raise ValueError
                while len(text) < nbyte:
                    piece = data[first + 16 * chunk : first + 16 * chunk + 16]
                    if not 0 < chunk < self.nchunk or len(piece) < 16:
                        raise ValueError
                    text += piece[:14]
                    chunk = struct.unpack("<H", piece[14:])[0]
                found = self.blocks(Varints(text[:nbyte]), blocks)
                self.subpaths.append((state % 2**40, level, found))
            except ValueError:
                lose(self.at, "a subpath that makes no sense")

    def read_packed(self, data):
        varints = Varints(data)
        for _ in range(self.nentry):
            count, level, length = varints.take(), varints.take(), varints.take()
            if not 0 < count < 2**40 or not self.has_frequency(level):
                raise ValueError
            if not self.may_be(length):
                raise ValueError
            self.subpaths.append((count, level, self.blocks(varints, length)))
        if varints.more():
            raise ValueError

    def show(self):
        out = [b"samples %d %s" % (self.thread, IDENTITIES[self.identity])]
        words = LENGTHS[self.lengths], self.shortest, self.longest, real(self.bias, 17)
        out.append(b"lengths %s %d %d %s" % words)
        out += [b"chance %d %s" % (n, real(chance, 9)) for n, chance in self.list]
        if self.costs:
            out.append(b"costs")
        if self.ageing:
            out.append(b"ageing %s %d" % (AGEINGS[self.ageing], self.period))
        if 0 < self.threshold < float("inf"):
            out.append(b"threshold " + real(self.threshold, 17))
        for i, frequency in enumerate(self.frequency):
            if 1 <= frequency < float("inf"):
                out.append(b"frequency %d %s" % (i, real(frequency, 17)))
        known = (
            (b"level", self.level),
            (b"starts", self.begun),
            (b"counted", self.counted),
            (b"dropped", self.dropped),
            (b"rejected", self.rejected),
            (b"once", self.once),
            (b"time", self.time),
            (b"cost", self.cost),
            (b"floor", self.floor),
            (b"budget", self.budget),
        )
        out += [b"%s %d" % pair for pair in known if pair[1]]
        for count, level, blocks in self.subpaths:
            words = b"".join(b" %d" % block for block in blocks)
            out.append(b"sampled %d %d" % (count, level) + words)
        return out


def real(value, digits):
    return quoted(b"%.*g" % (digits, value))


def read_samples(sections, modules, live):
    """By module number."""
    found = {}
    for section in sections:
        if section.type != SAMPLE:
            continue
        try:
            if section.module not in modules:
                raise ValueError
            samples = Samples(section, modules[section.module], live)
            found.setdefault(section.module, []).append(samples)
        except ValueError:
            lose(section.at, "samples that make no sense")
    return found
