#!/usr/bin/env python3
"""A second reader of profiles, written from doc/format.md alone.

    tools/trod-read.py FILE

Prints the text form of a profile, live or packed, as `trod show` does, but without
notes on what was lost: what it cannot read it leaves out, and says so on standard error.
It shares no line with trod and is there to disagree with it. Compressed sections need
the program `zstd`.
"""
import binascii
import bisect
import re
import struct
import subprocess
import sys

PAGE = 4096
RUN, MODULE, COUNTS, END, PATHS, NOTE, STEPS, PART, SAMPLE = 1, 2, 3, 4, 5, 6, 7, 8, 9
BURST, REFS, SHARED, BUNDLES = 10, 11, 12, 13
ZSTD, LIVE = 1, 2
MODES = {1: b"source", 2: b"code", 3: b"steps", 4: b"segments", 5: b"blocks", 6: b"burst", 7: b"machine"}
BLOCKS = 5
IDENTITIES = (b"rotation", b"sequence", b"xor")
LENGTHS = (b"powers", b"uniform", b"inverse", b"list")
AGEINGS = (b"none", b"halves", b"window")
TRIGGERS = (b"count", b"flag", b"always", b"never")
PERIODS = (b"fixed", b"prime", b"jitter", b"geometric")
TYPES = (b"paths", b"methods", b"calls", b"trips", b"streams", b"handler")
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
HIGHEST = 2**64 - 1
STOPPED = b"stopped counts with a '+' reached 2^64-1; the paths ran that often or more"


def lose(at, why):
    print("at %d: %s" % (at, why), file=sys.stderr)


# --- sections -----------------------------------------------------------------------


class Section:
    def __init__(self, data, at, live):
        """Raises ValueError unless there is a sound head."""
        head = data[at : at + 64]
        if len(head) < 64 or head[:4] != b"TORD":
            raise ValueError
        if binascii.crc32(head[:60]) != struct.unpack("<I", head[60:])[0]:
            raise ValueError
        self.at = at
        self.type, self.size, self.length, self.flags, self.module, self.thread = (
            struct.unpack("<IQQIII", head[4:36])
        )
        self.checksum = struct.unpack("<I", head[56:60])[0]
        if self.size < 64 or self.length > self.size - 64:
            raise ValueError
        if live and self.size % PAGE:
            raise ValueError
        self.payload = data[at + 64 : min(at + self.size, at + 64 + self.length)]

    def fault(self):
        grows = self.type in (COUNTS, STEPS, SAMPLE, BURST, REFS, SHARED)
        if self.type not in range(RUN, BUNDLES + 1):
            return "unknown type"
        if self.flags & ~(ZSTD | LIVE):
            return "unknown flag"
        if self.flags & LIVE and (self.flags & ZSTD or not grows):
            return "a flag that does not belong here"
        whole = len(self.payload) == self.length
        if not whole and (not grows or self.flags & ZSTD):
            return "cut off"
        if whole and not self.flags & LIVE:
            if binascii.crc32(self.payload) != self.checksum:
                return "wrong checksum"
        return None

    def unpack(self):
        if self.flags & ZSTD:
            done = subprocess.run(
                ["zstd", "-dcq"], input=self.payload, stdout=subprocess.PIPE, check=False
            )
            if done.returncode:
                return False
            self.payload = done.stdout
        return True


def read_header(data):
    """Kind and offset of the first section; exits on what is foreign."""
    header = data[:64]
    ours = header[:8] == b"\x89TROD\r\n\x1a"
    kind = struct.unpack("<I", header[12:16])[0] if len(header) == 64 else 0
    if (
        ours
        and len(header) == 64
        and binascii.crc32(header[:60]) == struct.unpack("<I", header[60:])[0]
    ):
        version, first = struct.unpack("<I", header[8:12])[0], 0
        if version not in (5, 6) or kind not in (1, 2):
            sys.exit("version or kind unknown")
        first = struct.unpack("<Q", header[16:24])[0]
        if kind == 1 and first and first % PAGE == 0 or kind == 2 and first == 64:
            return kind, first
        lose(0, "the first section is nowhere")
        return kind, 64
    for first in (64, 4096, 8192, 16384, 32768, 65536):
        try:
            Section(data, first, first != 64)
        except ValueError:
            continue
        lose(0, "header damaged")
        return (2 if first == 64 else 1), first
    if not ours:
        sys.exit("no profile")
    lose(0, "header damaged")
    return (2 if kind == 2 else 1), 64


