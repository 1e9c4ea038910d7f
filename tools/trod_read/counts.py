"""COUNTS, PATHS and BUNDLES sections: how often each path ran."""
import bisect
import struct

from .modules import ALL, EACH, EVENTS, RESIDUAL, UNTESTED
from .sections import BUNDLES, COUNTS, PATHS, lose
from .varints import HIGHEST, Varints, ascending


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
