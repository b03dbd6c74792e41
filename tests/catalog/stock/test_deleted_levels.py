"""A deleted stock level comes back, as the same row, whoever brings stock to its place."""

from collections.abc import Callable

import pytest

from catalog.models import InventoryLevel, ProductVariant
from catalog.products.product_editing.editing import edit_products
from catalog.products.product_editing.edits import ProductState, VariantState
from catalog.stock.stock_levels import delete_levels
from kit.domain.actor import SYSTEM
from orders.fulfillments import cancellation
from tests.factories.carts import sold_variant
from tests.factories.inventory import stock
from tests.factories.products import VariantFactory
from tests.factories.shop_file import load
from tests.orders.fulfillments.shop import ordered, pack

pytestmark = pytest.mark.django_db


def by_grid(variant: ProductVariant, level: InventoryLevel) -> None:
    state = ProductState(variant.product_id, variants=[VariantState(variant.pk, stock={level.location_id: 4})])
    edit_products(actor=SYSTEM, states=[state])


def by_shop_file(variant: ProductVariant, level: InventoryLevel) -> None:
    stocked = {"sku": variant.sku, "title": variant.title, "inventory": {level.location.name: 4}}
    load(products=[{"handle": variant.product.handle, "title": variant.product.title, "variants": [stocked]}])


@pytest.mark.parametrize("bring", [by_grid, by_shop_file])
def test_stock_that_staff_enter_brings_it_back(bring: Callable[[ProductVariant, InventoryLevel], None]) -> None:
    variant = VariantFactory(sku="CUP")
    level = stock(variant, 3)
    delete_levels(actor=SYSTEM, ids=[level.pk], force=True)
    bring(variant, level)
    assert [*InventoryLevel.objects.values_list("pk", "stocked_quantity", "deleted_at")] == [(level.pk, 4, None)]
    assert level.movements.count() == 3


def test_a_canceled_fulfillment_brings_it_back() -> None:
    order = ordered((sold_variant(10, in_stock=5), 5))
    packed = pack(order, 5)
    level = InventoryLevel.objects.get(stocked_quantity=0, location=packed.location_id)
    delete_levels(actor=SYSTEM, ids=[level.pk])
    cancellation.cancel(actor=SYSTEM, fulfillment_id=packed.pk)
    level.refresh_from_db()
    assert (level.stocked_quantity, level.reserved_quantity, level.deleted_at) == (5, 5, None)
