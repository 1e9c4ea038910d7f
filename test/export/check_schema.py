"""Check a JSON document against its schema.

    check_schema.py SCHEMA DOCUMENT           print violations; status 1 if there are any
    check_schema.py --mutate SCHEMA DOCUMENT  make many small changes; print how many are found, of how many
"""
import copy
import json
import sys

from jsonschema import Draft202012Validator


def places(value, at=()):
    """Every object in a document, the first of each array only."""
    if isinstance(value, dict):
        yield at
        for key in value:
            yield from places(value[key], at + (key,))
    elif isinstance(value, list) and value:
        yield from places(value[0], at + (0,))


def inside(value, at):
    for key in at:
        value = value[key]
    return value


def mutants(document):
    """Documents with one member missing, of the wrong type, or too many."""
    for at in list(places(document)):
        for key in inside(document, at):
            other = copy.deepcopy(document)
            inside(other, at)[key] = -1.5
            yield "%s/%s is a number below 0" % ("/".join(map(str, at)), key), other
        other = copy.deepcopy(document)
        inside(other, at)["surprise"] = True
        yield "/".join(map(str, at)) + " has one more", other


def main():
    args = sys.argv[1:]
    mutate = args[0] == "--mutate"
    schema, document = (json.load(open(name)) for name in args[-2:])
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    if not mutate:
        faults = [e for e in validator.iter_errors(document)]
        for e in faults[:10]:
            print("/".join(map(str, e.absolute_path)) + ": " + e.message[:300])
        sys.exit(1 if faults else 0)
    missed = [what for what, other in mutants(document) if validator.is_valid(other)]
    for what in missed:
        print("not found:", what)
    sys.exit(1 if missed else 0)


main()
