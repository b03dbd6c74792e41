"""Shoppers of a generated shop: customers with addresses, guests with carts."""

from typing import Any

from django.db import connection, transaction

from auth.account_types import actors
from auth.models import AuthIdentity
from auth.tokens.tokens import issue
from carts.details.addresses import Address
from carts.details.creation import create
from carts.lines.lines import NewLineItem
from catalog.models import ProductVariant
from customers.models import Customer, CustomerAddress
from fulfillment.models import ShippingOption
from kit.domain.actor import Actor
from payments.lifecycle.cart_collection import open_collection
from shop.models import PaymentProvider, Region, Store
from tests.bench.shipping_data import fill_shipping
from tests.bench.stock_data import stock_up

CUSTOMERS = 40
ADDRESSES = 5
CARTS = 1600
"""Of either size: as many as five rounds have requests, so that each gets one new line by then."""
SMALL, LARGE = 2, 10
FURTHER = 10
"""Variants that are in no cart yet."""
PAYMENT_PROVIDER = "pp_system_default"
PLENTY = 1_000_000
NO_PASSWORD = "!"


@transaction.atomic
def fill_shoppers() -> dict[str, Any]:
    """Make them, with enough of everything in stock; what the cases' requests name."""
    store = Store.objects.get()
    guest = Actor("anonymous", None, (store.default_sales_channel_id,))
    stock_up(PLENTY)
    fill_shipping()
    _analyze()
    shown = ProductVariant.objects.visible_to(guest).order_by("id").values_list("pk", flat=True)
    variants = list(shown[: LARGE + FURTHER])
    collected = [_shipped_cart(guest, variants[:SMALL]) for _ in range(CUSTOMERS)]
    PaymentProvider.objects.get(pk=PAYMENT_PROVIDER).regions.add(Region.objects.get(pk=store.default_region_id))
    return {
        "region_id": store.default_region_id,
        "known_variant": variants[0],
        "new_variants": variants[LARGE:],
        "small_carts": _carts(guest, variants[:SMALL]),
        "large_carts": _carts(guest, variants[:LARGE]),
        "shipped_carts": [_shipped_cart(guest, variants[:SMALL]) for _ in range(CUSTOMERS)],
        "shipping_option": ShippingOption.objects.filter(name="Standard").order_by("pk")[0].pk,
        "paid_carts": _carts(guest, variants[:SMALL]),
        "payable_carts": _carts(guest, variants[:1]),
        "collected_carts": collected,
        "collections": [open_collection(actor=guest, cart_id=cart_id) for cart_id in collected],
        "currency_code": store.default_region.currency_id if store.default_region else None,
        "customers": [_customer(number) for number in range(CUSTOMERS)],
    }


def _carts(guest: Actor, variants: list[str]) -> list[str]:
    carts = [create(actor=guest, items=[NewLineItem(variant, 1) for variant in variants]) for _ in range(CARTS)]
    _analyze()
    return carts


def _analyze() -> None:
    """Have statements planned again: planned for empty tables, a cart takes ten times as long."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _shipped_cart(guest: Actor, variants: list[str]) -> str:
    address: Address = {"first_name": "Ann", "city": "Berlin", "country_code": "de", "postal_code": "10115"}
    return create(actor=guest, items=[NewLineItem(variant, 1) for variant in variants], shipping_address=address)


def signed_in(email: str) -> tuple[Customer, str]:
    """A new customer and its token."""
    customer = Customer.objects.create(email=email, has_account=True)
    identity = AuthIdentity.objects.create(email=email, password=NO_PASSWORD, customer_id=customer.pk)
    account = actors.resolve("customer", identity.pk, identity.stamp)
    assert account is not None  # it has just been made
    return customer, issue(account)


def _customer(number: int) -> tuple[str, list[str]]:
    """Their token, and the ids of their addresses; the last is the default."""
    customer, token = signed_in(f"customer{number}@shop.example")
    return token, [_address(customer, is_default=each == ADDRESSES).pk for each in range(1, ADDRESSES + 1)]


def _address(customer: Customer, *, is_default: bool) -> CustomerAddress:
    place = {"address_1": "Elm Street", "city": "Berlin", "country_code": "de", "postal_code": "10115"}
    flags = {"is_default_shipping": is_default, "is_default_billing": is_default}
    return CustomerAddress.objects.create(customer=customer, **place, **flags)
