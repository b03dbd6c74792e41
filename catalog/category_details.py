"""Checks of a category's own fields: its name, handle, description and metadata."""

from typing import Any

from django.utils.text import slugify

from catalog.errors import HandleRequired, HandleTaken
from catalog.models import ProductCategory
from commerce.kit.core import metadata as metadata_rules
from commerce.kit.core.absent import ABSENT, Absent
from commerce.kit.core.metadata import Metadata
from commerce.kit.core.text import LONGEST, checked


def handle_of(name: str) -> str:
    """A handle derived from the name: letters and digits of any script, joined by hyphens. Raises HandleRequired."""
    handle = slugify(name, allow_unicode=True)[:LONGEST]
    if not handle:
        raise HandleRequired(name)
    return handle


def refuse_taken(handle: str, *, by_others_than: str | None = None) -> None:
    """Raise HandleTaken if another category that is not deleted has it. Only reliable under the tree's lock."""
    if ProductCategory.objects.not_deleted().filter(handle=handle).exclude(pk=by_others_than).exists():
        raise HandleTaken(handle)


def checked_details(
    *,
    name: str | None = None,
    handle: str | None = None,
    description: str | None = None,
    is_active: bool | None = None,
    is_internal: bool | None = None,
    metadata: Metadata | Absent | None = ABSENT,
) -> dict[str, Any]:
    """The given values by field. None means not given, except for metadata. Raises InvalidData, naming the field."""
    details: dict[str, Any] = {}
    if name is not None:
        details["name"] = checked(name, field="name", longest=LONGEST, may_be_blank=False)
    if handle is not None:
        details["handle"] = checked(handle, field="handle", longest=LONGEST, may_be_blank=False)
    if description is not None:
        details["description"] = checked(description, field="description")
    if is_active is not None:
        details["is_active"] = is_active
    if is_internal is not None:
        details["is_internal"] = is_internal
    if metadata is not ABSENT:
        details["metadata"] = metadata_rules.checked(metadata)
    return details
