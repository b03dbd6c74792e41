"""`manage.py erase_customer`."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from customers.models import Customer
from orders.models import Order
from tests.factories.carts import cart as new_cart
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import store_credit
from tests.orders.placed import GUEST, placed

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("erase_customer", *arguments, stdout=out)
    return out.getvalue().splitlines()


def answers(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("builtins.input", lambda question: text)


def test_it_says_what_it_will_do_and_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    customer = CustomerFactory(email="pia@example.com")
    store_credit(customer, 5)
    Order.objects.filter(pk=placed(customer=customer).pk).update(status="completed")
    Order.objects.filter(pk=placed(email="pia@example.com").pk).update(status="completed")
    answers(monkeypatch, "Pia@Example.com ")
    lines = run(customer.pk)
    assert [line.split(":")[0] for line in lines] == [
        "Erased now",
        "Erased from 1 order",
        "Kept for accounting",
        "Lost by the person",
        "Gift cards",
        "Not erased",
        "Erased. Orders erased",
    ]
    assert "1 order that guests placed with this email" in lines[5]
    assert lines[-1] == "Erased. Orders erased: 1, to be erased later: 0."
    assert Customer.objects.get(pk=customer.pk).email is None


def test_without_the_answer_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    customer = CustomerFactory()
    answers(monkeypatch, "yes")
    with pytest.raises(CommandError, match="Nothing was erased"):
        run(customer.pk)
    assert Customer.objects.get(pk=customer.pk).email == customer.email


def test_a_guest_by_email_without_a_question() -> None:
    new_cart(email=GUEST)
    assert run("--email", GUEST.upper(), "--yes")[-1] == "Erased. Orders erased: 0, to be erased later: 0."
    with pytest.raises(CommandError, match="There is no guest with email"):
        run("--email", GUEST, "--yes")


@pytest.mark.parametrize("arguments", [(), ("cus_1", "--email", GUEST), ("cus_nope", "--yes")])
def test_whom_it_does_not_find(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        run(*arguments)


def test_an_open_order_is_named() -> None:
    order: Any = placed()
    with pytest.raises(CommandError, match=f"order {order}: not all items are delivered"):
        run("--email", GUEST, "--yes")
