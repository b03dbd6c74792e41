"""Variants with their option values, prices and inventory items."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db.models import Max

from catalog.models import PriceSet, Product, ProductVariant
from catalog.nested_writes.base_prices import replace_base_prices
from catalog.nested_writes.new_items import put_items
from catalog.nested_writes.variant_options import OptionValues
from catalog.products.product_editing import variant_details
from kit.domain.actor import Actor
from kit.editing.locked_rows import lock_parents
from kit.editing.nested_rows import NestedRows
from kit.editing.parts import PartWriter, is_given, own_state, refuse
from kit.editing.states import Edited, Fault
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.writes.insertion import insert

_LAST_RANK = 2**31 - 1


def put_variants(*, actor: Actor, states: Sequence[Any]) -> list[Edited[ProductVariant]]:
    """Create and change variants: all of them, or none. Faults in prices name their place, `prices[1].amount`."""
    lock_parents(Product, states, "product_id", of=ProductVariant)
    edited = variant_details.VERBS.put_inside(actor=actor, states=_details(states))
    writer = PartWriter(edited, states, actor=actor)
    replace_base_prices(writer)
    put_items(states, {index: one.row for index, one in enumerate(edited) if one.is_new}, actor=actor)
    return writer.edited


VERBS = RowVerbs(
    ProductVariant,
    (*variant_details.VERBS.columns, "prices", "inventory_items"),
    extras=("prices", "inventory_items"),
    put=put_variants,
    delete=variant_details.delete_variants,
    restore=variant_details.restore_variants,
)
"""options: the value of each option by its title, `{"Size": "L"}`; a new variant needs them.
prices: dictionaries, which replace the prices outside price lists; one with an `id` changes that price.
inventory_items: dictionaries, for a new variant alone; by default, it gets an item of its own.
A new variant without a rank becomes the last one.
"""
OF_PRODUCT = NestedRows(VERBS, "product_id")


def _details(states: Sequence[Any]) -> list[Any]:
    """The states of the variants' own rows. Inserts the price sets that they need."""
    stored = _stored([state.id for state in states if state.id is not None])
    owners = [state.product_id if state.id is None else stored.get(state.id, ("", None))[0] for state in states]
    chosen = [state.id is None or is_given(state, "options") for state in states]
    is_last = [state.id is None and not is_given(state, "variant_rank") for state in states]
    values = OptionValues({owner for owner, is_chosen in zip(owners, chosen, strict=True) if is_chosen})
    ranks = _last_ranks({owner for owner, last in zip(owners, is_last, strict=True) if last})
    details, sets, faults = [], [], []
    for index, (state, owner) in enumerate(zip(states, owners, strict=True)):
        changes: dict[str, Any] = {}
        if chosen[index]:
            try:
                changes["options"] = values.ids(owner, state.options if is_given(state, "options") else {})
            except InvalidData as refusal:
                faults.append(Fault(index, "options", refusal))
        if is_last[index]:
            changes["variant_rank"] = ranks[owner] = min(ranks.get(owner, -1) + 1, _LAST_RANK)
        if is_given(state, "prices") and state.prices and not stored.get(state.id, ("", None))[1]:
            sets.append(PriceSet())
            changes["price_set_id"] = sets[-1].pk
        details.append(own_state(variant_details.VERBS, state, **changes))
    refuse(ProductVariant, faults)
    insert(sets)
    return details


def _stored(ids: Sequence[str]) -> Mapping[str | None, tuple[str, str | None]]:
    """The product and the price set of each variant."""
    rows = ProductVariant.objects.filter(pk__in=ids).values_list("pk", "product_id", "price_set_id")
    return {key: (product, price_set) for key, product, price_set in rows} if ids else {}


def _last_ranks(products: Collection[str]) -> dict[str, int]:
    """The highest rank among the variants of each product that has any."""
    rows = ProductVariant.objects.not_deleted().filter(product__in=products).order_by()
    return dict(rows.values_list("product").annotate(Max("variant_rank"))) if products else {}
