"""Whether a value is of the kind that the interface says."""

import re
from typing import Any

from tests.interface_walk.tables import FLAG, MOMENT, NUMBER, OBJECT, TEXT

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def fits(value: Any, kind: str) -> bool:
    """Whether the value, which is not null, is of that kind; where it holds resources, an object or a list of them."""
    if kind == TEXT:
        return isinstance(value, str)
    if kind == NUMBER:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind == FLAG:
        return isinstance(value, bool)
    if kind == MOMENT:
        return isinstance(value, str) and bool(_MOMENT.fullmatch(value))
    if kind.startswith("list "):
        return isinstance(value, list) and all(isinstance(each, dict) for each in value)
    assert kind == OBJECT or kind.startswith("one ")
    return isinstance(value, dict)
