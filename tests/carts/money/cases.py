"""The carts of cases.json, with the exact amounts that each must cost: computed by two programs that are not ours.

Their form is explained in ../shared/cases/README.md. The file holds them packed, one a line: objects are the number of
their shape with their values, lists begin with -1, and what several cases share is [-2, its number].
`python -m tests.carts.money.cases` packs those of ../shared again.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from tests.shared_data import MONEY_CASES

PACKED = Path(__file__).with_name("cases.json")
Case = dict[str, Any]
_LIST, _SHARED = -1, -2


def load() -> list[Case]:
    """All cases."""
    packed = json.loads(PACKED.read_text())
    return [_unpacked(case, packed) for case in packed["cases"]]


def _unpacked(value: Any, packed: dict[str, Any]) -> Any:
    if not isinstance(value, list):
        return value
    kind, *values = value
    if kind == _SHARED:
        return _unpacked(packed["shared"][values[0]], packed)
    unpacked = [_unpacked(each, packed) for each in values]
    return unpacked if kind == _LIST else dict(zip(packed["shapes"][kind], unpacked, strict=True))


def _packed(value: Any, shapes: list[list[str]]) -> Any:
    if isinstance(value, list):
        return [_LIST, *(_packed(each, shapes) for each in value)]
    if not isinstance(value, dict):
        return value
    if list(value) not in shapes:
        shapes.append(list(value))
    return [shapes.index(list(value)), *(_packed(each, shapes) for each in value.values())]


def _pack(cases: list[Case]) -> str:
    """The text of the file. Shared are the tax rates of places."""
    shapes: list[list[str]] = []
    packed = [_packed(case, shapes) for case in cases]
    of_rates = {id(case): 1 + list(case).index("tax_rates") for case in cases}
    texts = Counter(_text(each[of_rates[id(case)]]) for each, case in zip(packed, cases, strict=True))
    shared = [text for text, times in texts.items() if times > 1]
    for each, case in zip(packed, cases, strict=True):
        text = _text(each[of_rates[id(case)]])
        if text in shared:
            each[of_rates[id(case)]] = [_SHARED, shared.index(text)]
    tables = {"shapes": [_text(shape) for shape in shapes], "shared": shared, "cases": [_text(each) for each in packed]}
    parts = (f'"{name}":[\n' + ",\n".join(rows) + "\n]" for name, rows in tables.items())
    return "{" + ",\n".join(parts) + "}\n"


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


if __name__ == "__main__":
    PACKED.write_text(_pack(json.loads(MONEY_CASES.read_text())))
