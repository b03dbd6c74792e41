"""Creating, changing, deleting and restoring promotions, any number at once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from carts.models import Promotion
from carts.promotion_terms import fault
from commerce.kit.core.absent import ABSENT, Absent
from commerce.kit.core.actor import Actor
from commerce.kit.core.errors import InvalidData
from commerce.kit.core.metadata import Metadata
from commerce.kit.editing.deletion import delete_rows, restore_rows
from commerce.kit.editing.rows import RowEdits
from commerce.kit.editing.states import Edited, RowState
from commerce.kit.editing.verbs import RowVerbs


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionState(RowState):
    """The desired state of a promotion. value: percent, or an amount of the currency. products: ids; none for all."""

    code: str | Absent = ABSENT
    is_automatic: bool | Absent = ABSENT
    type: str | Absent = ABSENT
    target: str | Absent = ABSENT
    value: Decimal | Absent = ABSENT
    currency_id: str | Absent | None = ABSENT
    starts_at: datetime | Absent | None = ABSENT
    ends_at: datetime | Absent | None = ABSENT
    usage_limit: int | Absent | None = ABSENT
    usage_limit_per_customer: int | Absent | None = ABSENT
    products: Collection[str] | Absent = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[PromotionState]) -> list[Edited[Promotion]]:
    """Create and change promotions: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    edits = RowEdits(Promotion, states, actor=actor)
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


TERMS = ("type", "value", "currency_id", "starts_at", "ends_at", "usage_limit", "usage_limit_per_customer", "used")
VERBS = RowVerbs(state=PromotionState, put=put, delete=delete, restore=restore)
