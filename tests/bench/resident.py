"""The memory of a tree of processes in which each page is counted once, whoever else maps it. Linux only."""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from mmap import PAGESIZE

from tests.bench.processes import PROC, tree

MEGABYTE = 1024 * 1024
_ENTRY = 8
_PRESENT, _OF_FILE = 1 << 63, 1 << 61
"""Of an entry of /proc/PID/pagemap."""


@dataclass(frozen=True, slots=True)
class Resident:
    """In megabytes. anonymous: by process, swapped pages included. files: resident pages of mapped files."""

    anonymous: dict[int, float]
    files: float

    @property
    def megabytes(self) -> float:
        return sum(self.anonymous.values()) + self.files


def resident(pid: int) -> Resident:
    """What the process and those below it hold.

    A page of a file counts once for the tree. An anonymous page that processes share since a fork counts in equal parts
    for them.
    """
    processes = tree(pid)
    pages = {page for each in processes for page in _file_pages(each)}
    return Resident({each: _anonymous(each) for each in processes}, len(pages) * PAGESIZE / MEGABYTE)


def _anonymous(pid: int) -> float:
    rows = (row.split() for row in (PROC / f"{pid}/smaps_rollup").read_text().splitlines())
    return sum(int(row[1]) for row in rows if row[0] in ("Pss_Anon:", "SwapPss:")) / 1024


def _file_pages(pid: int) -> Iterator[tuple[str, str, int]]:
    """Device, inode and number of each page of a file that the process has in memory."""
    with (PROC / f"{pid}/pagemap").open("rb", buffering=0) as pagemap:
        for line in (PROC / f"{pid}/maps").read_text().splitlines():
            span, _, offset, device, inode, *_ = line.split()
            if inode == "0":
                continue
            start, end = (int(address, 16) // PAGESIZE for address in span.split("-"))
            pagemap.seek(start * _ENTRY)
            entries = array("Q", pagemap.read((end - start) * _ENTRY))
            first = int(offset, 16) // PAGESIZE
            for number, entry in enumerate(entries, first):
                if entry & _PRESENT and entry & _OF_FILE:
                    yield device, inode, number
