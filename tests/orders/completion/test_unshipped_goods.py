"""Carts that hold only goods that are not shipped: bought without an address, by a storefront, packed and delivered."""

from decimal import Decimal
from typing import Any

import pytest

from carts.details import details
from carts.errors import LinesOutOfStock
from carts.lines.lines import NewLineItem
from carts.models import Cart
from catalog.models import InventoryItem, InventoryLevel, Product, ProductVariant, Reservation
from fulfillment.methods import method_choice
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from orders.common.errors import NoShippingAddress, NoShippingMethod
from orders.common.order_context import order_context
from orders.erasure.people import guest_of
from orders.fulfillments import delivery
from orders.managing.completion import unfinished
from orders.models import Order, OrderShippingMethodTaxLine
from orders.returns.creation import ReturnDetails
from orders.returns.shipping import ReturnShipping
from payments.models import Payment
from payments.movements import capturing
from tests.contract.callers import storefront
from tests.factories.apikeys import publishable_key
from tests.factories.carts import cart, ebook, selling_region, shopper, sold_variant
from tests.factories.checkout import ADDRESS, EMAIL, pay
from tests.factories.fulfillment import ProfileFactory, option
from tests.factories.payments import PROVIDER
from tests.factories.products import ProductFactory
from tests.factories.taxes import tax_rate
from tests.fulfillment.api.listing import names
from tests.orders.completing import completed, order_of
from tests.orders.erasure.test_erasing import refusal
from tests.orders.fulfillments.shop import STAFF, books, lines, pack
from tests.orders.returns.shop import request

pytestmark = pytest.mark.django_db(transaction=True)


def payable(*pieces: NewLineItem | ProductVariant, **given: Any) -> Cart:
    """A paid cart with an email address, and no other."""
    made = cart(*pieces, email=EMAIL, **given)
    made.region.payment_providers.add(PROVIDER)
    pay(made)
    return made


def licence(in_stock: int) -> ProductVariant:
    """Of which there are so many, and which is not shipped, as its item says."""
    variant = sold_variant(10, in_stock=in_stock)
    InventoryItem.objects.filter(variants=variant).update(requires_shipping=False)
    return variant


def refused(made: Cart) -> type[DomainError]:
    with pytest.raises(DomainError) as raised:
        completed(made)
    return raised.type


def capture(order: Order) -> None:
    capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get(collection__order_id=order.pk).pk, amount=None)


class TestBuying:
    def test_without_address_and_method(self) -> None:
        order = order_of(payable(ebook(), licence(3)))
        assert (order.total, order.shipping_address_id, order.billing_address_id) == (20, None, None)
        assert [line.requires_shipping for line in lines(order)] == [False, False]
        assert not order.shipping_methods.exists()

    def test_a_mug_beside_them_needs_both(self) -> None:
        made = payable(ebook(), sold_variant())
        assert refused(made) == NoShippingAddress
        details.change(actor=shopper(), cart_id=made.pk, shipping_address=dict(ADDRESS))
        assert refused(made) == NoShippingMethod

    def test_goods_that_begin_to_ship_need_both_at_once(self) -> None:
        made = payable(ebook())
        Product.objects.update(requires_shipping=True)
        assert refused(made) == NoShippingAddress
        assert made.items.get().requires_shipping

    def test_goods_that_cease_to_ship_need_neither(self) -> None:
        made = payable(sold_variant())
        assert refused(made) == NoShippingAddress
        Product.objects.update(requires_shipping=False)
        assert order_of(made).total == 10

    def test_the_last_licence_is_sold_once(self) -> None:
        variant = licence(2)
        first, second = (payable(NewLineItem(variant.pk, 2)) for _ in range(2))
        order = order_of(first)
        assert [each.quantity for each in Reservation.objects.filter(line_item_id=lines(order)[0].pk)] == [2]
        assert refused(second) == LinesOutOfStock
        assert InventoryLevel.objects.get().reserved_quantity == 2

    def test_a_storefront_sends_an_address_and_chooses_what_is_offered(self) -> None:
        """By REST, as both official storefronts do: they ask for an address and an option, whatever is bought."""
        store, (goods, files) = storefront(publishable_key()), (ProfileFactory(), ProfileFactory())
        option(5, name="Parcel", shipping_profile=goods)
        by_email = option(0, name="By e-mail", shipping_profile=files)
        tax_rate("us", 7)
        region = selling_region(tax_rate=20)
        region.payment_providers.add(PROVIDER)
        book, mug = ebook(20, shipping_profile=files), sold_variant(10, product=ProductFactory(shipping_profile=goods))
        path = f"/store/carts/{store.post('/store/carts', {'region_id': region.pk}).json()['cart']['id']}"
        made = Cart.objects.get()
        line = {"variant_id": book.pk, "quantity": 1}
        assert store.post(f"{path}/line-items", line).json()["cart"]["total"] == 21.4
        assert names(store, made) == ["By e-mail"]
        addresses = {"shipping_address": ADDRESS, "billing_address": ADDRESS, "email": EMAIL}
        assert store.post(path, addresses).status_code == 200
        assert names(store, made) == ["By e-mail"]
        chosen = store.post(f"{path}/shipping-methods", {"option_id": by_email.pk}).json()["cart"]
        assert (chosen["total"], [each["name"] for each in chosen["shipping_methods"]]) == (21.4, ["By e-mail"])
        added = store.post(f"{path}/line-items", {"variant_id": mug.pk, "quantity": 1}).json()["cart"]
        assert (added["total"], added["shipping_methods"], names(store, made)) == (32.1, [], ["Parcel"])
        mug_line = next(item["id"] for item in added["items"] if item["variant_id"] == mug.pk)
        assert store.send("DELETE", f"{path}/line-items/{mug_line}", b"").status_code == 200
        store.post(f"{path}/shipping-methods", {"option_id": by_email.pk})
        pay(made)
        done = store.post(f"{path}/complete").json()
        assert (done["type"], done["order"]["total"]) == ("order", 21.4)


