"""Creating, changing and deleting the rules of price lists, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from catalog.models import PriceListRule
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import remove_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleState(RowState):
    """The desired state of a rule. value: the texts of which the buyer's attribute must be one."""

    price_list_id: str | Absent = ABSENT
    attribute: str | Absent = ABSENT
    value: Sequence[str] | Absent = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[RuleState]) -> list[Edited[PriceListRule]]:
    """Create and change rules: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    return RowEdits(PriceListRule, states, actor=actor).write()


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Delete rules for good: a list has one for each attribute. Raises NotFound, Forbidden."""
    remove_rows(PriceListRule, ids, actor=actor)


VERBS = RowVerbs(state=RuleState, put=put, delete=delete)
