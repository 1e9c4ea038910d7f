"""The parts of tools/trod-read.py, a reader of profiles that was written from doc/format.md alone."""
