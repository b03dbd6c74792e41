"""Creating and changing sales channels, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from shop.models import SalesChannel


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelState(RowState):
    """The desired state of a sales channel."""

    name: str | Absent = ABSENT
    description: str | Absent | None = ABSENT
    is_disabled: bool | Absent = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[ChannelState]) -> list[Edited[SalesChannel]]:
    """Create and change channels: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    return RowEdits(SalesChannel, states, actor=actor).write()


VERBS = RowVerbs(state=ChannelState, put=put)
