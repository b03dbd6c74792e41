"""Where a server's program is missing, its tests are skipped and listed, or the run is refused."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.plugins import servers

pytestmark = pytest.mark.once
SENTENCE = "nginx, redis-server not found (2 tests): apt-get install nginx; apt-get install redis-server"


class Item:
    def __init__(self, nodeid: str, *programs: str) -> None:
        self.nodeid, self.programs = nodeid, programs
        self.marks: list[pytest.MarkDecorator] = []

    def iter_markers(self, name: str) -> list[pytest.Mark]:
        assert name == "servers"
        return [pytest.mark.servers(*self.programs).mark] if self.programs else []

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.marks.append(mark)


@pytest.fixture
def config() -> Any:
    return SimpleNamespace(stash=pytest.Stash())


@pytest.fixture
def items(monkeypatch: pytest.MonkeyPatch) -> Any:
    """On a machine that has only pgbouncer."""
    monkeypatch.setattr(servers, "find", lambda program: program if program == "pgbouncer" else None)
    return [
        Item("test_b", "nginx"),
        Item("test_a", "redis-server", "pgbouncer"),
        Item("test_c", "pgbouncer"),
        Item("d"),
    ]


def test_tests_of_missing_servers_are_skipped_and_listed(
    config: Any, items: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REQUIRE_SERVERS", raising=False)
    servers.pytest_collection_modifyitems(config, items)
    skipped = {item.nodeid: mark.kwargs["reason"] for item in items for mark in item.marks}
    assert skipped == {"test_b": "needs nginx", "test_a": "needs redis-server"}
    lines: list[str] = []
    report: Any = SimpleNamespace(section=lambda title, **_: lines.append(title), write_line=lines.append)
    servers.pytest_terminal_summary(report, config)
    assert lines == [f"NOT TESTED: {SENTENCE}", "test_a\ntest_b"]


def test_missing_servers_are_refused_where_all_are_required(
    config: Any, items: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUIRE_SERVERS", "1")
    with pytest.raises(pytest.UsageError) as refused:
        servers.pytest_collection_modifyitems(config, items)
    assert str(refused.value) == f"REQUIRE_SERVERS=1, and {SENTENCE}"


def test_a_program_that_nobody_installs_is_refused(config: Any) -> None:
    items: Any = [Item("test_a", "apache2")]
    with pytest.raises(pytest.UsageError, match=r"^test_a: mark servers with names of "):
        servers.pytest_collection_modifyitems(config, items)
