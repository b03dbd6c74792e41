"""Deleting regions."""

from collections.abc import Sequence
from functools import partial

from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows
from kit.editing.uses import require_unused
from kit.values.timestamps import now
from shop.models import Country, Region


def delete_regions(model: type[Region], ids: Sequence[str], *, actor: Actor) -> None:
    """Soft-delete regions; their countries are free for others.

    Raises RowInUse for the default region and for regions with carts or orders, NotFound, Forbidden.
    """
    delete_rows(model, ids, actor=actor, check=partial(require_unused, but=(Country,)))
    Country.objects.filter(region__in=ids).update(region=None, updated_at=now())
