"""What a customer says of themselves, checked."""

from typing import Any, TypedDict, Unpack

from commerce.kit.core import metadata as metadata_rules
from commerce.kit.core.metadata import Metadata
from commerce.kit.core.text import LONGEST, checked


class Details(TypedDict, total=False):
    """Those given; None empties one. metadata: merged into what there is."""

    company_name: str | None
    first_name: str | None
    last_name: str | None
    phone: str | None
    metadata: Metadata | None


def checked_details(**given: Unpack[Details]) -> dict[str, Any]:
    """The given ones. Raises InvalidData naming the field: one line each, as labels and mails show them."""
    checked_ones: dict[str, Any] = dict(given)
    for name, value in given.items():
        if isinstance(value, str):
            checked(value, field=name, longest=LONGEST, one_line=True)
    if "metadata" in given:
        checked_ones["metadata"] = metadata_rules.checked(given["metadata"])
    return checked_ones
