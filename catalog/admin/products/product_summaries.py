"""What the list of products shows of their variants: prices, stock and sales channels, for all rows of a page."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import cast

from django.db.models import Max, Min

from catalog.models import Product, ProductVariant
from catalog.products.product_editing.prices import plain_prices
from kit.domain.actor import Actor
from kit.values.written_amounts import written


@dataclass(slots=True)
class Summary:
    """prices: the lowest and the highest plain price by currency. stock: available units, None if none are counted."""

    prices: dict[str, tuple[Decimal, Decimal]] = field(default_factory=dict)
    stock: int | None = None
    channels: list[str] = field(default_factory=list)

    @property
    def price_range(self) -> list[str]:
        """`£10.00 - £12.00`, one line per currency."""
        return [
            written(low, code) if low == high else f"{written(low, code)} - {written(high, code)}"
            for code, (low, high) in sorted(self.prices.items())
        ]


def summaries(actor: Actor, products: Sequence[Product]) -> Mapping[str, Summary]:
    """By product id, with what the actor may see. At most three statements."""
    found: dict[str, Summary] = defaultdict(Summary)
    keys = [product.pk for product in products]
    channels = Product.sales_channels.through.objects.filter(product__in=keys, saleschannel__deleted_at=None)
    for key, name in channels.order_by("saleschannel__name").values_list("product_id", "saleschannel__name"):
        found[key].channels.append(name)
    if actor.may("catalog.view_price"):
        _add_prices(found, keys)
    if actor.may("catalog.view_inventorylevel"):
        _add_stock(found, keys)
    return found


def _add_prices(found: Mapping[str, Summary], keys: Sequence[str]) -> None:
    of_variants = plain_prices().filter(price_set__variant__product__in=keys, price_set__variant__deleted_at=None)
    grouped = of_variants.values_list("price_set__variant__product", "currency_id").annotate(
        Min("amount"), Max("amount")
    )
    for key, code, low, high in grouped.order_by():
        found[key].prices[code] = (cast("Decimal", low), cast("Decimal", high))


def _add_stock(found: Mapping[str, Summary], keys: Sequence[str]) -> None:
    """In one statement: the levels of the items of the variants. Items that several variants share count once."""
    link = "inventory_links"
    item, level = f"{link}__inventory_item", f"{link}__inventory_item__levels"
    counted = ProductVariant.objects.not_deleted().filter(product__in=keys, manage_inventory=True)
    deletions = [f"{name}__deleted_at" for name in (link, item, level, f"{level}__location")]
    units = [f"{level}__stocked_quantity", f"{level}__reserved_quantity"]
    rows = counted.order_by().values_list("product_id", level, *units, *deletions).distinct()
    levels: dict[tuple[str, str], int] = {}
    for key, level_id, stocked, reserved, *deleted in rows:
        found[key].stock = found[key].stock or 0
        if level_id is not None and not any(deleted):
            levels[key, level_id] = stocked - reserved
    for (key, _), available in levels.items():
        found[key].stock = (found[key].stock or 0) + available
