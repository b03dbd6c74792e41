"""What an XLSX file unpacks to, checked before it is unpacked: it is a ZIP archive of XML from a stranger."""

import zipfile
from typing import BinaryIO
from xml.parsers import expat

from kit.errors import InvalidData

MOST_BYTES = 200 * 1024 * 1024
MOST_STRING_BYTES = 20 * 1024 * 1024
"""Of the shared strings, which are held in memory."""
MOST_RATIO = 100
MOST_ITEM_BYTES = 4 * 1024 * 1024
"""Of one row, one string, or a part without rows: each becomes a tree in memory."""
_NOT_XLSX = "The file is not a valid XLSX file."
_SMALL = 1024 * 1024
"""Below it, a part may shrink to less than a hundredth: so do empty sheets."""
_MOST_ENTRIES = 2000
_CHUNK = 64 * 1024
_ITEMS = ("row", "si")
_OTHERS = (".png", ".jpg", ".jpeg", ".gif", ".emf", ".wmf", ".tiff", ".bmp", ".bin", ".vml")
"""The ends of names of parts that need not be XML. Those that are may be sheets: openpyxl reads them by any name."""


def check_package(file: BinaryIO) -> None:
    """Raises InvalidData for macros, entities of XML, and what is too large unpacked. Leaves the file at its start."""
    try:
        with zipfile.ZipFile(file) as package:
            entries = package.infolist()
            _check_sizes(entries)
            _check_strings(sum(_string_bytes(package, entry) for entry in entries))
    except InvalidData:
        raise
    except Exception as error:  # what the archive, its compression and the encodings of XML raise is not told anywhere
        raise InvalidData(_NOT_XLSX) from error
    file.seek(0)


def _check_sizes(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > _MOST_ENTRIES:
        raise InvalidData(f"The file has more than {_MOST_ENTRIES:,} parts. Save it as CSV.")
    if any("vbaproject" in entry.filename.lower() for entry in entries):
        raise InvalidData("The file has macros. Save it as .xlsx.")
    if sum(entry.file_size for entry in entries) > MOST_BYTES:
        raise InvalidData(f"The file is larger than {_mb(MOST_BYTES)} unpacked. Save it as CSV.")
    for entry in entries:
        if entry.file_size > max(_SMALL, MOST_RATIO * entry.compress_size):
            raise InvalidData("A part of the file is compressed too much. Save the file as CSV.")


def _check_strings(size: int) -> None:
    if size > MOST_STRING_BYTES:
        raise InvalidData(f"The file has more than {_mb(MOST_STRING_BYTES)} of texts. Save it as CSV.")


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
        raise InvalidData("The file contains a document type declaration, which is not allowed.")

    parser.EndElementHandler, parser.StartDoctypeDeclHandler = end, refuse
    read = 0
    with package.open(entry) as part:
        while chunk := part.read(_CHUNK):
            read += len(chunk)
            try:
                parser.Parse(chunk, False)
            except expat.ExpatError:
                if entry.filename.lower().endswith(_OTHERS):
                    break
                raise
            if read - last_end > MOST_ITEM_BYTES:
                raise InvalidData(f"A row is larger than {_mb(MOST_ITEM_BYTES)}. Save the file as CSV.")
    return strings


def _mb(size: int) -> str:
    return f"{size // 1024 // 1024} MB"
