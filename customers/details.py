"""Checks of a customer's own fields."""

from typing import Any, TypedDict, Unpack

from kit.values import metadata as metadata_rules
from kit.values.metadata import Metadata
from kit.values.text import LONGEST, checked


class Details(TypedDict, total=False):
    """The given fields; None clears one. metadata: merged into the stored one."""

    company_name: str | None
    first_name: str | None
    last_name: str | None
    phone: str | None
    metadata: Metadata | None


def checked_details(**given: Unpack[Details]) -> dict[str, Any]:
    """The given fields. Raises InvalidData, naming the field; a text must be a single line."""
    checked_ones: dict[str, Any] = dict(given)
    for name, value in given.items():
        if isinstance(value, str):
            checked(value, field=name, longest=LONGEST, one_line=True)
    if "metadata" in given:
        checked_ones["metadata"] = metadata_rules.checked(given["metadata"])
    return checked_ones
