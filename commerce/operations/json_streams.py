"""Shop files as streams: opened plain, gzipped or from standard input, outlined once, then read section by section."""

import gzip
import shutil
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

import ijson

from commerce.kit.shop_file.problems import Problems
from commerce.kit.shop_file.values.value import shown
from commerce.operations.json_text import Unreadable, check

STANDARD_INPUT = "-"
DEEPEST = 64
"""The maximum nesting of objects and lists: more than any field allows, and safe for the parser."""

_OPENING = frozenset({"start_map", "start_array"})
_CLOSING = frozenset({"end_map", "end_array"})


class NotAShopFile(Exception):
    """The file cannot be opened, or is not JSON; the message says why."""


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """The file's JSON text, seekable and checked to be safe for the parser. Raises NotAShopFile."""
    try:
        if name == STANDARD_INPUT:
            with tempfile.TemporaryFile() as copy:
                shutil.copyfileobj(sys.stdin.buffer, copy)
                yield _checked(copy)
        elif name.endswith(".gz"):
            with gzip.open(name) as file:
                yield _checked(cast(BinaryIO, file))
        else:
            with Path(name).open("rb") as file:
                yield _checked(file)
    except (OSError, EOFError, zlib.error) as error:
        raise NotAShopFile(f"{name}: {error}") from error
    except Unreadable as error:
        raise NotAShopFile(f"{name} is not JSON: {error}") from error
    except ijson.JSONError as error:
        reason = error.args[0] if error.args else error
        text = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise NotAShopFile(f"{name} is not JSON: {text.splitlines()[0]}") from error


def _checked(file: BinaryIO) -> BinaryIO:
    file.seek(0)
    check(file)
    return file


def outline(file: BinaryIO, problems: Problems) -> Counter[str]:
    """The number of objects of each key of the file.

    Reports a file that is not an object, keys that are not lists, and repeated names in an object.
    """
    counts: Counter[str] = Counter()
    key, depth = "", 0
    file.seek(0)
    for event, value, is_again in _with_repeats(ijson.basic_parse(file)):
        if event == "map_key":
            if depth == 1:
                key = _first_time(value, counts, problems)
            elif is_again:
                problems.add(f"{key}[{counts[key] - 1}]", f"has {shown(value)} twice in an object")
            continue
        if event in _CLOSING:
            depth -= 1
            continue
        if depth == 0 and event != "start_map":
            problems.add("the file", "expected an object whose keys are the sections")
        if depth == 1 and event != "start_array":
            problems.add(key, "expected a list of objects")
        if depth == 2:
            counts[key] += 1
        depth += event in _OPENING
        if depth > DEEPEST:
            problems.add(key or "the file", f"is nested deeper than {DEEPEST} levels")
            break
    return counts


def objects(file: BinaryIO, key: str, count: int) -> Iterator[Any]:
    """Yields the `count` objects of the key; numbers with a fraction as Decimal."""
    file.seek(0)
    return islice(ijson.items(file, f"{key}.item"), count)


def _with_repeats(events: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any, bool]]:
    """The events, each with whether it is a repeated name in its object."""
    names: list[set[str]] = []
    for event, value in events:
        is_again = False
        if event == "map_key":
            is_again = value in names[-1]
            names[-1].add(value)
        elif event == "start_map":
            names.append(set())
        elif event == "end_map":
            names.pop()
        yield event, value, is_again


def _first_time(key: str, counts: Counter[str], problems: Problems) -> str:
    if key in counts:
        problems.add(key, "is repeated")
    counts[key] += 0
    return key
