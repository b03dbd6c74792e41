"""Directories, and servers in them, that are gone when the process that made them is, however it ended."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

MEMORY = Path("/dev/shm")  # noqa: S108 - a memory file system; the directories made in it are private
ROOM_NEEDED = 1024**3
# The shell waits for the end of its input, which comes even when the process that feeds it is killed.
KEEPER = '"$@" & read -r _; kill -INT $! 2>/dev/null; wait; rm -rf "$0"'


class ThrowAway:
    """A private directory in memory where there is room for it, else on disk.

    When the process runs as root, the directory belongs to an unprivileged account, for servers that refuse root.
    """

    def __init__(self, name: str) -> None:
        roomy = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM_NEEDED
        self.directory = Path(tempfile.mkdtemp(prefix=f"commerce-{name}-", dir=MEMORY if roomy else None))
        self._as_owner: dict[str, Any] = {}
        if os.geteuid() == 0:
            user, group = _unprivileged_account()
            os.chown(self.directory, user, group)
            self._as_owner = {"user": user, "group": group, "extra_groups": []}
        self._keeper: subprocess.Popen[bytes] | None = None

    def run(self, command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
        """Run a command to its end as the directory's owner. Raises OSError when it cannot be started."""
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=self.directory, **self._as_owner
        )

    def keep(self, server: Sequence[str | Path] = ("true",)) -> None:
        """Start the server, if any, to be stopped and removed with the directory when this process ends.

        One that was kept before must have ended.
        """
        if self._keeper:
            self._keeper.kill()  # asked to end, it would remove the directory
            self._keeper.communicate()
        with (self.directory / "log").open("ab") as log:
            self._keeper = subprocess.Popen(
                ["/bin/sh", "-c", KEEPER, self.directory, *server],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,
                **self._as_owner,
            )

    def remove(self) -> None:
        """End the server and wait until nothing is left."""
        if self._keeper and self._keeper.stdin:
            self._keeper.stdin.close()
            self._keeper.wait(timeout=30)
        shutil.rmtree(self.directory, ignore_errors=True)

    def log(self) -> str:
        """The last lines that the server wrote."""
        return "\n".join((self.directory / "log").read_text(errors="replace").splitlines()[-20:])


def _unprivileged_account() -> tuple[int, int]:
    """User and group id of postgres, else of nobody."""
    accounts = {account.pw_name: account for account in pwd.getpwall()}
    account = accounts.get("postgres") or accounts["nobody"]
    return account.pw_uid, account.pw_gid
