"""The list of orders: what is to be done, the search, and what it costs."""

import re

import pytest
from django.contrib.admin.utils import quote
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from orders.admin.to_do import Task, tasks_of
from orders.fulfillments import reversal, shipping
from orders.fulfillments.locked_lines import lock_fulfillment
from orders.models import CarrierRequest, Fulfillment, Order
from orders.states import CarrierAct
from payments.models import Intent
from payments.states import Act, Result
from shop.models import SalesChannel
from tests.factories.carts import sold_variant
from tests.factories.customers import CustomerFactory
from tests.kit.admin.visits import superuser, visitor
from tests.orders.fulfillments.shop import STAFF, ordered, pack
from tests.orders.placed import placed
from tests.orders.refunds.shop import payment_of, refund
from tests.orders.returns.shop import delivered, paid, receive, request

pytestmark = pytest.mark.django_db
LIST = "/admin/orders/order/"


def found(query: str, client: Client | None = None) -> list[Order]:
    response = (client or superuser()).get(f"{LIST}?{query}")
    assert response.status_code == 200
    return list(response.context["cl"].result_list)


def to_do(order: Order) -> list[Task]:
    return tasks_of([order.pk])[order.pk]


def test_an_order_is_packed_shipped_and_done() -> None:
    order = paid()
    assert to_do(order) == [Task.PACK]
    first = pack(order, 3)
    assert to_do(order) == [Task.PACK, Task.SHIP]
    shipping.ship(actor=STAFF, fulfillment_id=first.pk)
    second = pack(order, 2)
    assert to_do(order) == [Task.SHIP]
    shipping.ship(actor=STAFF, fulfillment_id=second.pk)
    assert to_do(order) == []


def test_authorized_money_is_to_be_captured() -> None:
    assert to_do(ordered()) == [Task.PACK, Task.CAPTURE]


def test_an_order_that_is_not_paid_is_not_to_be_packed() -> None:
    order = ordered()
    Order.objects.filter(pk=order.pk).update(payment_status="awaiting")
    assert to_do(order) == []


def test_a_return_is_received_and_then_refunded() -> None:
    order = delivered()
    returned = request(order, 2)
    assert to_do(order) == [Task.RECEIVE]
    receive(returned, 1)
    assert to_do(order) == [Task.REFUND, Task.RECEIVE]
    receive(returned, 1)
    assert to_do(order) == [Task.REFUND]
    refund(order, 20, return_id=returned.pk)
    assert to_do(order) == []


def test_a_declined_refund_is_to_be_granted_again() -> None:
    order = delivered()
    first = refund(order, 5)
    Intent.objects.filter(refund_part__refund=first).update(result=Result.REFUSED, error="No such card")
    assert to_do(order) == [Task.REFUND]
    refund(order, 5)
    assert to_do(order) == []


def test_a_declined_capture_and_a_carrier_that_does_not_answer_need_attention() -> None:
    order, sent = delivered(), delivered()
    session = payment_of(order).session
    Intent.objects.create(
        session=session, act=Act.CAPTURE, amount=5, done_at=order.created_at, result=Result.REFUSED, error="No"
    )
    fulfillment = Fulfillment.objects.get(order=sent)
    CarrierRequest.objects.create(fulfillment=fulfillment, act=CarrierAct.CREATE, attempts=1, error="Timeout")
    assert to_do(order) == to_do(sent) == [Task.ATTENTION]


def test_a_refused_booking_needs_attention_until_all_is_packed_again() -> None:
    order = paid()
    refused = pack(order, 5)
    reversal.cancel_locked(lock_fulfillment(refused.pk), reason="Address unknown")
    assert to_do(order) == [Task.PACK, Task.ATTENTION]
    pack(order, 5)
    assert to_do(order) == [Task.SHIP]


