"""Creating, changing and deleting prices with their rules, any number at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from catalog.errors import QuantityRangeEmpty
from catalog.models import Price, PriceRule
from catalog.products.product_details import check_quantity_range, checked_amount
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.children import Children, Key
from kit.editing.deletion import delete_rows
from kit.editing.parts import Parts
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData

RuleKey = tuple[str, str]
"""The attribute and operator of a rule. A price has at most one of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceState(RowState):
    """The desired state of a price. rules: the value by attribute and operator, None for no rule; others stay.

    reduced_to: only reductions write it.
    """

    price_set_id: str | Absent = ABSENT
    price_list_id: str | Absent | None = ABSENT
    currency_id: str | Absent = ABSENT
    amount: Decimal | Absent = ABSENT
    reduced_to: Decimal | Absent = ABSENT
    min_quantity: int | Absent | None = ABSENT
    max_quantity: int | Absent | None = ABSENT
    rules: Mapping[RuleKey, str | None] = field(default_factory=dict)


class _Rules(Children[PriceRule]):
    model = PriceRule
    parent = "price_id"
    key = ("attribute", "operator")


def _put(*, actor: Actor, states: Sequence[PriceState]) -> list[Edited[Price]]:
    """Create and change prices: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    edits = RowEdits(Price, states, actor=actor)
    for index, row in enumerate(edits.rows):
        _check(edits, index, row)
    rules = _Rules([state.id for state in states if state.id and state.rules])
    for index, (state, row) in enumerate(zip(states, edits.rows, strict=True)):
        wanted: dict[Key, Mapping[str, object]] = {key: {"value": one.value} for key, one in rules.of(row.pk).items()}
        wanted |= {key: {"value": value} for key, value in state.rules.items() if value is not None}
        gone = [key for key, value in state.rules.items() if value is None]
        if state.rules and rules.replace(row.pk, {key: one for key, one in wanted.items() if key not in gone}):
            edits.note_change(index)
    written = edits.write()
    rules.write()
    return written


COLUMNS = ("price_set_id", "price_list_id", "currency_id", "amount", "min_quantity", "max_quantity")
VERBS = RowVerbs(Price, COLUMNS, state=PriceState, put=_put, delete=delete_rows)
PRICES = Parts(
    "prices",
    VERBS,
    parent="price_set_id",
    key="price_set_id",
    only={"price_list": None},
    names={"currency": "currency_code"},
)
"""The prices of a variant outside price lists, or those of a shipping option."""


def _check(edits: RowEdits[Price], index: int, row: Price) -> None:
    if edits.is_refused(index):
        return
    try:
        checked_amount(row.amount, row.currency_id)
    except InvalidData as refusal:
        edits.refuse(index, "amount", refusal)
    try:
        check_quantity_range(min_quantity=row.min_quantity, max_quantity=row.max_quantity)
    except QuantityRangeEmpty as refusal:
        edits.refuse(index, "max_quantity", refusal)
