"""Writing what belongs to variants and is written after them: prices of the sale, and stock."""

from collections.abc import Sequence
from typing import Any

from catalog.models import InventoryLevel, PriceList, VariantInventoryItem
from catalog.prices import listed_prices, price_list_editing
from catalog.spreadsheets.product_changes import VariantChange
from catalog.states import PriceListStatus, PriceListType
from catalog.stock.stock_changes import MOST_CHANGES, StockChange, change_stock
from catalog.stock.stock_levels import add_levels
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.errors import NotAllowed


class StockMoved(NotAllowed):
    """What was stocked when the change was planned is not any more."""

    message = "Its stock has changed since the preview. Upload the file again to see the difference."


def put_sale(variants: Sequence[VariantChange], title: str, actor: Actor) -> None:
    """Write the prices of the list, which is created with the first of them."""
    verbs, states, gone = listed_prices.VERBS, list[Any](), list[str]()
    new = [(made, code, amount) for made in variants for code, amount in made.sale.items()]
    if not new:
        return
    price_list = lock_rows(PriceList.objects.not_deleted().filter(title=title))
    key = price_list[0].pk if price_list else _new_list(title, actor)
    for made, code, amount in new:
        known = made.stored.sale.get(code) if made.stored else None
        if amount is None and known:
            gone.append(known[0])
        elif amount is not None and known:
            states.append(verbs.state(id=known[0], amount=amount))
        elif amount is not None:
            states.append(verbs.state(price_list_id=key, variant_id=made.id, currency_code=code, amount=amount))
    if gone:
        verbs.delete(actor=actor, ids=gone)
    if states:
        verbs.put_inside(actor=actor, states=states)


def _new_list(title: str, actor: Actor) -> str:
    verbs = price_list_editing.VERBS
    state = verbs.state(title=title, type=PriceListType.SALE.value, status=PriceListStatus.ACTIVE.value)
    return str(verbs.put_inside(actor=actor, states=[state])[0].row.pk)


def put_stock(variants: Sequence[VariantChange], actor: Actor) -> dict[tuple[str, str], tuple[int, int]]:
    """Book the stock, last, since others wait for levels. Returns it before and after, by variant and location.

    Raises StockMoved for quantities that are to be set in the place of others than planned.
    """
    moved = [made for made in variants if made.stock]
    new = [made.id for made in moved if made.stored is None]
    links = VariantInventoryItem.objects.not_deleted().filter(variant__in=new)
    items = dict(links.values_list("variant", "inventory_item")) if new else {}
    wanted = {
        (made.stored.item if made.stored else items.get(made.id, ""), location): (made.id, *stock)
        for made in moved
        for location, stock in made.stock.items()
    }
    wanted = {place: one for place, one in wanted.items() if place[0]}  # new variants without inventory have no stock
    levels = InventoryLevel.objects.not_deleted().filter(inventory_item__in={item for item, _ in wanted})
    before = {
        (row.inventory_item_id, row.location_id): row.stocked_quantity for row in (lock_rows(levels) if wanted else ())
    }
    if any(
        before.get((made.stored.item, location)) != current
        for made in moved
        for location, current in made.compared.items()
        if made.stored
    ):
        raise StockMoved
    added, changed = list[StockChange](), list[StockChange]()
    result = {}
    for place, (variant, quantity, difference) in sorted(wanted.items()):
        stocked = before.get(place, 0)
        result[variant, place[1]] = (stocked, stocked + difference if quantity is None else quantity)
        if place not in before:
            added.append(StockChange(*place, stocked_quantity=difference if quantity is None else quantity))
        else:
            changed.append(StockChange(*place, stocked_quantity=quantity, adjust_by=difference))
    for at in range(0, len(added), MOST_CHANGES):
        add_levels(actor=actor, levels=added[at : at + MOST_CHANGES])
    for at in range(0, len(changed), MOST_CHANGES):
        change_stock(actor=actor, changes=changed[at : at + MOST_CHANGES])
    return result
