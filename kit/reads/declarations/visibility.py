"""The one way from a model to rows that may be read."""

from collections.abc import Mapping

from django.db import models

from kit.domain.actor import Actor
from kit.domain.base_model import ResourceQuerySet


def visible(
    model: type[models.Model], actor: Actor, *, with_deleted: bool, bounds: Mapping[str, object] | None = None
) -> ResourceQuerySet:
    """The model's rows through its read gate. bounds: of the ids of the rows that are asked for."""
    objects = model.objects  # type: ignore[attr-defined]
    rows: ResourceQuerySet = objects.visible_within(actor, bounds or {}, with_deleted=with_deleted)
    return rows
