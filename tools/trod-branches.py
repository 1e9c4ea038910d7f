#!/usr/bin/env python3
"""A second reader of trace files, written from doc/format-trace.md alone.

    tools/trod-branches.py FILE

Prints the text form of a stream, as `trod hw trace --text` does. It shares no line with
trod and is there to disagree with it. A file that is damaged is read up to the damage.
Compressed chunks need the program `zstd`.
"""
import binascii
import struct
import subprocess
import sys

KINDS = ("none", "if", "jump", "indirect", "call", "callindirect", "return")
CLASSES = ("alu", "multiply", "divide", "float", "fmultiply", "fdivide", "branch", "nothing", "system")
NONE, IF, JUMP, INDIRECT, CALL, CALL_INDIRECT, RETURN = range(7)
DIRECT = (IF, JUMP, CALL)
CALLS = (CALL, CALL_INDIRECT)
WORD = 2**64 - 1


class Damaged(Exception):
    pass


def say(text):
    print("trod-branches.py: " + text, file=sys.stderr)


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        if self.at >= len(self.data):
            raise Damaged("a part is too short")
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def distance(self):
        value = self.number()
        return -(value + 1) // 2 if value & 1 else value // 2

    def take(self, length):
        if self.at + length > len(self.data):
            raise Damaged("a part is too short")
        self.at += length
        return self.data[self.at - length : self.at]

    def part(self):
        return self.take(self.number())

    def more(self):
        return self.at < len(self.data)


class Tokens(Bytes):
    """Hits, and what is told behind them."""

    def __init__(self, data, bits):
        super().__init__(data)
        self.bits, self.left, self.what = bits, None, None

    def hit(self):
        if self.left is None:
            if not self.more():
                return True
            token = self.number()
            self.left, self.what = token >> self.bits, token & ((1 << self.bits) - 1)
        if self.left:
            self.left -= 1
            return True
        self.left = None
        return False


def mix(x):
    y = x * 0x9E3779B97F4A7C15 & WORD
    return y ^ y >> 32


class Code:
    pass


class Thread:
    def __init__(self):
        self.past, self.open = 0, []

    def slot(self):
        return self.open[-1][1] if self.open else 0


def name(text):
    bare = bool(text) and text not in (".", "graph", "paths", "numbering", "plan")
    for c in text.encode("utf-8", "surrogateescape"):
        bare = bare and (chr(c).isalnum() or chr(c) in "_.$%@" or c >= 0x80)
    if bare:
        return text
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


