"""Changing currencies, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from shop.models import Currency


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrencyState(RowState):
    """The desired state of a currency; ISO 4217 defines all else. id: its code."""

    is_tax_inclusive: bool | Absent = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[CurrencyState]) -> list[Edited[Currency]]:
    """Change currencies: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    return RowEdits(Currency, states, actor=actor).write()


VERBS = RowVerbs(state=CurrencyState, put=put)
