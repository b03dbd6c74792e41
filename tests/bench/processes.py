"""What processes cost, as Linux counts it."""

import subprocess
import time
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection
from pathlib import Path

PROC = Path("/proc")
START_SECONDS = 240.0


def tree(pid: int) -> list[int]:
    """The process, its children and theirs."""
    try:
        children = [
            child for thread in (PROC / f"{pid}/task").iterdir() for child in (thread / "children").read_text().split()
        ]
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [pid, *(below for child in children for below in tree(int(child)))]


def cpu_seconds(pid: int) -> float:
    """User and system time of the process tree so far; that of ended processes is not in it."""
    return sum(_thread_seconds(thread) for each in tree(pid) for thread in (PROC / f"{each}/task").glob("*"))


def _thread_seconds(thread: Path) -> float:
    try:
        return int((thread / "schedstat").read_text().split()[0]) / 1e9
    except (FileNotFoundError, ProcessLookupError):
        return 0.0


def proportional_megabytes(pid: int) -> float:
    """The process's memory, what it shares counted by its share (PSS)."""
    rollup = (PROC / f"{pid}/smaps_rollup").read_text()
    return int(next(line.split()[1] for line in rollup.splitlines() if line.startswith("Pss:"))) / 1024


class WebServer:
    """A server started by a command, until stopped."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        port: int,
        log: Path,
        directory: Path | None = None,
    ) -> None:
        self.port = port
        with log.open("wb") as output:
            self._process = subprocess.Popen(command, env=environment, stdout=output, stderr=output, cwd=directory)
        try:
            self._wait(log)
        except BaseException:
            self.stop()
            raise

    @property
    def pid(self) -> int:
        """Of the process that the command is."""
        return self._process.pid

    @property
    def cpu(self) -> float:
        """Seconds so far."""
        return cpu_seconds(self._process.pid)

    @property
    def megabytes(self) -> float:
        """Of its one worker, which is the last process of the tree."""
        return proportional_megabytes(tree(self._process.pid)[-1])

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=START_SECONDS)

    def _wait(self, log: Path) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start:\n{log.read_text()}")
            time.sleep(0.1)

    def _answers(self) -> bool:
        web = HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            web.request("GET", "/health/live")
            return web.getresponse().status == 200
        except OSError:
            return False
        finally:
            web.close()
