"""Changing the store: its name and its defaults."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from shop.models import Region, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreState(RowState):
    """The desired state of the store."""

    name: str | Absent = ABSENT
    default_sales_channel_id: str | Absent = ABSENT
    default_region_id: str | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[StoreState]) -> list[Edited[Store]]:
    """Change the store. A shop with regions must have a default one: without it, no price would have a currency.

    Raises NotFound, RowsRefused, Forbidden.
    """
    edits = RowEdits(Store, states, actor=actor)
    for index, state in enumerate(states):
        if state.default_region_id is None and Region.objects.not_deleted().exists():
            edits.refuse(index, "default_region", InvalidData("Field 'default_region' is required"))
    return edits.write()


VERBS = RowVerbs(state=StoreState, put=put)
