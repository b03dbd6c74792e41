"""Writing the reasons that staff choose from, such as those of refunds and returns."""

from collections.abc import Mapping
from typing import Any

from kit.domain import soft_deletion
from kit.values import metadata as metadata_rules
from kit.values.text import LONGEST, checked
from shop.models.reasons import ReasonColumns

LONGEST_DESCRIPTION = 1_000
_TEXTS = ("value", "code", "label")


def write_reason(reason: ReasonColumns, given: Mapping[str, Any]) -> None:
    """Save the given fields; metadata is merged. Raises ValueTaken, InvalidData naming the field."""
    for name in _TEXTS:
        if name in given:
            setattr(reason, name, checked(given[name], field=name, longest=LONGEST, may_be_blank=False))
    if "description" in given:
        text = given["description"]
        reason.description = None if text is None else checked(text, field="description", longest=LONGEST_DESCRIPTION)
    if "metadata" in given:
        reason.metadata = metadata_rules.merged(reason.metadata, metadata_rules.checked(given["metadata"]))
    soft_deletion.refuse_taken(reason)
    reason.save()