def test_the_filter_finds_and_counts_what_is_to_be_done() -> None:
    orders = {"pack": paid(), "receive": delivered()}
    request(orders["receive"], 1)
    client = superuser()
    for name, order in orders.items():
        assert [row.pk for row in found(f"todo={name}", client)] == [order.pk]
    assert [found(f"todo={name}", client) for name in ("ship", "capture", "refund", "attention")] == [[]] * 4
    assert len(found("todo=nonsense", client)) == 2
    response = client.get(LIST)
    (filtered,) = [each for each in response.context["cl"].filter_specs if each.title == "to do"]
    assert [label for _, label in filtered.lookup_choices] == [
        *("To pack (1)", "To ship (0)", "To capture (0)", "To refund (0)", "Return to receive (1)"),
        *("Invoice waits (0)", "Needs attention (0)"),
    ]


def test_a_row_says_whose_order_it_is_and_what_is_to_be_done() -> None:
    customer = CustomerFactory(has_account=True, first_name="Zoe", last_name="Kent", email="zoe@example.com")
    order = placed(customer=customer)
    page = superuser().get(LIST).content.decode()
    text = " ".join(strip_tags(page).split())
    moment = f"{order.created_at:%-d %b %Y, %H:%M}"
    row = f"#{order.display_id} Zoe Kent zoe@example.com {moment} {order.sales_channel.name} 1 $10.00"
    assert f"{row} Pending Captured Not fulfilled To pack" in text


def test_a_row_has_the_number_of_units_and_the_sales_channel() -> None:
    order = ordered((sold_variant(10), 2), (sold_variant(20), 3))
    order.items.filter(quantity=2).update(deleted_at=order.created_at)
    SalesChannel.objects.filter(pk=order.sales_channel_id).update(name="Fair in Ghent")
    page = superuser().get(LIST).content.decode()
    assert re.findall(r'class="field-(?:items|channel)[^>]*>([^<]*)<', page) == ["Fair in Ghent", "3"]


def test_orders_are_found_by_number_email_name_company_and_sku() -> None:
    client = superuser()
    order = ordered((sold_variant(10, sku="MUG-1"), 2))
    other = placed()
    for word in (f"%23{order.display_id}", "ann@example.com", "Lee", "ann lee", order.pk, order.cart_id, "ANN@"):
        assert [row.pk for row in found(f"q={word}", client)] == [order.pk], word
    assert [row.pk for row in found("q=mug-1+lee", client)] == [order.pk]
    assert [row.pk for row in found("q=guest@example.com", client)] == [other.pk]
    assert found("q=nobody", client) == found(f"q=%23{'9' * 30}", client) == []


def test_the_order_with_the_number_comes_before_those_that_have_its_digits_elsewhere() -> None:
    client = superuser()
    first = ordered((sold_variant(10), 1))
    others = [ordered((sold_variant(10, sku=f"MUG-{first.display_id}{n}"), 1)) for n in range(2)]
    number = first.display_id
    assert [row.pk for row in found(f"q={number}", client)] == [first.pk, others[1].pk, others[0].pk]
    assert [row.pk for row in found(f"q={number}&o=1", client)] == [first.pk, others[0].pk, others[1].pk]
    assert [row.pk for row in found(f"q={number}&o=-1", client)] == [others[1].pk, others[0].pk, first.pk]
    palette = client.get(f"/admin/search/?s={number}").content.decode()
    assert palette.index(quote(first.pk)) < palette.index(quote(others[1].pk))


def test_the_list_costs_as_many_statements_for_many_orders_as_for_one() -> None:
    client = visitor("orders.view_order")
    counts = []
    for more in (1, 5):
        for _ in range(more):
            placed()
        client.get(LIST)
        with CaptureQueriesContext(connection) as seen:
            assert client.get(f"{LIST}?todo=pack").status_code == 200
        counts.append(len(seen))
    # session, user, two kinds of permissions, the counts, two filters' choices, count, page, what is to be done
    assert counts == [10, 10]
