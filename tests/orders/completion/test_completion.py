"""A cart becomes an order: checked, claimed, paid, frozen."""

from decimal import Decimal

import pytest

from carts.details import details
from carts.errors import CartCompleted, CartNotFound, LinesNotSold, LinesOutOfStock
from carts.lines import line_addition
from carts.lines.lines import NewLineItem
from carts.models import Cart
from catalog.models import Price, Reservation
from customers.models import Customer
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from kit.values.timestamps import now
from orders.common.errors import (
    NoEmail,
    NoItems,
    NoShippingAddress,
    NoShippingCountry,
    NoShippingMethod,
    PaymentNotInitiated,
    PaymentSessionRequired,
    RegionClosed,
    TotalChanged,
)
from orders.completion.completing import complete
from orders.managing import cancellation
from orders.models import Order
from payments.models import PaymentCollection
from tests.factories.carts import cart as new_cart
from tests.factories.carts import selling_region, shopper, sold_variant, title_of
from tests.factories.checkout import EMAIL, checked_out_cart, pay, ready_cart, stocked
from tests.factories.customers import CustomerFactory
from tests.factories.payments import collection
from tests.orders.completing import completed, nothing_is_claimed, order_of

pytestmark = pytest.mark.django_db(transaction=True)


def refused(cart: Cart, refusal: type[DomainError]) -> str:
    """The message of a refusal that claims nothing."""
    with pytest.raises(refusal) as raised:
        completed(cart)
    assert nothing_is_claimed(cart)
    return raised.value.message


class TestTheOrder:
    def test_it_has_everything_that_the_cart_showed(self) -> None:
        cart = ready_cart(metadata={"source": "newsletter"})
        order = order_of(cart)
        assert (order.status, order.payment_status, order.fulfillment_status) == (
            "pending",
            "authorized",
            "not_fulfilled",
        )
        assert (order.total, order.item_total, order.shipping_total) == (Decimal(55), Decimal(50), Decimal(5))
        assert (order.original_order_total, order.paid_total, order.version) == (Decimal(55), 0, 1)
        assert (order.email, order.region_id, order.currency_id) == (EMAIL, cart.region_id, "usd")
        assert (order.sales_channel_id, order.cart_id, order.metadata) == (
            cart.sales_channel_id,
            cart.pk,
            {"source": "newsletter"},
        )
        (line,), (method,) = order.items.all(), order.shipping_methods.all()
        (cart_line,) = cart.items.all()
        assert line.pk == cart_line.pk.replace("cali_", "ordli_")
        copied = ("title", "variant_id", "product_id", "unit_price", "quantity", "total", "detail_id", "product_handle")
        assert [getattr(line, name) for name in copied] == [getattr(cart_line, name) for name in copied]
        assert (method.name, method.amount, method.total) == ("Option 0", 5, 5)
        assert order.shipping_address is not None
        assert order.billing_address is not None
        assert (order.shipping_address.first_name, order.billing_address.city) == ("Ann", "New York")
        assert order.shipping_address_id == str(cart.shipping_address_id).replace("caaddr_", "ordaddr_")

    def test_the_cart_is_completed_and_its_collection_is_the_orders(self) -> None:
        cart = ready_cart()
        order = order_of(cart)
        assert Cart.objects.get(pk=cart.pk).completed_at is not None
        (paid,) = PaymentCollection.objects.filter(order_id=order.pk)
        assert (paid.cart_id, paid.amount, paid.status) == (cart.pk, 55, "authorized")

    def test_a_completed_cart_refuses_every_change(self) -> None:
        cart = ready_cart()
        order_of(cart)
        message = f"Cart {cart.pk} is already completed."
        with pytest.raises(CartCompleted) as raised:
            details.change(actor=shopper(), cart_id=cart.pk, email="z@example.com")
        assert raised.value.message == message
        with pytest.raises(CartCompleted):
            line_addition.add(actor=shopper(), cart_id=cart.pk, variant_id=sold_variant().pk, quantity=1)

    def test_taxes_and_lines_are_copied_to_the_cent(self) -> None:
        """Case 19."""
        region = selling_region(tax_rate="8.875")
        lines = [NewLineItem(sold_variant(amount).pk, 3) for amount in ("9.99", "0.37")]
        cart = ready_cart(*lines, region_id=region.pk)
        order = order_of(cart)
        cart.refresh_from_db()
        names = [column.name for column in Cart._meta.fields if column.name.endswith("total")]
        assert {name: getattr(order, name) for name in names} == {name: getattr(cart, name) for name in names}
        taxes = [tax for line in order.items.all() for tax in line.tax_lines.all()]
        assert sum(tax.total for tax in taxes) == order.item_tax_total
        assert {str(tax.rate.normalize()) for tax in taxes} == {"8.875"}
        (shipping_tax,) = order.shipping_methods.get().tax_lines.all()
        assert shipping_tax.total == order.shipping_tax_total

    def test_a_customer_gets_an_order_of_their_own(self) -> None:
        customer = CustomerFactory(has_account=True)
        order = order_of(ready_cart(customer_id=customer.pk))
        assert order.customer_id == customer.pk

    def test_a_guests_order_has_no_customer_and_makes_none(self) -> None:
        CustomerFactory(email=EMAIL, has_account=True)
        order = order_of(ready_cart())
        assert (order.customer_id, order.email, Customer.objects.count()) == (None, EMAIL, 1)

    def test_numbers_are_gapless_and_ascending(self) -> None:
        """Case 21."""
        carts = [ready_cart() for _ in range(3)]
        numbers = [order_of(carts[0]).display_id]
        with pytest.raises(NoItems):
            completed(new_cart())
        numbers += [order_of(each).display_id for each in carts[1:]]
        assert numbers == [1, 2, 3]


