"""Carts that many requests change at once, over HTTP and in several workers."""

from collections import Counter
from typing import Any

import pytest

from carts.models import Cart, LineItem
from tests.concurrency.running_server import Answered, RunningServer, Sent
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory, token_of

CROWD = 20
pytestmark = pytest.mark.django_db(transaction=True)


def statuses(answers: list[Answered]) -> Counter[int]:
    return Counter(answer.status for answer in answers)


@pytest.fixture
def cart() -> Cart:
    return make.cart()


def add(server: RunningServer, cart: Cart, keys: list[dict[str, str]]) -> tuple[list[Answered], LineItem]:
    """One piece of the same variant, added once with each of the headers, all at once; and the line that came of it."""
    variant = make.sold_variant(10)
    body = {"variant_id": variant.pk, "quantity": 1}
    path = f"/store/carts/{cart.pk}/line-items"
    answers = server.at_once(lambda turn: Sent(path, body, keys[turn]), number=len(keys))
    cart.refresh_from_db()
    return answers, cart.items.get()


@pytest.mark.parametrize(
    "keys",
    [[{}] * CROWD, [{"Idempotency-Key": f"a-key-of-its-own-{turn:04}"} for turn in range(CROWD)]],
    ids=["without keys", "with a key each"],
)
def test_a_line_added_by_many_requests_has_all_their_pieces(
    server: RunningServer, cart: Cart, keys: list[dict[str, str]]
) -> None:
    answers, line = add(server, cart, keys)
    assert statuses(answers) == {200: CROWD}
    reported = sorted(answer.body["cart"]["items"][0]["quantity"] for answer in answers)
    assert reported[-1] == CROWD
    assert all(
        quantity >= turn for turn, quantity in enumerate(reported, start=1)
    )  # each answer has its own piece at least
    assert (line.quantity, line.total, cart.total) == (CROWD, 10 * CROWD, 10 * CROWD)


def test_a_line_added_by_many_requests_with_one_key_is_added_once(server: RunningServer, cart: Cart) -> None:
    answers, line = add(server, cart, [{"Idempotency-Key": "the-same-key-for-all-of-them"}] * CROWD)
    assert statuses(answers) == {200: CROWD}
    assert Counter("idempotent-replayed" in answer.headers for answer in answers) == {True: CROWD - 1, False: 1}
    assert len({answer.body["cart"]["items"][0]["id"] for answer in answers}) == 1
    assert (line.quantity, cart.total) == (1, 10)


@pytest.mark.parametrize("is_of_guest", [False, True], ids=["of nobody", "of a guest"])
def test_of_many_requests_that_take_a_cart_over_one_succeeds(server: RunningServer, is_of_guest: bool) -> None:
    customers = [CustomerFactory() for _ in range(CROWD)]
    cart = make.cart(make.sold_variant(10))
    Cart.objects.filter(pk=cart.pk).update(customer=CustomerFactory(has_account=False) if is_of_guest else None)
    tokens = [{"Authorization": f"Bearer {token_of(customer)}"} for customer in customers]

    path = f"/store/carts/{cart.pk}/customer"
    answers = server.at_once(lambda turn: Sent(path, {}, tokens[turn]), number=CROWD)

    (owner,) = (customer for customer, answer in zip(customers, answers, strict=True) if answer.status == 200)
    refused = [answer for answer in answers if answer.status != 200]
    assert statuses(refused) == {404: CROWD - 1}
    assert all(answer.body == not_found(cart) for answer in refused)
    cart.refresh_from_db()
    assert (cart.customer_id, cart.email) == (owner.pk, owner.email)


def not_found(cart: Cart) -> dict[str, Any]:
    return {"type": "not_found", "message": f"Cart with id: {cart.pk} was not found"}
