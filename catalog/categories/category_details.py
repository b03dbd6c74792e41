"""Checks of a category's own fields: its name, handle, description and metadata."""

from collections.abc import Collection
from typing import TypedDict, Unpack

from catalog.errors import HandleTaken
from catalog.models import ProductCategory
from kit.values import metadata as metadata_rules
from kit.values.metadata import Metadata
from kit.values.text import LONGEST, checked


def refuse_taken(handle: str, *, by_others_than: str | None = None) -> None:
    """Raise HandleTaken if another category that is not deleted has it. Only reliable under the tree's lock."""
    if ProductCategory.objects.not_deleted().filter(handle=handle).exclude(pk=by_others_than).exists():
        raise HandleTaken(handle)


class CategoryDetails(TypedDict, total=False):
    """The fields of a category that can change; omitted ones stay."""

    name: str
    handle: str
    description: str
    seo_title: str | None
    seo_description: str | None
    former_handles: Collection[str]
    is_active: bool
    is_internal: bool
    metadata: Metadata | None


def checked_details(**given: Unpack[CategoryDetails]) -> CategoryDetails:
    """The given details. Raises InvalidData, naming the field."""
    if "name" in given:
        checked(given["name"], field="name", longest=LONGEST, may_be_blank=False)
    if "handle" in given:
        checked(given["handle"], field="handle", longest=LONGEST, may_be_blank=False)
    if "description" in given:
        checked(given["description"], field="description")
    checked(given.get("seo_title") or "", field="seo_title", longest=LONGEST)
    checked(given.get("seo_description") or "", field="seo_description")
    if "metadata" in given:
        given["metadata"] = metadata_rules.checked(given["metadata"])
    return given
