"""The files of metrics on a disk that is full."""

import errno
import os
from pathlib import Path

import pytest

from kit.observability.metric_files import SIZE, AllocatedDict

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif("not hasattr(__import__('os'), 'posix_fallocate')", reason="files are not allocated here"),
]


def test_a_file_has_all_its_space_from_the_start(tmp_path: Path) -> None:
    file = tmp_path / "counter_1.db"
    kept = AllocatedDict(str(file))
    kept.write_value("requests", 3.0, 1.0)
    assert file.stat().st_blocks * 512 >= SIZE
    assert [value[:2] for value in AllocatedDict.read_all_values_from_file(str(file))] == [("requests", 3.0)]


def test_without_room_a_process_counts_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    kept = AllocatedDict(str(tmp_path / "counter_1.db"))
    for number in range(20_000):  # more than one page, and more than the first size
        kept.write_value(f"requests of {number}", 1.0, 1.0)
    assert kept.read_value("requests of 19999") == (1.0, 1.0)
    assert (tmp_path / "counter_1.db").stat().st_blocks == 0
