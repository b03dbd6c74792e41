"""Files that appear once they are complete, and that only their owner can read."""

import errno
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO, cast

from kit.values.timestamps import now


@contextmanager
def whole_file(name: str, *, replace: bool = True) -> Iterator[BinaryIO]:
    """A new file (mode 0600) that takes this name at the end, in place of an existing file; not if the block raises.

    Raises OSError if it cannot be written, and before the block if the name is a directory or a device. With
    replace=False, FileExistsError if there is a file of this name, before the block or at the end.
    """
    path = Path(name)
    if path.exists() and not path.is_file():  # to rename a file to /dev/null would remove the device
        raise OSError(errno.EEXIST, "Not a regular file", name)
    if path.exists() and not replace:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.", suffix=".part", delete=False) as file:
        try:
            yield cast(BinaryIO, file)
            file.flush()
            os.fsync(file.fileno())
            if replace:
                Path(file.name).replace(path)
            else:
                os.link(file.name, path)
                Path(file.name).unlink()
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def delete_expired(paths: Iterable[Path], lifetime: timedelta) -> int:
    """Delete the files that have not been written to for that long. Returns how many."""
    oldest, deleted = (now() - lifetime).timestamp(), 0
    for path in paths:
        try:
            if path.stat().st_mtime < oldest:
                path.unlink()
                deleted += 1
        except FileNotFoundError:  # it was deleted meanwhile, or finished under its name
            continue
    return deleted
