"""The one way from a model to rows that may be read."""

from django.db import models

from commerce.kit.core.actor import Actor
from commerce.kit.core.base_model import ResourceQuerySet


def visible(model: type[models.Model], actor: Actor, *, with_deleted: bool) -> ResourceQuerySet:
    """The model's rows through its read gate."""
    rows: ResourceQuerySet = model.objects.visible_to(actor, with_deleted=with_deleted)  # type: ignore[attr-defined]
    return rows
