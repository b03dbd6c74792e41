"""Creating, changing, deleting and restoring promotions, any number at once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from carts.models import Promotion
from carts.promotions.promotion_terms import fault
from carts.promotions.stated_tax import StatedTax, StatedTaxState, without_null
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values.metadata import Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionState(StatedTaxState):
    """The desired state of a promotion. value: percent, or an amount of the currency. products: ids; none for all."""

    code: str | Absent = ABSENT
    is_automatic: bool | Absent = ABSENT
    target: str | Absent = ABSENT
    value: Decimal | Absent = ABSENT
    starts_at: datetime | Absent | None = ABSENT
    ends_at: datetime | Absent | None = ABSENT
    usage_limit: int | Absent | None = ABSENT
    usage_limit_per_customer: int | Absent | None = ABSENT
    products: Collection[str] | Absent = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[PromotionState]) -> list[Edited[Promotion]]:
    """Create and change promotions: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    stated_tax = StatedTax(states)
    edits = RowEdits(Promotion, [without_null(state) for state in states], actor=actor)
    stated_tax.decide(edits)
    for index, row in enumerate(edits.rows):
        problem = None if edits.is_refused(index) else fault(**{name: getattr(row, name) for name in TERMS})
        if problem:
            edits.refuse(index, problem[0], InvalidData(f"The promotion {problem[1]}."))
    return edits.write()


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Soft-delete promotions; open carts lose them with their next change. Raises NotFound, Forbidden."""
    delete_rows(Promotion, ids, actor=actor)


@transaction.atomic
def restore(*, actor: Actor, ids: Sequence[str]) -> None:
    """Restore promotions. Raises NotFound, NotDeleted, ValueTaken, Forbidden."""
    restore_rows(Promotion, ids, actor=actor)


TERMS = (
    *("type", "value", "currency_id", "is_tax_inclusive", "starts_at", "ends_at"),
    *("usage_limit", "usage_limit_per_customer", "used"),
)
VERBS = RowVerbs(state=PromotionState, put=put, delete=delete, restore=restore)
