"""Orders that staff give to guests."""

import pytest

from customers.models import Customer
from kit.domain.actor import SYSTEM
from orders.mails.shared import order_page
from orders.mails.transfers import render_transfer_mail
from orders.managing import transfers
from orders.models import Order, OrderTransfer
from tests.contract.callers import Caller
from tests.orders.lookups.asking import LOOKUP, token_for
from tests.orders.placed import GUEST, placed

pytestmark = pytest.mark.django_db


def statuses(order: Order, *callers: Caller) -> list[int]:
    return [caller.get(f"/store/orders/{order.pk}").status_code for caller in callers]


def test_who_knows_the_id_of_an_account_s_former_order_does_not_see_it(
    ann: Customer, by_ann: Caller, guest: Caller
) -> None:
    made = placed(customer=ann)
    assert statuses(made, by_ann, guest) == [200, 404]
    transfers.to_guest(actor=SYSTEM, order_id=made.pk, email=GUEST)
    assert statuses(made, by_ann, guest) == [404, 404]
    assert order_page(Order.objects.get()) == ""
    answer = guest.post(f"{LOOKUP}/{token_for(guest, made.display_id)}").json()
    assert answer.get("order", {}).get("display_id") == made.display_id, answer


def test_a_guest_s_order_with_another_email_address_stays_open(guest: Caller) -> None:
    made = placed()
    transfers.to_guest(actor=SYSTEM, order_id=made.pk, email="other@example.com")
    assert statuses(made, guest) == [200]
    assert order_page(Order.objects.get()).endswith(f"/order/{made.pk}/confirmed")


def test_the_account_that_has_it_next_sees_it(ann: Customer, bob: Customer, by_bob: Caller) -> None:
    made = placed(customer=ann)
    transfers.to_guest(actor=SYSTEM, order_id=made.pk, email=GUEST)
    transfers.request_for(actor=SYSTEM, order_id=made.pk, customer_id=bob.pk)
    letter = render_transfer_mail(OrderTransfer.objects.get().pk, 1)
    assert letter is not None
    answer = by_bob.post(f"/store/orders/{made.pk}/transfer/accept", {"token": letter.context["token"]})
    assert (answer.status_code, statuses(made, by_bob)) == (200, [200])
