"""Tests marked `servers` start servers of other programs: `@pytest.mark.servers("nginx")` names what they need.

`make test-servers` runs them, `make test` does not. Where a program is missing, its tests are skipped and the run ends
with a list of what was not tested; REQUIRE_SERVERS=1 refuses such a run.
"""

import os
import shutil
from collections.abc import Iterable

import pytest

from tests.plugins.clusters import find_programs

DAEMONS = f"/usr/sbin{os.pathsep}/usr/local/sbin"  # not on the PATH of every user
PACKAGES = {
    "nginx": "nginx",
    "pg_basebackup": "postgresql-client",
    "pgbouncer": "pgbouncer",
    "redis-server": "redis-server",
}
"""Debian's packages, by program. `.ci/run` installs them."""

lost_key = pytest.StashKey[dict[str, str]]()


def find(program: str) -> str | None:
    """The program's path: on PATH, among daemons, or beside PostgreSQL's server."""
    return shutil.which(program) or shutil.which(program, path=f"{DAEMONS}{os.pathsep}{find_programs() or ''}")


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
        unknown = [program for program in marker.args if program not in PACKAGES]
        if unknown or not marker.args:
            raise pytest.UsageError(f"{item.nodeid}: mark servers with names of {', '.join(PACKAGES)}")
        yield from marker.args


def _sentence(lost: dict[str, str]) -> str:
    programs = sorted({program for missing in lost.values() for program in missing.split(", ")})
    packages = " ".join(PACKAGES[program] for program in programs)
    return f"{', '.join(programs)} not found ({len(lost)} tests): apt-get install {packages}"
