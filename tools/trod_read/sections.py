"""The sections of a file: its header, the sound sections in it, and the chain that a packed file
keeps of them. What cannot be read is reported by lose().
"""
import binascii
import struct
import subprocess
import sys

PAGE = 4096
RUN, MODULE, COUNTS, END, PATHS, NOTE, STEPS, PART, SAMPLE = 1, 2, 3, 4, 5, 6, 7, 8, 9
BURST, REFS, SHARED, BUNDLES, CONTROL = 10, 11, 12, 13, 15
ZSTD, LIVE = 1, 2


def lose(at, why):
    print("at %d: %s" % (at, why), file=sys.stderr)


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
        grows = self.type in (COUNTS, STEPS, SAMPLE, REFS, SHARED, CONTROL)
        grows |= self.type in (BURST, MODULE) and self.flags & LIVE != 0
        if self.type not in (*range(RUN, BUNDLES + 1), CONTROL):
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
