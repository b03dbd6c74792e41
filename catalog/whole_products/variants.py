"""Variants with their option values, prices and inventory items."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db.models import Max

from catalog.models import PriceSet, Product, ProductVariant
from catalog.products.product_editing import variant_details
from catalog.whole_products.base_prices import put_prices
from catalog.whole_products.new_items import put_items
from catalog.whole_products.variant_options import OptionValues
from kit.domain.actor import Actor
from kit.editing.locked_rows import lock_parents
from kit.editing.nested_rows import NestedRows
from kit.editing.parts import is_given, own_state, parts_of, refuse
from kit.editing.states import Edited, Fault
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.writes.insertion import insert

_LAST_RANK = 2**31 - 1


def put_variants(*, actor: Actor, states: Sequence[Any]) -> list[Edited[ProductVariant]]:
    """Create and change variants: all of them, or none. Faults in prices name their place, `prices[1].amount`."""
    lock_parents(Product, states, "product_id", of=ProductVariant)
    edited = variant_details.VERBS.put_inside(actor=actor, states=_details(states))
    sets = {
        index: one.row.price_set_id
        for index, one in enumerate(edited)
        if is_given(states[index], "prices") and one.row.price_set_id
    }
    replaced = [price_set for index, price_set in sets.items() if not edited[index].is_new]
    changed = put_prices(parts_of(states, "prices"), sets, replaced, actor=actor)
    put_items(states, {index: one.row for index, one in enumerate(edited) if one.is_new}, actor=actor)
    return [Edited(one.row, one.is_new, one.is_changed or index in changed) for index, one in enumerate(edited)]


VERBS = RowVerbs(
    ProductVariant,
    (*variant_details.VERBS.columns, "prices", "inventory_items"),
    extras=("prices", "inventory_items"),
    put=put_variants,
    delete=variant_details.delete_variants,
    restore=variant_details.restore_variants,
)
"""options: a value of each option of the product, by title; a new variant needs them. prices: all of a variant outside
price lists, as mappings; one with an `id` changes that price. inventory_items: those of a new variant, as mappings;
otherwise it gets its own. A new variant is the last one unless it has a rank.
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
