"""Tests marked `servers` start servers of other programs: `@pytest.mark.servers("nginx")` names what they need.

`make test-servers` runs them, `make test` does not. Where a program is missing, its tests are skipped and the run ends
with a list of what was not tested; REQUIRE_SERVERS=1 refuses such a run.
"""

import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.plugins.clusters import find_programs

DAEMONS = f"/usr/sbin{os.pathsep}/usr/local/sbin"  # not on the PATH of every user
INSTALL = {
    "logrotate": "apt-get install logrotate",
    "moto_server": "pip install --requirement requirements-dev.txt",
    "nginx": "apt-get install nginx",
    "pg_basebackup": "apt-get install postgresql-client",
    "pgbouncer": "apt-get install pgbouncer",
    "redis-server": "apt-get install redis-server",
}
"""The command that installs each program. `.ci/run` runs them."""

lost_key = pytest.StashKey[dict[str, str]]()


def find(program: str) -> str | None:
    """The program's path: on PATH, among daemons, or beside Python or PostgreSQL's server."""
    elsewhere = os.pathsep.join((DAEMONS, str(Path(sys.executable).parent), str(find_programs() or "")))
    return shutil.which(program) or shutil.which(program, path=elsewhere)


@pytest.hookimpl(trylast=True)  # when those that -m leaves out are gone
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    lost = config.stash[lost_key] = {}
    for item in items:
        if missing := [program for program in _needed(item) if not find(program)]:
            lost[item.nodeid] = ", ".join(missing)
            item.add_marker(pytest.mark.skip(reason=f"needs {lost[item.nodeid]}"))
    if lost and os.environ.get("REQUIRE_SERVERS") == "1":
        raise pytest.UsageError(f"REQUIRE_SERVERS=1, and {_sentence(lost)}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name every test that a missing server cost, so that a green run cannot hide it."""
    if not (lost := config.stash.get(lost_key, {})):
        return
    terminalreporter.section(f"NOT TESTED: {_sentence(lost)}", sep="!", red=True, bold=True)
    terminalreporter.write_line("\n".join(sorted(lost)))


def _needed(item: pytest.Item) -> Iterable[str]:
    for marker in item.iter_markers("servers"):
        unknown = [program for program in marker.args if program not in INSTALL]
        if unknown or not marker.args:
            raise pytest.UsageError(f"{item.nodeid}: mark servers with names of {', '.join(INSTALL)}")
        yield from marker.args


def _sentence(lost: dict[str, str]) -> str:
    programs = sorted({program for missing in lost.values() for program in missing.split(", ")})
    commands = "; ".join(INSTALL[program] for program in programs)
    return f"{', '.join(programs)} not found ({len(lost)} tests): {commands}"
