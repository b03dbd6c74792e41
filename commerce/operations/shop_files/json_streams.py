"""Shop files as streams: opened plain, gzipped or from standard input, outlined once, then read section by section."""

import codecs
import gzip
import shutil
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

import ijson

from commerce.operations.shop_files.json_text import Unreadable, check
from kit.shop_file.problems import Problems
from kit.shop_file.values.value import shown

STANDARD_INPUT = "-"
DEEPEST = 64
"""The maximum nesting of objects and lists: more than any field allows, and safe for the parser."""

_OPENING = frozenset({"start_map", "start_array"})
_CLOSING = frozenset({"end_map", "end_array"})
_OUTER = {0: ("start_map", "an object whose keys are the sections"), 1: ("start_array", "a list of objects")}
"""What the file is, and its sections are, by depth."""

_CHUNK = 64 * 1024
_GZIP = b"\x1f\x8b"
_OTHER_KINDS = {
    b"PK": "a ZIP file, as spreadsheets (.xlsx) are; load JSON",
    b"%PDF": "a PDF file; load JSON",
    b"SQLi": "an SQLite database; load JSON",
}
_ENCODINGS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    b"{\0": "utf-16-le",
    b"\0{": "utf-16-be",
}
"""By how a file in it begins."""


class NotAShopFile(Exception):
    """The file cannot be opened, or is not JSON; the message says why."""


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """The file's JSON text in UTF-8, seekable and checked to be safe for the parser. Raises NotAShopFile.

    The file may be gzipped, whatever its name, and in UTF-16 or with a byte order mark, as editors save it.
    """
    try:
        with ExitStack() as stack:
            if name == STANDARD_INPUT:
                file = cast(BinaryIO, stack.enter_context(tempfile.TemporaryFile()))
                shutil.copyfileobj(sys.stdin.buffer, file)
            else:
                file = stack.enter_context(Path(name).open("rb"))
            yield _checked(_in_utf8(_unzipped(file, stack), stack))
    except (OSError, EOFError, zlib.error) as error:
        raise NotAShopFile(f"{name}: {error}") from error
    except Unreadable as error:
        raise NotAShopFile(f"{name} is not JSON: {error}") from error
    except ijson.JSONError as error:
        reason = error.args[0] if error.args else error
        text = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise NotAShopFile(f"{name} is not JSON: {text.splitlines()[0]}") from error


def _unzipped(file: BinaryIO, stack: ExitStack) -> BinaryIO:
    head = _head(file)
    for beginning, kind in _OTHER_KINDS.items():
        if head.startswith(beginning):
            raise Unreadable(f"it is {kind}")
    return cast(BinaryIO, stack.enter_context(gzip.open(file))) if head.startswith(_GZIP) else file


def _in_utf8(file: BinaryIO, stack: ExitStack) -> BinaryIO:
    """The file, or a copy of it if it is not in UTF-8 without a byte order mark."""
    head = _head(file)
    encoding = next((name for beginning, name in _ENCODINGS.items() if head.startswith(beginning)), None)
    if encoding is None:
        return file
    copy = cast(BinaryIO, stack.enter_context(tempfile.TemporaryFile()))  # noqa: SIM115 - the stack closes it
    try:
        for text in codecs.iterdecode(iter(lambda: file.read(_CHUNK), b""), encoding):
            copy.write(text.encode())
    except UnicodeError as error:
        raise Unreadable(f"it is not {encoding.upper()}") from error
    return copy


def _head(file: BinaryIO) -> bytes:
    file.seek(0)
    head = file.read(4)
    file.seek(0)
    return head


def _checked(file: BinaryIO) -> BinaryIO:
    file.seek(0)
    check(file)
    return file


def outline(file: BinaryIO, problems: Problems) -> Counter[str]:
    """The number of objects of each key of the file.

    Reports a file that is not an object, keys that are not lists, and repeated names in an object.
    """
    counts: Counter[str] = Counter()
    key = ""
    names: list[set[str]] = []
    file.seek(0)
    for event, value in ijson.basic_parse(file):
        depth = len(names)
        if event == "map_key":
            if depth == 1:
                key = _first_time(value, counts, problems)
            elif value in names[-1]:
                problems.add(f"{key}[{counts[key] - 1}]", f"has {shown(value)} twice in an object")
            names[-1].add(value)
        elif event in _CLOSING:
            names.pop()
        elif depth <= 2 or event in _OPENING:
            _expect(_OUTER.get(depth), event, key, problems)
            if depth == 2:
                counts[key] += 1
            if event in _OPENING:
                names.append(set())
            if len(names) > DEEPEST:
                problems.add(key or "the file", f"is nested deeper than {DEEPEST} levels")
                break
    return counts


def objects(file: BinaryIO, key: str, count: int) -> Iterator[Any]:
    """Yields the `count` objects of the key; numbers with a fraction as Decimal."""
    file.seek(0)
    return islice(ijson.items(file, f"{key}.item"), count)


def _expect(wanted: tuple[str, str] | None, event: str, key: str, problems: Problems) -> None:
    if wanted and event != wanted[0]:
        problems.add(key or "the file", f"expected {wanted[1]}")


def _first_time(key: str, counts: Counter[str], problems: Problems) -> str:
    if key in counts:
        problems.add(key, "is repeated")
    counts[key] += 0
    return key
