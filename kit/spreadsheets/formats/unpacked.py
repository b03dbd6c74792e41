"""What an XLSX file unpacks to, checked before it is unpacked: it is a ZIP archive of XML from a stranger."""

import zipfile
import zlib
from typing import BinaryIO
from xml.parsers import expat

from kit.errors import InvalidData

MOST_BYTES = 200 * 1024 * 1024
MOST_STRING_BYTES = 20 * 1024 * 1024
"""Of the shared strings, which are held in memory."""
MOST_RATIO = 100
MOST_ITEM_BYTES = 4 * 1024 * 1024
"""Of one row, one string, or a part without rows: each becomes a tree in memory."""
_SMALL = 1024 * 1024
"""Below it, a part may shrink to less than a hundredth: so do empty sheets."""
_MOST_ENTRIES = 2000
_CHUNK = 64 * 1024
_ITEMS = ("row", "si")
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".emf", ".wmf", ".tiff", ".bmp", ".svg", ".bin", ".vml")
"""The ends of names of parts that are never read."""


def check_package(file: BinaryIO) -> None:
    """Raises InvalidData for macros, entities of XML, and what is too large unpacked. Leaves the file at its start."""
    try:
        with zipfile.ZipFile(file) as package:
            entries = package.infolist()
            _check_sizes(entries)
            _check_strings(sum(_string_bytes(package, entry) for entry in entries if _is_xml(entry)))
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,
        OSError,
        ValueError,
        EOFError,
        LookupError,
        zlib.error,
    ) as error:
        raise InvalidData("The file is no XLSX file") from error
    file.seek(0)


def _is_xml(entry: zipfile.ZipInfo) -> bool:
    return not entry.filename.lower().endswith(_PICTURES)


def _check_sizes(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > _MOST_ENTRIES:
        raise InvalidData(f"The file has more than {_MOST_ENTRIES:,} parts")
    if any("vbaproject" in entry.filename.lower() for entry in entries):
        raise InvalidData("The file has macros: save it as .xlsx")
    if sum(entry.file_size for entry in entries) > MOST_BYTES:
        raise InvalidData(f"The file is larger than {_mb(MOST_BYTES)} unpacked: save it as CSV")
    for entry in entries:
        if entry.file_size > max(_SMALL, MOST_RATIO * entry.compress_size):
            raise InvalidData(f"A part of the file unpacks to more than {MOST_RATIO} times its size: save it as CSV")


def _check_strings(size: int) -> None:
    if size > MOST_STRING_BYTES:
        raise InvalidData(f"The file has more than {_mb(MOST_STRING_BYTES)} of texts: save it as CSV")


def _string_bytes(package: zipfile.ZipFile, entry: zipfile.ZipInfo) -> int:
    """How many bytes the shared strings of a part have. Raises InvalidData for entities, and items that are too large.

    The name of a part does not say what it is: every part is searched for both.
    """
    parser = expat.ParserCreate()
    last_end = strings = 0

    def end(name: str) -> None:
        nonlocal last_end, strings
        item = name.rpartition(":")[2]
        if item in _ITEMS:
            here = parser.CurrentByteIndex
            strings += here - last_end if item == "si" else 0
            last_end = here

    def refuse(*_: object) -> None:
        raise InvalidData("The file declares a document type, as no spreadsheet does")

    parser.EndElementHandler, parser.StartDoctypeDeclHandler = end, refuse
    read = 0
    with package.open(entry) as part:
        while chunk := part.read(_CHUNK):
            read += len(chunk)
            try:
                parser.Parse(chunk, False)
            except expat.ExpatError as error:
                raise InvalidData("The file is no XLSX file") from error
            if read - last_end > MOST_ITEM_BYTES:
                raise InvalidData(f"A row or a part of the file is over {_mb(MOST_ITEM_BYTES)}: save it as CSV")
    return strings


def _mb(size: int) -> str:
    return f"{size // 1024 // 1024} MB"
