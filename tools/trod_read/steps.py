"""STEPS and PART sections: the order of steps, as rules of grammars, and their text form."""
import struct

from .modules import firsts
from .sections import PART, STEPS, lose
from .varints import HIGHEST, Varints

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
