"""Files of which -m leaves out every test are not collected: most of them, in targets that run few tests.

What a file's text says decides: a name in its `pytestmark` marks all of its tests; one that stands nowhere, none.
"""

import re
from itertools import combinations
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression

_MARK = re.compile(r"\bmark\.(\w+)")
_OF_ALL = re.compile(r"^pytestmark = (\[.*?^\]|.*?$)", re.MULTILINE | re.DOTALL)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if collection_path.suffix != ".py" or not config.option.markexpr:
        return None
    return None if may_have(config.option.markexpr, collection_path.read_text()) else True


def may_have(expression: str, text: str) -> bool:
    """Whether the file with this text may have a test that the expression of -m chooses."""
    compiled = Expression.compile(expression)
    of_all = set(_MARK.findall("".join(_OF_ALL.findall(text))))
    of_some = sorted(compiled.idents() & {*_MARK.findall(text)} - of_all)
    return any(
        compiled.evaluate(lambda name, /, chosen=chosen, **_: name in of_all or name in chosen)
        for size in range(len(of_some) + 1)
        for chosen in combinations(of_some, size)
    )