def read_sections(data, kind, at):
    live = kind == 1
    step = PAGE if live else 1
    sections = []
    while at < len(data):
        try:
            section = Section(data, at, live)
        except ValueError:
            start = at
            at = at // step * step + step
            while at < len(data) and data[at : at + 4] != b"TORD":
                at += step
            if not live or any(data[start:at]):
                lose(start, "no section")
            continue
        fault = section.fault()
        if fault or not section.unpack():
            lose(at, fault or "cannot be decompressed")
        else:
            sections.append(section)
        at += section.size
        if not live and section.type == END and not fault:
            break
    return sections


# --- payloads -----------------------------------------------------------------------


def unescape(value):
    out = bytearray()
    at = 0
    while at < len(value):
        if value[at : at + 2] == b"\\\\":
            out += b"\\"
            at += 2
            continue
        if value[at : at + 2] == b"\\x" and len(value) >= at + 4:
            digits = value[at + 2 : at + 4]
            if all(d in b"0123456789abcdef" for d in digits) and digits != b"00":
                out.append(int(digits, 16))
                at += 4
                continue
        out.append(value[at])
        at += 1
    return bytes(out)


def lines(section):
    for line in section.payload.split(b"\n"):
        if b"\0" in line or line[:1] == b" " and section.type != NOTE:
            lose(section.at, "a line")
        elif line:
            yield line


def fields(section):
    for line in lines(section):
        key, _, value = line.partition(b" ")
        yield key, unescape(value)


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


class Varints:
    def __init__(self, data):
        self.data, self.at = data, 0

    def more(self):
        return self.at < len(self.data)

    def take(self):
        value = shift = 0
        while True:
            if not self.more() or shift > 63:
                raise ValueError
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        if value > HIGHEST:
            raise ValueError
        return value


def ascending(varints, last):
    return varints.take() if last is None else last + 1 + varints.take()


def read_paths(section, module):
    """Yields (function, id, count), function by function."""
    varints, function = Varints(section.payload), None
    try:
        while varints.more():
            function = ascending(varints, function)
            if function >= len(module.functions):
                raise ValueError
            found, path = [], None
            for _ in range(varints.take()):
                path = ascending(varints, path)
                highest = module.functions[function][3]
                if path > (HIGHEST if module.counted[function] == ALL else highest):
                    raise ValueError
                found.append((function, path, varints.take()))
            yield from found
    except ValueError:
        lose(section.at, "paths that make no sense")


