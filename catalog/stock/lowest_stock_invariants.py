"""The invariant of the lowest stock of products (catalog/stock/lowest_stock), for `manage.py verify_ledger`."""

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from catalog.models import Product, ProductVariant, StaleStock, VariantInventoryItem
from catalog.stock.lowest_stock.recomputing import AVAILABLE, stocked_links
from catalog.stock.lowest_stock.triggers import ITEM, LOCATION, PRODUCT, VARIANT
from kit.domain.invariants import Invariant


def _wrong_figures() -> "QuerySet[Product]":
    """The products whose lowest stock is wrong, but none whose stock is still marked as stale."""
    links = stocked_links().filter(variant__product=OuterRef("pk")).values("variant__product_id")
    lowest = Subquery(links.annotate(lowest=AVAILABLE).values("lowest"))
    products: QuerySet[Product] = Product.objects.alias(lowest=lowest, stored=F("lowest_stock__available"))
    is_missing = Q(lowest__isnull=False, stored__isnull=True)
    is_left_over = Q(lowest__isnull=True, stored__isnull=False)
    differs = Q(lowest__isnull=False, stored__isnull=False) & ~Q(lowest=F("stored"))
    return products.filter(is_missing | is_left_over | differs).exclude(_is_stale())


def _is_stale() -> Q:
    variants = ProductVariant.objects.filter(product=OuterRef("pk"), pk__in=_stale(VARIANT).values("key"))
    items = VariantInventoryItem.objects.filter(
        variant__product=OuterRef("pk"), inventory_item__in=_stale(ITEM).values("key")
    )
    return (
        Q(Exists(_stale(PRODUCT).filter(key=OuterRef("pk"))))
        | Q(Exists(variants))
        | Q(Exists(items))
        | Q(Exists(_stale(LOCATION)))
    )


def _stale(kind: str) -> "QuerySet[StaleStock]":
    return StaleStock.objects.filter(kind=kind)


LOWEST_STOCK_INVARIANTS = (
    Invariant(_wrong_figures, "The lowest stock of product {id} differs from its stock levels: run rebuild_search"),
)
