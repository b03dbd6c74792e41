"""New price lists with their prices."""

from collections.abc import Sequence
from typing import Any

from catalog.models import PriceList
from catalog.prices import listed_prices, price_list_editing
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.parts import own_state, parts_of, put
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs


def _put(*, actor: Actor, states: Sequence[Any]) -> Sequence[Edited[PriceList]]:
    """Faults in prices name their place, `prices[0].amount`."""
    lists = [own_state(price_list_editing.VERBS, state) for state in states]
    edited = price_list_editing.VERBS.put(actor=actor, states=lists)
    parts = parts_of(states, "prices")
    prices = [listed_prices.VERBS.state(price_list_id=edited[part.index].row.pk, **part.values) for part in parts]
    put(listed_prices.VERBS.put, parts, prices, of=PriceList, actor=actor)
    return edited


VERBS = RowVerbs(
    PriceList,
    (*price_list_editing.VERBS.columns, "prices"),
    extras=("rules", "prices"),
    put=_put,
    delete=delete_rows,
    restore=restore_rows,
)
"""prices: dictionaries, for a new list alone, with the columns of catalog/prices/listed_prices.py."""