class TestAgain:
    def test_every_later_call_gives_the_same_order(self) -> None:
        """Case 2."""
        cart = ready_cart()
        order = order_of(cart)
        cart.region.payment_providers.clear()
        cart.region.deleted_at = now()
        cart.region.save()
        assert completed(cart).order_id == order.pk
        cancellation.cancel(actor=SYSTEM, order_id=order.pk)
        assert completed(cart).order_id == order.pk
        assert Order.objects.count() == 1

    def test_a_strangers_cart_is_not_found_before_and_after(self) -> None:
        customer = CustomerFactory(has_account=True)
        cart = ready_cart(customer_id=customer.pk)
        stranger = shopper(customer_id=CustomerFactory(has_account=True).pk)
        for _ in range(2):
            with pytest.raises(CartNotFound):
                complete(actor=stranger, cart_id=cart.pk)
            with pytest.raises(CartNotFound):
                complete(actor=shopper(), cart_id="cart_nope")
            completed(cart)


class TestRefused:
    """Case 14."""

    def test_an_empty_cart(self) -> None:
        assert refused(new_cart(), NoItems) == "Cannot complete a cart with no items"

    def test_without_e_mail(self) -> None:
        cart = ready_cart()
        details.change(actor=shopper(), cart_id=cart.pk, email=None)
        assert "'email'" in refused(cart, NoEmail)

    def test_without_shipping_address(self) -> None:
        cart = ready_cart(shipping=0)
        details.change(actor=shopper(), cart_id=cart.pk, shipping_address=None)
        assert "'shipping_address'" in refused(cart, NoShippingAddress)

    def test_with_a_shipping_address_without_a_country(self) -> None:
        cart = ready_cart(shipping=0)
        details.change(actor=shopper(), cart_id=cart.pk, shipping_address={"city": "Boston"})
        assert refused(cart, NoShippingCountry) == (
            "Field 'shipping_address.country_code' of the cart is required: it contains items that require shipping"
        )

    def test_without_shipping_method(self) -> None:
        cart = checked_out_cart(shipping=None)
        pay(cart)
        assert refused(cart, NoShippingMethod).startswith("No shipping method selected")

    def test_without_collection_or_session(self) -> None:
        cart = checked_out_cart()
        assert refused(cart, PaymentNotInitiated) == "Payment collection has not been initiated for cart"
        collection(cart)
        assert refused(cart, PaymentSessionRequired) == "Payment sessions are required to complete cart"

    def test_a_region_that_was_deleted(self) -> None:
        """Case 13."""
        cart = ready_cart()
        cart.region.deleted_at = now()
        cart.region.save()
        assert refused(cart, RegionClosed).endswith(f"no longer available: {cart.region.name}")

    def test_a_product_that_is_no_longer_sold(self) -> None:
        """Case 13."""
        variant = sold_variant(10)
        cart = ready_cart(variant)
        variant.product.status = "draft"
        variant.product.save()
        message = refused(cart, LinesNotSold)
        assert message == f"Remove from the cart what is no longer available: {title_of(variant)}"

    def test_a_variant_that_was_deleted_for_good(self) -> None:
        variant = sold_variant(10)
        cart, title = ready_cart(variant), title_of(variant)
        variant.delete()
        assert refused(cart, LinesNotSold) == f"Remove from the cart what is no longer available: {title}"

    def test_out_of_stock_names_the_line(self) -> None:
        variant = stocked(1)
        first, second = ready_cart(variant), ready_cart(variant)
        order_of(first)
        with pytest.raises(LinesOutOfStock) as raised:
            completed(second)
        assert variant.product.title in raised.value.message
        assert "iitem" not in raised.value.message
        assert "sloc" not in raised.value.message
        assert (raised.value.type, raised.value.code) == ("not_allowed", "insufficient_inventory")


class TestAChangedTotal:
    """Case 12."""

    def test_it_is_said_and_kept_and_completed_by_the_next_call(self) -> None:
        variant = sold_variant(10)
        cart = ready_cart(variant)
        Price.objects.filter(price_set=variant.price_set).update(amount=12)
        refused(cart, TotalChanged)
        cart.refresh_from_db()
        assert (cart.total, cart.item_total) == (17, 12)
        assert order_of(cart).total == 17


class TestNothingDue:
    def test_a_free_order_needs_no_session(self) -> None:
        """Case 18."""
        order = order_of(checked_out_cart(sold_variant(0), shipping=0))
        assert (order.total, order.payment_status) == (0, "captured")
        (paid,) = PaymentCollection.objects.filter(order_id=order.pk)
        assert (paid.amount, paid.status) == (0, "completed")


class TestStock:
    def test_it_is_reserved_for_the_orders_lines(self) -> None:
        variant = stocked(5)
        order = order_of(ready_cart(NewLineItem(variant.pk, 3)))
        (reserved,) = Reservation.objects.not_deleted()
        assert (reserved.line_item_id, reserved.quantity) == (order.items.get().pk, 3)