class TestOrders:
    def test_they_are_packed_apart_and_delivered_without_a_shipment(self) -> None:
        order = order_of(payable(NewLineItem(licence(5).pk, 2)))
        assert books(order) == ([(0, 0, 0)], [(5, 2)], "not_fulfilled")
        parcel = pack(order, 2)
        assert (parcel.requires_shipping, books(order)) == (False, ([(2, 0, 0)], [(3, 0)], "fulfilled"))
        capture(order)
        order.refresh_from_db()
        assert unfinished(order) == []
        delivery.deliver(actor=STAFF, fulfillment_id=parcel.pk)
        assert books(order) == ([(2, 0, 2)], [(3, 0)], "delivered")
        assert list(discrepancies()) == []

    def test_an_erasure_waits_until_they_are_fulfilled(self) -> None:
        order = order_of(payable(ebook()))
        capture(order)
        assert refusal(guest_of(order.pk)) == f"order {order}: not all items are delivered"
        pack(order, 1)
        order.refresh_from_db()
        assert not unfinished(order)

    @pytest.mark.parametrize(("has_mug", "tax"), [(False, "1.30"), (True, "0.70")])
    def test_the_shipping_of_a_return_is_taxed_where_the_order_was(self, has_mug: bool, tax: str) -> None:
        """A return's label of 10.00: at 13 % for Ontario, where the bill goes; at 7 % for the mug's address."""
        tax_rate("us", 7)
        tax_rate("ca", 13)
        bill = {**ADDRESS, "country_code": "ca", "province": "ca-on"}
        pieces = [licence(3), *([sold_variant(10)] if has_mug else [])]
        made = cart(*pieces, email=EMAIL, shipping_address=dict(ADDRESS), billing_address=bill)
        method_choice.choose(actor=shopper(), cart_id=made.pk, option_id=option(0).pk)
        made.region.payment_providers.add(PROVIDER)
        pay(made)
        order = order_of(made)
        assert order_context(order.pk).tax_place.country_code == ("us" if has_mug else "ca")
        delivery.deliver(actor=STAFF, fulfillment_id=pack(order, 1).pk)
        label = option(10, rules=[("is_return", "eq", "true")])
        returned = request(order, 1, details=ReturnDetails(shipping=ReturnShipping(label.pk)))
        of_label = OrderShippingMethodTaxLine.objects.get(shipping_method__of_return=returned)
        assert of_label.total == Decimal(tax)
