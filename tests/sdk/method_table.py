"""What docs/admin-api.md and README say of the SDK's admin methods. If WRITE_DOCS is set, they are made to say it."""

import os
import re
from collections.abc import Iterable, Mapping

from tests.docs.pages import DOCS, README

WORKS, ABSENT = "works", "absent"
_COUNT = re.compile(r"\d+ of the \d+ methods")
_TABLES = re.compile(rf"^{_COUNT.pattern} work.*?(?=\n## |\Z)", re.DOTALL | re.MULTILINE)
_TEXT = """\
{works} of the {all} methods work, {differs} differ as the second table says, and {absent} are absent: their routes
respond with a 404, 405 or 415.

| `sdk.admin` | works | differs | absent |
|---|---|---|---|
{resources}

| differs | how |
|---|---|
{differences}
"""


def stale_pages(outcomes: Mapping[str, str]) -> list[str]:
    """The pages that say something else. outcomes: WORKS, ABSENT or how it differs, by `resource.method`."""
    counted = f"{list(outcomes.values()).count(WORKS)} of the {len(outcomes)} methods"
    stale = []
    for page, place, text in ((DOCS / "admin-api.md", _TABLES, _tables(outcomes)), (README, _COUNT, counted)):
        before = page.read_text()
        after, places = place.subn(lambda _, text=text: text, before)
        assert places == 1, f"{page.name} has no place for the methods"
        if os.environ.get("WRITE_DOCS"):
            page.write_text(after)
        elif after != before:
            stale.append(page.name)
    return stale


def _tables(outcomes: Mapping[str, str]) -> str:
    kinds = {name: outcome if outcome in (WORKS, ABSENT) else "differs" for name, outcome in sorted(outcomes.items())}
    columns = {kind: [name for name in kinds if kinds[name] == kind] for kind in (WORKS, "differs", ABSENT)}
    resources = {name.partition(".")[0]: None for name in kinds}
    reasons = {outcomes[name]: None for name in columns["differs"]}
    return _TEXT.format(
        **{kind: len(names) for kind, names in columns.items()},
        all=len(outcomes),
        resources="\n".join(
            _row([f"`{resource}`", *(_code(_methods(names, resource)) for names in columns.values())])
            for resource in resources
        ),
        differences="\n".join(
            _row([_code(name for name in columns["differs"] if outcomes[name] == reason), reason]) for reason in reasons
        ),
    )


def _methods(names: Iterable[str], resource: str) -> list[str]:
    return [name.removeprefix(f"{resource}.") for name in names if name.startswith(f"{resource}.")]


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
