"""The files in which prometheus-client keeps the numbers of a process, with their whole space taken at the start.

It maps sparse files into memory. On a full disk, the first write to a new page of one kills the process (SIGBUS).
"""

import os
from typing import Any

from prometheus_client import values
from prometheus_client.mmap_dict import MmapedDict

SIZE = 1024 * 1024
"""Bytes of a file: more than all routes, methods and statuses take. It grows if they do not fit."""


class AllocatedDict(MmapedDict):
    """A file that has its space; without room on the disk, the same in memory, which only this process sees."""

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        super().__init__(filename if read_mode else _allocated(filename), read_mode)  # type: ignore[no-untyped-call]


def _allocated(filename: str) -> str:
    if not hasattr(os, "posix_fallocate"):  # as on macOS
        return filename
    try:
        with open(filename, "ab") as file:  # noqa: PTH123 - as prometheus-client does
            os.posix_fallocate(file.fileno(), 0, SIZE)
    except OSError:
        return f"/proc/self/fd/{os.memfd_create('metrics')}"
    return filename


def use_allocated_files() -> None:
    """Have all metrics that are made from now on kept in such files."""
    library: Any = values
    library.MmapedDict = AllocatedDict
