"""Rows that others refer to, which cannot be deleted."""

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.db.models import Exists, ManyToOneRel, OuterRef, QuerySet

from kit.domain.base_model import BaseModel
from kit.errors import NotAllowed


class RowInUse(NotAllowed):
    """Other rows refer to the row. users: what these are called."""

    def __init__(self, row: models.Model, users: str) -> None:
        super().__init__(f"The {row._meta.verbose_name} '{row}' is used by {users}, and cannot be deleted")


def require_unused(rows: Sequence[BaseModel], *, but: Sequence[type[BaseModel]] = ()) -> None:
    """Raise RowInUse if rows that are not deleted refer to one of these. One statement.

    but: tables whose rows may refer to them. Links that a row has itself, such as the channels of a location, may too.
    """
    if not rows:
        return
    model = type(rows[0])
    own = [field.remote_field.through for field in model._meta.many_to_many]
    relations = [
        relation
        for relation in model._meta.get_fields(include_hidden=True)
        if isinstance(relation, ManyToOneRel) and relation.related_model not in (*own, *but)
    ]
    users = {f"users_{place}": relation for place, relation in enumerate(relations)}
    uses = {name: Exists(_referring(relation)) for name, relation in users.items()}
    asked = model._default_manager.filter(pk__in=[row.pk for row in rows]).annotate(**uses)
    for row in asked.order_by("pk"):
        if called := [_plural(users[name]) for name in uses if getattr(row, name)]:
            raise RowInUse(row, " and ".join(called))


def _referring(relation: ManyToOneRel) -> "QuerySet[Any]":
    rows: QuerySet[Any] = relation.related_model._default_manager.filter(**{relation.field.name: OuterRef("pk")})
    return rows.filter(deleted_at=None) if hasattr(relation.related_model, "deleted_at") else rows


def _plural(relation: ManyToOneRel) -> str:
    """What the referring rows are called; of links, the rows that have them."""
    model: Any = relation.related_model._meta.auto_created or relation.related_model
    return str(model._meta.verbose_name_plural)
