"""No two DomainError classes share a name, so that `except` and logs tell which one is meant."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import import_module

import pytest

from kit.errors import DomainError
from tests.packages import ROOT, sources

pytestmark = pytest.mark.once


def domain_errors(kind: type[DomainError] = DomainError) -> Iterator[type[DomainError]]:
    """All subclasses that are loaded, apart from those of tests."""
    for each in kind.__subclasses__():
        if not each.__module__.startswith("tests."):
            yield each
        yield from domain_errors(each)


def repeated(kinds: Iterable[type[DomainError]]) -> list[str]:
    counts = Counter(each.__name__ for each in set(kinds))
    return sorted(name for name, count in counts.items() if count > 1)


def test_no_two_domain_errors_share_a_name() -> None:
    for path in sources():
        if path.name != "manage.py" and re.search(r"^class \w+\(\w*\.?[A-Z]\w+\)", path.read_text(), re.MULTILINE):
            import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    kinds = list(domain_errors())
    assert len(set(kinds)) > 200
    assert repeated(kinds) == []


def test_two_that_share_a_name_are_found() -> None:
    one = type("Twice", (DomainError,), {"__module__": "tests.one"})
    other = type("Twice", (DomainError,), {"__module__": "tests.other"})
    assert repeated([one, other, one]) == ["Twice"]
