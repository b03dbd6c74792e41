"""Price lists with reductions, for tests."""

from decimal import Decimal
from typing import Any

from django.db.models import F

from catalog.models import Price, PriceList, ProductVariant
from catalog.prices.reductions.reducing import Counts, reduce_next
from catalog.prices.reductions.reduction import Reduction, replace_reductions
from tests.factories.actors import staff_actor
from tests.factories.pricing import price
from tests.factories.products import VariantFactory

STAFF = staff_actor("catalog.add_price", "catalog.change_price", "catalog.delete_price")


def sold(amount: Any, **product: Any) -> ProductVariant:
    """A variant of a new product with these attributes, and a price in usd."""
    variant: ProductVariant = VariantFactory(**{f"product__{name}": value for name, value in product.items()})
    price(variant, amount)
    return variant


def reduce(sale: PriceList, percent: str = "10", **goods: Any) -> Counts:
    """Add a reduction of these rows to the list, and reduce their prices."""
    ids = {name: sorted(row.pk for row in rows) for name, rows in goods.items()}
    reduction = Reduction(Decimal(percent), ids)
    replace_reductions(actor=STAFF, price_list_id=sale.pk, add=reduction)
    return reduce_next(actor=STAFF, price_list_id=sale.pk, only=reduction).counts


def repeat(sale: PriceList) -> Counts:
    """Bring the list up to date."""
    return reduce_next(actor=STAFF, price_list_id=sale.pk, only=None).counts


def listed(sale: PriceList) -> list[tuple[Any, ...]]:
    """The prices of the list."""
    prices = Price.objects.not_deleted().filter(price_list=sale)
    prices = prices.order_by("currency", "amount", F("min_quantity").asc(nulls_first=True))
    return [(one.currency_id, one.amount, one.min_quantity, [str(rule) for rule in one.rules.all()]) for one in prices]


def amounts(sale: PriceList) -> dict[str, str]:
    """The amounts of the list, by the title of the product."""
    rows = Price.objects.not_deleted().filter(price_list=sale).select_related("price_set__variant__product")
    return {row.price_set.variant.product.title: f"{row.amount.normalize():f}" for row in rows}
