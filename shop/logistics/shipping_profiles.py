"""Creating and changing shipping profiles, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.values.metadata import Metadata
from shop.models import ShippingProfile


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileState(RowState):
    """The desired state of a shipping profile."""

    name: str | Absent = ABSENT
    type: str | Absent = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[ProfileState]) -> list[Edited[ShippingProfile]]:
    """Create and change profiles: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    return RowEdits(ShippingProfile, states, actor=actor).write()


VERBS = RowVerbs(state=ProfileState, put=put)
