"""An independent reader of pprof's files: protobuf's wire format, field by field."""
import gzip


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Number and value of each field: a number, or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            length, at = varint(data, at)
            if at + length > len(data):
                raise ValueError("a field goes on behind the end")
            value, at = data[at:at + length], at + length
        else:
            raise ValueError("wire type %d" % (key & 7))
        yield key >> 3, value


def numbers(value):
    """The values of a repeated number: single, or packed."""
    if isinstance(value, int):
        return [value]
    out, at = [], 0
    while at < len(value):
        number, at = varint(value, at)
        out.append(number)
    return out


def message(data):
    out = {}
    for number, value in fields(data):
        out.setdefault(number, []).append(value)
    return out


def one(of, number):
    return of.get(number, [0])[-1]


def read(path):
    """Samples as frames, outermost first: (function, system name, file, line, location)."""
    top = message(gzip.open(path).read())
    strings = [s.decode("utf-8", "replace") for s in top.get(6, [])]
    if strings[:1] != [""]:
        raise ValueError("the first string is not empty")
    function, location = {}, {}
    for data in top.get(5, []):
        f = message(data)
        function[one(f, 1)] = [strings[one(f, n)] for n in (2, 3, 4)] + [one(f, 5)]
    mapping = {}
    for data in top.get(3, []):
        m = message(data)
        mapping[one(m, 1)] = (strings[one(m, 5)], strings[one(m, 6)])
    for data in top.get(4, []):
        place = message(data)
        line = message(place[4][0])
        name, system, file, _ = function[one(line, 1)]
        if one(place, 2) and one(place, 2) not in mapping:
            raise ValueError("a location of no mapping")
        location[one(place, 1)] = (name, system, file, one(line, 2), one(place, 1))
    samples = []
    for data in top.get(2, []):
        s = message(data)
        labels = {}
        for text in s.get(3, []):
            label = message(text)
            labels[strings[one(label, 1)]] = strings[one(label, 2)] if 2 in label else one(label, 3)
        frames = [location[i] for v in s.get(1, []) for i in numbers(v)][::-1]
        samples.append((frames, [n for v in s.get(2, []) for n in numbers(v)], labels))
    types = [[strings[one(message(t), n)] for n in (1, 2)] for t in top.get(1, [])]
    comments = [strings[n] for v in top.get(13, []) for n in numbers(v)]
    return {"types": types, "samples": samples, "mappings": list(mapping.values()), "comments": comments,
            "period": one(top, 12), "functions": len(function), "locations": len(location)}
