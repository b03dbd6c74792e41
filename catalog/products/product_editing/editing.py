"""The verb that edits products as a whole."""

from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from catalog import search
from catalog.errors import ProductNotFound
from catalog.models import Product
from catalog.products.product_editing.edits import PartChange, ProductEditRefused, ProductState
from catalog.products.product_editing.options import OptionEdits
from catalog.products.product_editing.prices import PriceEdits
from catalog.products.product_editing.stock import StockEdits
from catalog.products.product_editing.variants import VariantEdits
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.reporting import reported
from kit.values.timestamps import now


@transaction.atomic
@reported()
def edit_products(*, actor: Actor, states: Sequence[ProductState]) -> Mapping[str, list[PartChange]]:
    """Give products their options, variants, prices and stock: all of it, or nothing.

    states: at most one for each product. Returns what has changed, for the history, by product id.
    The number of statements depends neither on the products nor on the variants, up to 1,000 rows of a table; SQLite
    needs more, since it limits the values of one.

    Raises ProductNotFound (also for a deleted one), ProductEditRefused with all faults, Forbidden.
    """
    for permission in required_permissions(states):
        actor.require(permission)
    products = [state.id for state in states]
    missing = {*products} - {row.pk for row in lock_rows(Product.objects.not_deleted().filter(pk__in=products))}
    if missing:
        raise ProductNotFound(min(missing))
    moment = now()
    options, variants = OptionEdits(products, moment), VariantEdits(states, moment)
    prices, stock = PriceEdits(variants), StockEdits(states, variants, actor=actor)
    faults = []
    for state in states:
        of_options = options.put(state)
        faults += of_options
        if not of_options:
            faults += [*variants.put(state, options.ids(state), options.removed), *prices.put(state)]
    faults += [fault for state in states for fault in variants.code_faults(state)]
    if not faults:
        faults += stock.put_all()
    if faults:
        raise ProductEditRefused(faults)
    with search.paused():
        options.write()
        prices.write_sets()
        variants.write()
    search.refresh(products)
    prices.write()
    stock.write()
    return {key: [*options.changes.get(key, ()), *variants.changes.get(key, {}).values()] for key in products}


def required_permissions(states: Iterable[ProductState]) -> set[str]:
    """The Django permissions for these edits."""
    required = set()
    for state in states:
        if state.options is not None:
            required |= {f"catalog.{verb}_productoption" for verb in ("add", "change", "delete")}
        if state.deleted:
            required.add("catalog.delete_productvariant")
        for one in state.variants:
            required.add(f"catalog.{'add' if one.id is None else 'change'}_productvariant")
            if one.prices:
                required |= {f"catalog.{verb}_price" for verb in ("add", "change", "delete")}
            if one.stock:
                required |= {"catalog.add_inventorylevel", "catalog.change_inventorylevel"}
    return required
