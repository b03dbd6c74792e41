"""Changing email, addresses, locale and metadata of an order."""

from typing import Any

import pytest

from customers.models import Customer
from kit.domain.actor import Actor
from kit.errors import Forbidden
from orders.access.transfers.requesting import request_transfer
from orders.api.resources import ADMIN_ORDERS
from orders.managing import cancellation, details
from orders.models import Order, OrderAddress, OrderTaxLine
from tests.factories.carts import selling_region, shopper
from tests.factories.checkout import checked_out_cart, pay
from tests.factories.customers import CustomerFactory
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import events, ordered, pack
from tests.orders.managing.shop import history, refusal, staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(db: None) -> Actor:
    return staff()


@pytest.fixture
def order(db: None) -> Order:
    return ordered()


def change(order: Order, actor: Actor, **changes: Any) -> None:
    details.change(actor=actor, order_id=order.pk, **changes)
    order.refresh_from_db()


def test_email_locale_and_metadata(ann: Actor, order: Order) -> None:
    order.metadata = {"gift": True, "shelf": "A"}
    order.save()
    change(order, ann, email="  New@Example.com", locale="de-AT", metadata={"shelf": "", "erp": 7})
    assert (order.email, order.locale, order.metadata) == ("new@example.com", "de-AT", {"gift": True, "erp": 7})
    assert (order.version, events(order)) == (2, [("order.updated", order.pk)])
    assert history(order) == ["Changed email, locale, metadata."]


def test_the_order_is_found_by_its_new_texts(ann: Actor, order: Order) -> None:
    change(order, ann, email="new@pine.example", billing_address={"company": "Maple Ltd"})
    for text, number in (("pine.example", 1), ("Maple", 1), ("ann@example.com", 0)):
        query = ADMIN_ORDERS.list_query({"q": text, "fields": "id"})
        assert ADMIN_ORDERS.page(query, ann).count == number


def test_the_email_of_a_customers_order_is_where_its_mails_go(ann: Actor) -> None:
    customer: Customer = CustomerFactory(email="ann@example.com", has_account=True)
    order = ordered(customer_id=customer.pk)
    change(order, ann, email="office@example.com")
    customer.refresh_from_db()
    assert (order.email, order.customer, customer.email) == ("office@example.com", customer, "ann@example.com")


def test_a_changed_email_cancels_requests_to_transfer_the_order(ann: Actor, order: Order) -> None:
    customer: Customer = CustomerFactory(has_account=True)
    actor = shopper(customer_id=customer.pk)
    request_transfer(actor=actor, order_id=order.pk)
    change(order, ann, locale="de")
    assert order.transfers.get().status == "requested"
    change(order, ann, email="right@example.com")
    assert order.transfers.get().status == "canceled"


def test_omitted_fields_of_an_address_and_taxes_stay(ann: Actor) -> None:
    cart = checked_out_cart(region_id=selling_region(tax_rate=20).pk)
    pay(cart)
    order = order_of(cart)
    before = (order.total, order.tax_total, list(OrderTaxLine.objects.order_by("pk").values()))
    former, billing = order.shipping_address, order.billing_address
    assert former is not None
    change(order, ann, shipping_address={"address_1": "2 Oak", "city": None, "metadata": {"door": 3}})
    address = order.shipping_address
    assert address is not None
    assert (address.address_1, address.city, address.first_name, address.country_code) == ("2 Oak", None, "Ann", "us")
    assert address.metadata == {"door": 3}
    assert order.billing_address == billing
    assert not OrderAddress.objects.filter(pk=former.pk).exists()
    assert (order.total, order.tax_total, list(OrderTaxLine.objects.order_by("pk").values())) == before
    assert history(order) == ["Changed shipping address."]


def test_a_fulfillment_keeps_the_address_that_it_was_packed_for(ann: Actor, order: Order) -> None:
    made = pack(order, 2)
    former = order.shipping_address
    change(order, ann, shipping_address={"address_1": "2 Oak"}, billing_address={"address_1": "3 Elm"})
    made.refresh_from_db()
    assert made.delivery_address == former
    assert OrderAddress.objects.count() == 3
    later = pack(order, 2)
    assert later.delivery_address == order.shipping_address


def test_an_order_without_an_address_gets_one_without_a_country(ann: Actor) -> None:
    order = ordered()
    Order.objects.filter(pk=order.pk).update(billing_address=None)
    order.refresh_from_db()
    change(order, ann, billing_address={"company": "Ltd"})
    assert order.billing_address is not None
    assert order.billing_address.company == "Ltd"
    given = {"actor": ann, "order_id": order.pk, "billing_address": {"country_code": "us"}}
    message = "Country code cannot be changed in field 'billing_address, country_code'"
    assert refusal(details.change, **given) == ("invalid_data", message)


def test_equal_values_change_nothing(ann: Actor, order: Order) -> None:
    moment = order.updated_at
    same = {"email": order.email, "locale": order.locale, "shipping_address": {"city": "New York"}}
    change(order, ann, **same, metadata=None)
    change(order, ann)
    assert (order.version, order.updated_at, events(order), history(order)) == (1, moment, [], [])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"email": "nobody"}, "Value for field 'email' is not an email address"),
        ({"email": ""}, "Value for field 'email' is not an email address"),
        ({"locale": "x" * 36}, "Value for field 'locale' too long, expected at most: '35' characters"),
        (
            {"shipping_address": {"country_code": "ca"}},
            "Country code cannot be changed in field 'shipping_address, country_code'",
        ),
        (
            {"shipping_address": {"country_code": None}},
            "Country code cannot be changed in field 'shipping_address, country_code'",
        ),
        (
            {"billing_address": {"city": "a\0b"}},
            "Value for field 'billing_address, city' must not contain NUL characters",
        ),
        ({"metadata": {"a": "\0"}}, "Value for field 'metadata' must not contain NUL characters"),
    ],
)
def test_refusals_name_the_field(ann: Actor, order: Order, given: dict[str, Any], message: str) -> None:
    assert refusal(details.change, actor=ann, order_id=order.pk, **given) == ("invalid_data", message)
    order.refresh_from_db()
    assert (order.version, OrderAddress.objects.count()) == (1, 2)


def test_a_canceled_order_an_unknown_one_and_the_permission(ann: Actor, order: Order) -> None:
    given = {"actor": ann, "email": "new@example.com"}
    assert refusal(details.change, order_id="order_none", **given)[0] == "not_found"
    clerk = Actor("user", ann.id, permitted=lambda permission: permission != "orders.change_order")
    with pytest.raises(Forbidden, match=r"orders\.change_order"):
        details.change(actor=clerk, order_id=order.pk, email="new@example.com")
    cancellation.cancel(actor=ann, order_id=order.pk)
    message = f"Order with id {order.pk} has been canceled."
    assert refusal(details.change, order_id=order.pk, **given) == ("invalid_data", message)
