"""Orders, carts, gift cards and store credit on a customer's page, and one timeline."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.utils import quote
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from customers.models import Customer
from giftcards.codes import masked
from staff.models import User
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.kit.admin.visits import visitor
from tests.orders.admin.shop import example_order
from tests.orders.placed import placed

pytestmark = [pytest.mark.once, pytest.mark.django_db]
EVERYTHING = (
    *("customers.view_customer", "orders.view_order", "orders.view_return", "carts.view_cart"),
    *("giftcards.view_giftcard", "giftcards.view_storecreditaccount"),
)


def page(client: Client, customer: Customer) -> Any:
    response = client.get(f"/admin/customers/customer/{quote(customer.pk)}/change/")
    assert response.status_code == 200
    return response


def happened(context: Any) -> list[tuple[str, str]]:
    return [(strip_tags(entry.what), entry.by) for entry in context["timeline"]]


def shown_tables(context: Any) -> dict[str, int]:
    """The number of rows of each table."""
    sets = context["inline_admin_formsets"]
    return {str(each.opts.verbose_name_plural): len(each.formset.forms) for each in sets}


def test_it_shows_orders_carts_cards_credit_and_one_timeline() -> None:
    ann = User.objects.create_superuser("ann@shop.example", first_name="Ann", last_name="Moss")
    example = example_order(ann)
    cart = make.cart(make.sold_variant(Decimal(40)), actor=make.shopper(customer_id=example.customer.pk))
    context = page(visitor(*EVERYTHING), example.customer).context
    assert shown_tables(context) == {"Orders": 1, "Gift cards": 1, "Store credit": 1, "Unfinished carts": 1}
    number = f"#{example.order.display_id}"
    assert happened(context) == [
        (f"Unfinished cart: 1 line, ${cart.total:.2f}", ""),
        (f"$20.00 of order {number} refunded", "Ann Moss"),
        (f"Return 1 of order {number} requested", "Ann Moss"),
        (f"Order {number} placed, $80.00", "Customer"),
        ("Store credit -$15.00 (order)", ""),
        ("Store credit +$15.00 (gift card)", ""),
        (f"Gift card {masked(example.card.code)} of $15.00 issued", ""),
        ("Customer added", ""),
    ]


def test_each_part_needs_its_permission() -> None:
    customer = CustomerFactory(has_account=True)
    placed(customer=customer)
    make.cart(make.sold_variant(40), actor=make.shopper(customer_id=customer.pk))
    context = page(visitor("customers.view_customer"), customer).context
    assert shown_tables(context) == {}
    assert happened(context) == [("Customer added", "")]


def test_it_shows_twenty_orders_and_fifty_events_at_a_constant_cost() -> None:
    client, customer = visitor("customers.view_customer", "orders.view_order"), CustomerFactory(has_account=True)
    counts = []
    for more in (1, 20):
        for _ in range(more):
            placed(customer=customer)
            LogEntry.objects.log_actions(str(client.user.pk), [customer] * 2, CHANGE, "Changed.")
        page(client, customer)
        with CaptureQueriesContext(connection) as seen:
            context = page(client, customer).context
        counts.append(len(seen))
    assert shown_tables(context) == {"Orders": 20}
    assert len(happened(context)) == 50
    assert counts[0] == counts[1]
