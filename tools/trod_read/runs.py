"""RUN, END and SHARED sections: what is known of each run."""
import struct

from .sections import END, RUN, SHARED, lose
from .text import fields

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
