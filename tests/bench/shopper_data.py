"""Shoppers of a generated shop: customers with addresses, guests with carts."""

from typing import Any

from django.db import connection, transaction

from carts.creation import create
from carts.lines import Piece
from catalog.models import InventoryLevel, ProductVariant
from commerce.core.actor import Actor
from commerce.shop.models import Store
from customers.models import CustomerAddress
from tests.factories.customers import AddressFactory, CustomerFactory, token_of

CUSTOMERS = 40
ADDRESSES = 5
CARTS = 1600
"""Of either size: as many as five rounds have requests, so that each gets one new line by then."""
SMALL, LARGE = 2, 10
FURTHER = 10
"""Variants that are in no cart yet."""
PLENTY = 1_000_000


@transaction.atomic
def fill_shoppers() -> dict[str, Any]:
    """Make them, with enough of everything in stock; what the cases' requests name."""
    store = Store.objects.get()
    guest = Actor("anonymous", None, (store.default_sales_channel_id,))
    InventoryLevel.objects.update(stocked_quantity=PLENTY)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # planned for empty tables, a cart takes ten times as long
    shown = ProductVariant.objects.visible_to(guest).order_by("id").values_list("pk", flat=True)
    variants = list(shown[: LARGE + FURTHER])
    return {
        "region_id": store.default_region_id,
        "known_variant": variants[0],
        "new_variants": variants[LARGE:],
        "small_carts": _carts(guest, variants[:SMALL]),
        "large_carts": _carts(guest, variants[:LARGE]),
        "customers": [_customer() for _ in range(CUSTOMERS)],
    }


def _carts(guest: Actor, variants: list[str]) -> list[str]:
    return [create(actor=guest, items=[Piece(variant, 1) for variant in variants]) for _ in range(CARTS)]


def _customer() -> tuple[str, list[str]]:
    """The token, and the ids of the addresses; the first is the default."""
    customer = CustomerFactory()
    made: list[CustomerAddress] = AddressFactory.create_batch(
        ADDRESSES, customer=customer, country_code="de", province=None
    )
    CustomerAddress.objects.filter(pk=made[0].pk).update(is_default_shipping=True, is_default_billing=True)
    return token_of(customer), [address.pk for address in made]
