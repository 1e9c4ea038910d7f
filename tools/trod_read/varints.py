"""Numbers of variable length, and the highest that a number of the format can be."""

HIGHEST = 2**64 - 1


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