def read_counts(section, module):
    have = min(len(section.payload) // 8, module.ncounter)
    if have < module.ncounter:
        lose(section.at, "counters")
    counters = struct.unpack("<%dQ" % have, section.payload[: 8 * have])
    extra = {}
    for bundle, targets in module.bundles:
        if bundle < have and counters[bundle]:
            for target in targets:
                extra[target] = extra.get(target, 0) + counters[bundle]
    added = sorted(extra)
    for f, function in enumerate(module.functions):
        first = module.counters[f]
        if first is None:
            continue
        last = module.last(f)
        for i in range(max(0, min(last + 1, have - first))):
            path = i
            if module.counted[f] not in EACH:
                path = function[3] if i == last else module.slots[f][i]
            if counters[first + i] and path is not None:
                yield f, path, counters[first + i]
        for at in added[bisect.bisect_left(added, first) :]:
            if at > first + last:
                break
            path = at - first
            if module.counted[f] not in EACH:
                path = function[3] if path == last else module.slots[f][path]
            if path is not None:
                yield f, path, extra[at]
        at = first + last + 1
        if module.stops[f] and at < have and 0 < counters[at] <= HIGHEST - function[3]:
            yield f, function[3] + counters[at], 1
    for i in range(module.hashed, min(module.hashed + 3 * module.nhashed, have - 2), 3):
        first, path, count = counters[i : i + 3]
        if not first or not path or not count:
            continue
        f = meeting_at(module, first - 1)
        if f is None or path > module.functions[f][3]:
            lose(section.at, "a hashed path")
        else:
            if module.counted[f] != EVENTS:
                module.nweeded += count * (path - 1 in module.chosen[f])
            yield f, path - 1, count


def meeting_at(module, counter):
    """The function whose counters begin there, if its paths may be hashed."""
    for f, first in enumerate(module.counters):
        if first == counter and module.counted[f] in (RESIDUAL, UNTESTED, EVENTS):
            return f
    return None


# --- steps ---------------------------------------------------------------------------

RULE, GUARD = 2**31, 2**32 - 2


class Part:
    """Rules, each a list of (is a rule, value); terminals are those of a packed file."""

    def __init__(self, section, module, live):
        self.at = section.at
        self.open = section.type == STEPS
        self.queue = []
        self.places = [
            (module.counters[f] if live else first, first, function[3])
            for f, (function, first) in enumerate(zip(module.functions, firsts(module)))
            if (module.counters[f] is not None or not live)
            and first + function[3] < HIGHEST
        ]
        if self.open:
            self.read_open(section.payload)
        else:
            self.thread = section.thread
            self.read_closed(Varints(section.payload))
        for r, rule in enumerate(self.rules):
            rules = [value for is_rule, value in rule if is_rule]
            if r and not rule or not all(0 < v < len(self.rules) for v in rules):
                raise ValueError
        self.check_cycles()

    def terminal(self, number):
        for place, first, npath in self.places:
            if place <= number < place + npath:
                return first + number - place
        raise ValueError

    def read_closed(self, varints):
        self.part, self.given = varints.take(), varints.take()
        if self.part >= 2**32:
            raise ValueError
        self.rules = []
        nrule = varints.take()
        if not nrule:
            raise ValueError
        for _ in range(nrule):
            rule = []
            for _ in range(varints.take()):
                code = varints.take()
                value = code >> 1
                rule.append((True, value) if code & 1 else (False, self.terminal(value)))
            self.rules.append(rule)
        if varints.more():
            raise ValueError

    def read_open(self, data):
        if len(data) < 1088 + 8:
            raise ValueError
        self.thread, self.part, taken, linking, queued, nundo = struct.unpack(
            "<6I", data[:24]
        )
        undo = struct.unpack("<4I", data[24:40])
        self.given, nnode = struct.unpack("<QI", data[40:52])
        queue = struct.unpack("<256I", data[64:1088])
        nnode = min(nnode, (len(data) - 1088) // 8)
        words = struct.unpack("<%dI" % (2 * nnode), data[1088 : 1088 + 8 * nnode])
        if not nnode or nundo > 2:
            raise ValueError
        undone = {}
        for i in reversed(range(nundo)):
            undone[undo[2 * i]] = undo[2 * i + 1]
        seen, number, guards, last = set(), {}, [0], 0
        self.rules = []
        for guard in guards:
            rule = []
            n = guard
            while True:
                if n >= nnode or n in seen:
                    raise ValueError
                seen.add(n)
                if n != guard:
                    symbol = words[2 * n + 1]
                    of = symbol % RULE
                    if symbol >= GUARD:
                        raise ValueError
                    if symbol < RULE:
                        rule.append((False, self.terminal(symbol)))
                    elif of >= nnode or words[2 * of + 1] != GUARD:
                        raise ValueError
                    else:
                        if of not in number:
                            number[of] = len(guards)
                            guards.append(of)
                        rule.append((True, number[of]))
                    if not guard:
                        last = n
                n = undone.get(n, words[2 * n])
                if n == guard:
                    break
            self.rules.append(rule)
        if (queued - taken) % 2**32 > 256:
            raise ValueError
        if linking and linking == last and taken != queued:
            taken += 1
        for i in range((queued - taken) % 2**32):
            entry = queue[(taken + i) % 256]
            if entry:
                self.queue.append((False, self.terminal(entry - 1)))

    def check_cycles(self):
        uses = [0] * len(self.rules)
        for rule in self.rules:
            for is_rule, value in rule:
                if is_rule:
                    uses[value] += 1
        free = [r for r, n in enumerate(uses) if not n]
        for r in free:
            for is_rule, value in self.rules[r]:
                if is_rule:
                    uses[value] -= 1
                    if not uses[value]:
                        free.append(value)
        if len(free) < len(self.rules):
            raise ValueError


def firsts(module):
    """The first terminal of each function."""
    first = 0
    for function in module.functions:
        yield first
        first = min(HIGHEST, first + function[3] + 1)


def read_steps(sections, modules, live):
    """By module number: [thread, given, list of parts, a part being a list of rules]."""
    found = {}
    for section in sections:
        if section.type not in (STEPS, PART):
            continue
        module = modules.get(section.module)
        try:
            if module is None:
                raise ValueError
            part = Part(section, module, live)
        except ValueError:
            lose(section.at, "steps that make no sense")
            continue
        found.setdefault((section.module, part.thread), []).append(part)
    steps = {}
    for (number, thread), parts in sorted(found.items()):
        parts.sort(key=lambda p: (p.part, p.open, p.at))
        given, out, before, expected = 0, [], None, 0
        for part in parts:
            again = before is not None and before.part == part.part
            was, before = before, part
            if again and was.open == part.open:
                lose(part.at, "a part that is there again")
                continue
            if part.part > expected:
                lose(part.at, "parts before this one")
            expected = part.part + 1
            given = min(HIGHEST, given + part.given)
            if not again:
                out.append(part.rules)
            out.append([part.queue])
        whole = [rules for rules in out if rules[0]]
        steps.setdefault(number, []).append([thread, given, whole or [[[]]]])
    return steps


def show_steps(threads):
    out = []
    threads.sort(key=lambda t: t[0])
    if len({t[0] for t in threads}) < len(threads):
        for i, thread in enumerate(threads):
            thread[0] = i
    for thread, given, parts in threads:
        out.append(b"steps %d" % thread + (b" given %d" % given if given else b""))
        for i, rules in enumerate(parts):
            if i:
                out.append(b"part")
            for r, rule in enumerate(rules):
                symbols = [(b" R%d" if is_rule else b" %d") % v for is_rule, v in rule]
                out.append(b"R%d:" % r + b"".join(symbols))
    return out


# --- samples -------------------------------------------------------------------------


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
        sound = (
            self.identity < len(IDENTITIES)
            and self.lengths < len(LENGTHS)
            and self.ageing < len(AGEINGS)
            and 2 <= self.shortest <= self.longest <= 1024
            and 2.0**-64 < self.bias < 2.0**64
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


# --- bursts --------------------------------------------------------------------------


class Burst:
    SIZE, RANGES = 376, 96

    def __init__(self, section, live):
        """Raises ValueError where it cannot be used."""
        data = section.payload
        if live and len(data) < self.SIZE <= section.length:
            lose(section.at, "the end of a burst")
            data = data[: len(data) // 8 * 8].ljust(self.SIZE, b"\0")
        if len(data) < self.SIZE + (0 if live else self.RANGES):
            raise ValueError
        self.nthread, self.types, self.trigger, self.period = struct.unpack(
            "<4I", data[:16]
        )
        self.words, self.hz, self.budget = struct.unpack("<3I", data[16:28])
        self.sums = list(struct.unpack("<5Q", data[32:72]))
        # burst, sparsity, weight, bursts, events; then the most sparsity and weight
        self.type = [list(row) for row in struct.iter_unpack("<5Q", data[72:312])]
        self.group = 0 if live else section.thread
        if live:
            self.nthread = 1
            for row in self.type:
                row[0], row[2] = row[0] or 1, row[2] or 1
                row += row[1:3]
        else:
            ranges = data[self.SIZE : self.SIZE + self.RANGES]
            for row, most in zip(self.type, struct.iter_unpack("<2Q", ranges)):
                row += most
        for i in range(len(TYPES)):
            if not self.has(i):
                self.type[i] = [0] * 7
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

    def asked(self):
        """What was asked for: those in which it is the same are one."""
        how = self.trigger, self.period, self.words, self.hz, self.budget, self.types
        return (self.group, *how, *[row[0] for row in self.type])

    def add(self, other):
        self.nthread = min(HIGHEST, self.nthread + other.nthread)
        self.sums = [min(HIGHEST, a + b) for a, b in zip(self.sums, other.sums)]
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
        out += [b"%s %d" % pair for pair in known if pair[1]]
        for i, (on, sparsity, weight, nburst, nevent, most, heaviest) in enumerate(
            self.type
        ):
            if self.has(i):
                row = on, sparsity, most, weight, heaviest, nburst, nevent
                out.append(b"type " + TYPES[i] + b" %d" * 7 % row)
        return out


def read_bursts(sections, live):
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


# --- the profile ---------------------------------------------------------------------


# Bytes of SHARED: its words, places where activations stopped, areas.
SHARED_SIZE = 88 + 512 * 16 + 2048 * 24


def find_shared(sections):
    """The first SHARED section that is whole, or none."""
    whole = []
    for section in [s for s in sections if s.type == SHARED]:
        if len(section.payload) < SHARED_SIZE:
            lose(section.at, "SHARED is cut off")
        elif whole:
            lose(section.at, "a second one")
        else:
            whole.append(section)
    return whole


def noted_in(shared, notes):
    """What SHARED says was noted, of each kind of which there is no note."""
    noted = struct.unpack_from("<I", shared.payload, 80)[0]
    for i, key in enumerate((b"private", b"shared", b"dropped", b"unrecorded")):
        if noted >> i & 1 and not any(note.startswith(key) for note in notes):
            yield key + b" a process had no room to note more"


def read_shared(payload):
    """Fields that END would have, of all processes together."""
    words = struct.unpack_from("<9Q", payload)
    _, _, started, ended, private, lost, unrecorded, part, duration = words
    out = [(b"processes", b"%d" % started)]
    out.append((b"ended", b"%d" % ended) if ended < started else (b"exit", b"order"))
    if ended:
        out.append((b"duration", b"%d.%09d" % divmod(duration, 10 ** 9)))
    out += [(b"private", b"%d" % private), (b"lost", b"%d" % lost)]
    if unrecorded:
        out.append((b"unrecorded", b"%d" % unrecorded))
    if part:
        out.append((b"stack", b"part"))
    for i in range(512):
        place, times = struct.unpack_from("<2Q", payload, 88 + 16 * i)
        if place and times:
            out.append((b"stop", b"%x %d" % (place - 1, times)))
    return out


def read_runs(sections, live, shared):
    """Each: group, fields."""
    if not live:
        return [(s.thread, list(fields(s))) for s in sections if s.type == RUN]
    run, ends = [], [s for s in sections if s.type == END and not shared]
    for several in [s for s in sections if s.type == RUN], ends:
        for section in several[:1]:
            run += fields(section)
        for section in several[1:]:
            lose(section.at, "a second one")
    if shared:
        run += read_shared(shared[0].payload)
        ends = [s for s in run if s == (b"exit", b"order")]
    if not ends:
        run.append((b"exit", b"unknown"))
    return [(0, run)]


def check_chain(data, sections):
    """Of a packed file: the heads are those that were written."""
    chain = 0
    for section in sections:
        if section.type == END:
            if section.payload and section.payload[:15] != b"chain %08x\n" % chain:
                lose(section.at, "the chain of sections")
            return
        head = data[section.at + 60 : section.at + 64]
        chain = binascii.crc32(struct.pack("<I", chain) + head)


def read_bundles(sections, modules):
    """Counters that stand for several: of each module (counter, those that it adds to)."""
    seen = set()
    for section in [s for s in sections if s.type == BUNDLES]:
        module = modules.get(section.module)
        if module is None or section.module in seen:
            lose(section.at, "no such module, or a second one")
            continue
        seen.add(section.module)
        nword = len(section.payload) // 4
        words = struct.unpack("<%dI" % nword, section.payload[: 4 * nword])
        at = 0
        while at < len(words):
            if at + 1 == len(words) or words[at + 1] > len(words) - at - 2:
                lose(section.at, "a bundle is cut off")
                break
            end = at + 2 + words[at + 1]
            if words[at] < module.ncounter:
                targets = [t for t in words[at + 2 : end] if t < module.ncounter]
                module.bundles.append((words[at], targets))
            at = end


def add_up(sections, modules, live):
    """Counts of (module number, group, function, id)."""
    counts, seen = {}, set()
    for section in sections:
        if section.type not in (COUNTS, PATHS):
            continue
        owner = section.type, section.module, section.thread
        if owner in seen:
            lose(section.at, "a second one")
            continue
        seen.add(owner)
        module = modules.get(section.module)
        if module is None:
            lose(section.at, "no such module")
            continue
        read = read_counts if section.type == COUNTS else read_paths
        group = 0 if live or section.type == COUNTS else section.thread
        for function, path, count in read(section, module):
            key = section.module, group, function, path
            counts[key] = min(HIGHEST, counts.get(key, 0) + count)
    return {key: count for key, count in counts.items() if count}


CONTROL = re.compile(
    rb"(?P<control>[\x01-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]"
    rb"|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9])"
    rb"|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]"
    rb"|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}"
    rb"|\xf4[\x80-\x8f][\x80-\xbf]{2}|(?P<stray>[\x80-\x9f])"
)


def escaped(match):
    if not match["control"] and not match["stray"]:
        return match[0]
    return b"".join(b"\\x%02x" % byte for byte in match[0])


def quoted(text):
    bare = b"0123456789_.$%@" + bytes(range(128, 256))
    bare += b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    words = (b".", b"graph", b"paths", b"numbering", b"plan")
    plain = CONTROL.sub(escaped, text) == text
    if plain and text and text not in words and all(c in bare for c in text):
        return text
    text = text.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + CONTROL.sub(escaped, text) + b'"'


def groups_of(runs, counts, bursts):
    groups = {g for g, _ in runs} | {key[1] for key in counts}
    return groups | {burst.group for burst in bursts}


def rank_groups(runs, counts, bursts):
    """Groups are numbered in the order of their lists of runs, also where some are lost."""
    groups = sorted(groups_of(runs, counts, bursts))
    groups.sort(key=lambda group: sorted(record for g, record in runs if g == group))
    rank = {group: i for i, group in enumerate(groups)}
    runs = [(rank[group], record) for group, record in runs]
    for burst in bursts:
        burst.group = rank[burst.group]
    return runs, {(m, rank[g], f, p): count for (m, g, f, p), count in counts.items()}


def show(runs, modules, counts, steps, samples, bursts, notes):
    out = [b"profile"]
    runs, counts = rank_groups(runs, counts, bursts)
    several = len(groups_of(runs, counts, bursts)) > 1
    for group, record in sorted(runs):
        out.append(b"run" + (b" @%d" % group if several else b""))
        for key, value in record:
            out.append(quoted(key) + b":" + (b" " + quoted(value) if value else b""))
    for burst in put_together(bursts):
        out += burst.show(several)
    merged = {}
    for number, module in modules.items():
        same = merged.setdefault(repr(module.identity()), [module, {}, [], []])
        same[2].extend(steps.get(number, []))
        same[3].extend(samples.get(number, []))
        if module.path < same[0].path:
            same[0] = module
        for (of, group, function, path), count in counts.items():
            if of == number:
                key = function, group, path
                same[1][key] = min(HIGHEST, same[1].get(key, 0) + count)
    for module, found, threads, samplers in sorted(
        merged.values(), key=lambda m: (m[0].path, m[0].identity())
    ):
        line = b"module " + quoted(module.path) + b" " + MODES[module.mode]
        out.append(line + (b" " + module.build_id if module.build_id else b""))
        by_function = {}
        for function, group, path in sorted(found):
            by_function.setdefault(function, []).append((group, path))
        for f, function in enumerate(module.functions):
            line = b"function %016x %016x %016x %d" % function
            out.append(line + WORDS[module.counted[f]])
            chosen = [b" =%d" % i for i in module.chosen[f]]
            for i in range(0, len(chosen), 16):
                out.append(b"slots" + b"".join(chosen[i : i + 16]))
            for group, path in by_function.get(f, []):
                count = found[f, group, path]
                if count == HIGHEST:
                    notes.add(STOPPED)
                name = b"=%d" % path
                if path >= module.functions[f][3]:
                    place = path - module.functions[f][3] - 1
                    name = b"begun" if place < 0 else b"stop %d" % place
                line = b"%s %d%s" % (name, count, b"+" if count == HIGHEST else b"")
                out.append(line + (b" @%d" % group if several else b""))
        out += show_steps(threads)
        for sampler in sorted(samplers, key=lambda s: s.thread):
            out += sampler.show()
    for note in sorted(notes):
        out.append(b"note " + quoted(note))
    return b"\n".join(out) + b"\n"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tools/trod-read.py FILE")
    with open(sys.argv[1], "rb") as file:
        data = file.read()
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