class Reader:
    def __init__(self, data, out):
        self.data, self.out = data, out
        self.codes, self.at, self.sent = [], {}, 0
        self.images = []
        self.next = {}  # by running thread
        self.ninsn = 0
        self.ran = set()

    def put(self, text):
        self.out.write(text.encode("utf-8", "surrogateescape") + b"\n")

    # --- chunks ---------------------------------------------------------------------

    def read(self):
        data = self.data
        magic, version, nname, check = struct.unpack("<8sIII", data[:20])
        if magic != b"trodbran" or binascii.crc32(data[:20]) != struct.unpack("<I", data[20:24])[0]:
            raise Damaged("no trace, or its head is damaged")
        if version != 1 or binascii.crc32(data[24 : 24 + nname]) != check:
            raise Damaged("another version, or its name is damaged")
        self.put("branches " + name(data[24 : 24 + nname].decode("utf-8", "surrogateescape")))
        at, offsets = 24 + nname, []
        while data[at + 8 :] != b"trodbend":
            head = data[at : at + 40]
            if len(head) < 40 or head[:4] != b"tbch" or binascii.crc32(head[:36]) != struct.unpack("<I", head[36:])[0]:
                raise Damaged("no sound head at %d" % at)
            kind, codec, raw, stored, first, count, check = struct.unpack("<BBxxIIQQI", head[4:36])
            payload = data[at + 40 : at + 40 + stored]
            if len(payload) < stored or binascii.crc32(payload) != check:
                raise Damaged("a damaged chunk at %d" % at)
            if codec == 1:
                payload = subprocess.run(["zstd", "-dcq"], input=payload, stdout=subprocess.PIPE, check=True).stdout
            if len(payload) != raw:
                raise Damaged("a chunk of another size at %d" % at)
            if kind == 1:
                self.read_codes(Bytes(payload), first, count)
            elif kind == 2:
                if first != self.ninsn:
                    raise Damaged("instructions are missing before %d" % at)
                self.read_runs(Bytes(payload))
                if self.ninsn != first + count:
                    raise Damaged("a chunk of other instructions at %d" % at)
            else:
                self.read_index(Bytes(payload), offsets, count)
                index = at
            offsets.append((kind, at, count))
            at += 40 + stored
        if struct.unpack("<Q", data[at : at + 8])[0] != index:
            raise Damaged("the end does not know where the index is")
        self.send(len(self.codes))
        self.send_images(len(self.codes))

    def read_index(self, b, offsets, count):
        at = 0
        for kind, offset, n in offsets:
            here = (b.byte(), b.number(), b.number())
            if here != (kind, offset - at, n):
                raise Damaged("the index is of another file")
            at = offset
        if b.more() or count != len(offsets):
            raise Damaged("the index is of another file")

    # --- codes ----------------------------------------------------------------------

    def read_codes(self, b, first, count):
        if first != len(self.codes):
            raise Damaged("codes are missing")
        here = 0
        while b.more():
            if b.byte() == 1:
                start, size, offset = b.number(), b.number(), b.number()
                path, build_id = b.part(), b.part()
                self.images.append((len(self.codes), start, start + size, offset, path, build_id))
                continue
            c = Code()
            c.number = len(self.codes)
            c.pc = here + b.distance() & WORD
            c.last = c.pc + b.number() & WORD
            c.after = here = c.last + b.number() & WORD
            c.ninsn = b.number()
            kind = b.byte()
            c.kind, c.insns = kind & 15, []
            c.target = c.after + b.distance() & WORD if c.kind in DIRECT else 0
            for _ in range(c.ninsn if kind & 16 else 0):
                size, klass, loads, stores, registers = (b.byte() for _ in range(5))
                source = [b.byte() for _ in range(registers & 15)]
                target = [b.byte() for _ in range(registers >> 4)]
                c.insns.append((size, klass, loads, stores, source, target))
            self.codes.append(c)
            self.at.setdefault(c.pc, c)
        if len(self.codes) != first + count:
            raise Damaged("other codes than the head says")

    def send_images(self, upto):
        while self.images and self.images[0][0] <= upto:
            _, start, end, offset, path, build_id = self.images.pop(0)
            text = "image 0x%x 0x%x 0x%x" % (start, end, offset)
            if path:
                text += " " + name(path.decode("utf-8", "surrogateescape"))
            if build_id:
                text += " " + build_id.decode()
            self.put(text)

    def send(self, upto):
        while self.sent < upto:
            self.send_images(self.sent)
            c = self.codes[self.sent]
            self.sent += 1
            text = "code %d 0x%x 0x%x 0x%x %d %s" % (c.number, c.pc, c.last, c.after, c.ninsn, KINDS[c.kind])
            self.put(text + (" 0x%x" % c.target if c.kind in DIRECT else ""))
            pc = c.pc
            for size, klass, loads, stores, source, target in c.insns:
                self.put(
                    "insn 0x%x %d %s %d %d:%s >%s"
                    % (pc, size, CLASSES[klass], loads, stores,
                       "".join(" %d" % r for r in source), "".join(" %d" % r for r in target))
                )
                pc += size

    # --- runs -----------------------------------------------------------------------

    def read_runs(self, b):
        self.left = b.number()
        self.next = {}
        for _ in range(b.number()):
            thread = b.number()
            self.next[thread] = b.number()
        where, self.slots, self.accesses = (Tokens(b.part(), bits) for bits in (2, 0, 1))
        for c in self.codes:
            c.way, c.next, c.slot, c.distance, c.shape, c.known = 1, 0, 0, 0, [], []
        self.recent, self.threads, self.ways, self.places = {}, {}, {}, {}
        thread, code = 0, None
        while True:
            if where.hit():
                self.run(thread, code, None, None)
                code = None
            elif where.what == 0:
                self.run(thread, code, True, None)
                code = None
            elif where.what == 1:
                self.run(thread, code, None, where.distance())
                code = None
            elif where.what == 2:
                thread = where.number()
            else:
                more = where.byte()
                if more == 0:
                    break
                number = where.number()
                if more == 1:
                    code = self.codes[number]
                else:
                    self.end(number)
        if self.left or where.more():
            raise Damaged("other runs than a chunk says")

    def end(self, thread):
        self.next.pop(thread, None)
        self.threads.pop(thread, None)
        if thread in self.ran:
            self.put("end %d" % thread)
            self.ran.discard(thread)

    def guess(self, t, c):
        if c.kind == NONE:
            return c.after
        if c.kind in (JUMP, CALL):
            return c.target
        if c.kind == IF:
            tagged = self.ways.get(self.tag(t, c)[0], 0)
            way = tagged & 3 if tagged & ~3 == self.tag(t, c)[1] else c.way
            return c.target if way >= 2 else c.after
        if c.kind == RETURN:
            return t.open[-1][0] if t.open else c.next
        return self.places.get(self.place(t, c), 0) or c.next

    @staticmethod
    def tag(t, c):
        h = mix((t.past & 0xFFFFFF) << 32 ^ c.number)
        return h & 0xFFFF, (h >> 34 << 2 | 4) & 0xFFFFFFFF

    @staticmethod
    def place(t, c):
        return mix((t.past & 0xFFFF) << 32 ^ c.number) & 8191

    def run(self, thread, c, other_way, distance):
        t = self.threads.setdefault(thread, Thread())
        if c is None:
            if thread not in self.next:
                raise Damaged("a thread that is not there runs")
            pc = self.next[thread]
            c = self.recent.get(pc) or self.at.get(pc)
            if c is None:
                raise Damaged("there is no code where a thread goes")
        self.left -= 1
        self.ninsn += c.ninsn
        went = self.guess(t, c)
        if other_way:
            went = c.after if went == c.target else c.target
        elif distance is not None:
            went = c.after + distance & WORD
        slot = 0
        if c.kind == RETURN:
            slot = t.slot()
        elif c.kind in CALLS and c.slot:
            slot = t.slot() + c.distance & WORD
        if not self.slots.hit():
            slot = slot + self.slots.distance() & WORD
        accesses = self.access(c)
        self.learn(thread, t, c, went, slot)
        self.send(c.number + 1)
        self.ran.add(thread)
        text = "run %d %d 0x%x" % (thread, c.number, went)
        if slot:
            text += " stack 0x%x" % slot
        for i, (insn, store, size, address) in enumerate(accesses):
            text += "%s %d %s %d 0x%x" % (":" if i == 0 else ",", insn, "store" if store else "load", size, address)
        self.put(text)

    def access(self, c):
        a = self.accesses
        shape = c.shape
        if not a.hit():
            shape = []
            for _ in range(a.number()):
                insn = a.number()
                shape.append((insn >> 1, insn & 1, a.byte()))
            c.shape = shape[:1024]
            c.known = [[0, 0] for _ in c.shape]
        found = []
        for i, (insn, store, size) in enumerate(shape):
            last, stride = c.known[i] if i < len(c.known) else (0, 0)
            if a.hit():
                address = last + stride & WORD
            else:
                address = last + a.distance() & WORD
            if i < len(c.known):
                c.known[i] = [address, address - last & WORD if last else 0]
            found.append((insn, store, size, address))
        return found

    def learn(self, thread, t, c, went, slot):
        self.recent[c.pc] = c
        if c.kind == IF:
            taken = int(went != c.after)
            index, tag = self.tag(t, c)
            tagged = self.ways.get(index, 0)
            move = lambda way: min(way + 1, 3) if taken else max(way - 1, 0)
            if tagged & ~3 == tag:
                self.ways[index] = tag | move(tagged & 3)
            elif (c.way >= 2) != bool(taken):
                self.ways[index] = tag | (2 if taken else 1)
            c.way = move(c.way)
            t.past = (t.past << 1 | taken) & WORD
        elif c.kind in (INDIRECT, CALL_INDIRECT):
            self.places[self.place(t, c)] = went
            t.past = (t.past << 3 ^ (went >> 2 & 63)) & WORD
        c.next = went
        if c.kind in CALLS:
            c.slot, c.distance = slot, slot - t.slot() & WORD
            t.open.append((c.after, slot))
            del t.open[:-256]
        elif c.kind == RETURN:
            for up in range(1, min(32, len(t.open)) + 1):
                if t.open[-up][0] == went:
                    del t.open[-up:]
                    break
        self.next[thread] = went


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    try:
        Reader(data, sys.stdout.buffer).read()
    except (Damaged, IndexError, struct.error, subprocess.CalledProcessError) as why:
        sys.stdout.buffer.flush()
        say(str(why))
        return 1
    return 0


sys.exit(main())
