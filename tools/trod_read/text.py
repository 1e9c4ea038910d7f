"""Text: the lines and fields of a section, and words as the text form of a profile quotes them."""
import re

from .sections import NOTE, lose


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
