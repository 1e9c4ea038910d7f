"""The text form of a whole profile."""
from .bursts import put_together
from .modules import MODES, WORDS
from .steps import show_steps
from .text import quoted
from .varints import HIGHEST

STOPPED = b"stopped counts with a '+' reached 2^64-1; the paths ran that often or more"


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
