"""Making gift cards, and withdrawing them."""

import logging
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from customers.models import Customer
from giftcards import codes
from giftcards.cards.issuing import Terms, issue, issue_for_line
from giftcards.errors import UnitTaken
from giftcards.models import GiftCard
from kit.domain.actor import ANONYMOUS, SYSTEM, Actor
from kit.errors import Forbidden, InvalidData
from kit.values.timestamps import now
from orders.models import OrderLineItem
from shop.models import Currency
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card
from tests.giftcards.books import unchanged
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db

FIVE = Terms(value=Decimal(5), currency_code="usd")


def line() -> OrderLineItem:
    return placed().items.get()


@pytest.fixture
def ann() -> Customer:
    return CustomerFactory(email="ann@example.com")


def test_a_new_card_is_pending_and_has_what_its_terms_say(ann: Customer) -> None:
    moment = now() + timedelta(days=365)
    terms = Terms(
        value=Decimal("49.99"),
        currency_code="USD",
        customer_id=ann.pk,
        expires_at=moment,
        reference="order",
        reference_id="order_1",
        note="Happy birthday",
        metadata={"wrapped": True},
    )
    (made,) = issue(actor=SYSTEM, terms=terms)
    card = GiftCard.objects.get()
    assert (card.pk, card.code) == (made.pk, made.code)
    assert (card.status, card.value, card.currency_id, card.customer_id) == ("pending", Decimal("49.99"), "usd", ann.pk)
    assert (card.reference, card.reference_id, card.note) == ("order", "order_1", "Happy birthday")
    assert (card.expires_at, card.metadata, card.line_item_id, card.unit) == (moment, {"wrapped": True}, None, None)


def test_many_cards_alike_have_each_a_code_of_its_own() -> None:
    made = issue(actor=SYSTEM, terms=FIVE, count=2_500)
    assert len({card.code for card in made}) == len({card.pk for card in made}) == GiftCard.objects.count() == 2_500
    assert set(GiftCard.objects.values_list("value", "status")) == {(Decimal(5), "pending")}


def test_a_code_has_twenty_letters_that_no_eye_takes_for_another() -> None:
    letters = [set() for _ in range(20)]  # type: list[set[str]]
    for card in issue(actor=SYSTEM, terms=FIVE, count=500):
        prefix, *parts = card.code.split("-")
        assert (prefix, [len(part) for part in parts]) == ("GIFT", [4] * 5)
        for place, letter in zip(letters, "".join(parts), strict=True):
            place.add(letter)
    for place in letters:
        assert len(place) == 24
        assert not place & set("0O1IL2Z5S8BU")


def test_a_code_is_shown_by_its_last_letters_alone(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        card = gift_card()
    assert str(card) == codes.masked(card.code) == f"…{card.code[-4:]}"
    assert card.code not in caplog.text


@pytest.mark.parametrize(
    ("terms", "match"),
    [
        ({"value": Decimal(0)}, "'value' too small"),
        ({"value": Decimal(-1)}, "'value' too small"),
        ({"value": Decimal("0.001")}, "'value' has more than 2 decimals of usd"),
        ({"value": Decimal("0.5"), "currency_code": "jpy"}, "'value' has more than 0 decimals of jpy"),
        ({"value": Decimal("1e11") + 1}, "'value' is out of bounds"),
        ({"value": Decimal("NaN")}, "'value' is out of bounds"),
        ({"value": Decimal("Infinity")}, "'value' is out of bounds"),
        ({"currency_code": "xyz"}, "'currency_code' is not an ISO 4217"),
        ({"currency_code": "chf"}, "no currency 'chf' of field 'currency_code'"),
        ({"customer_id": "cus_nobody"}, "was not found, given by field 'customer_id'"),
        ({"customer_id": "cus\0"}, "was not found, given by field 'customer_id'"),
        ({"expires_at": now()}, "'expires_at' must be in the future"),
        ({"note": "x" * 1_001}, "'note' too long"),
        ({"note": "a\0b"}, "'note' must not contain NUL"),
        ({"reference": "x" * 256}, "'reference' too long"),
        ({"reference_id": "x" * 256}, "'reference_id' too long"),
        ({"metadata": {"a": "\ud800"}}, "'metadata'"),
    ],
)
def test_a_card_is_refused_by_the_field_that_is_wrong(terms: dict[str, Any], match: str) -> None:
    Currency.objects.get_or_create(code="jpy")
    Currency.objects.filter(code="chf").delete()
    with unchanged(InvalidData, match):
        issue(actor=SYSTEM, terms=Terms(**{"value": Decimal(5), "currency_code": "usd", **terms}))


def test_a_deleted_customer_gets_no_card(ann: Customer) -> None:
    Customer.objects.filter(pk=ann.pk).update(deleted_at=now())
    with unchanged(InvalidData, "was not found, given by field 'customer_id'"):
        issue(actor=SYSTEM, terms=Terms(value=Decimal(5), currency_code="usd", customer_id=ann.pk))


@pytest.mark.parametrize("count", [0, -1, 100_001])
def test_the_number_of_cards_is_bounded(count: int) -> None:
    with unchanged(InvalidData, "'count' is out of bounds"):
        issue(actor=SYSTEM, terms=FIVE, count=count)


@pytest.mark.parametrize("actor", [ANONYMOUS, Actor("customer", "cus_ann"), Actor("user", "user_without_permissions")])
def test_only_who_may_add_cards_makes_some(actor: Actor) -> None:
    bought = line()
    with unchanged(Forbidden):
        issue(actor=actor, terms=FIVE)
    with unchanged(Forbidden):
        issue_for_line(actor=actor, terms=FIVE, line_item_id=bought.pk, units=1)


def cost(value: float | str, **terms: Any) -> Terms:
    """What a whole line was bought for."""
    return Terms(value=Decimal(value), **{"currency_code": "usd", **terms})


def test_a_bought_line_becomes_a_card_of_each_unit_once_however_often_it_is_asked() -> None:
    bought = line()
    first = issue_for_line(actor=SYSTEM, terms=cost(15), line_item_id=bought.pk, units=3)
    again = issue_for_line(actor=SYSTEM, terms=cost(15), line_item_id=bought.pk, units=3)
    assert [(card.pk, card.code, card.unit) for card in again] == [(card.pk, card.code, card.unit) for card in first]
    assert [(card.unit, card.value) for card in first] == [(1, 5), (2, 5), (3, 5)]
    assert GiftCard.objects.count() == 3


@pytest.mark.parametrize(
    ("terms", "values"),
    [
        (cost(10), ["3.34", "3.33", "3.33"]),
        (cost("0.05"), ["0.02", "0.02", "0.01"]),
        (cost(10, currency_code="jpy"), ["4", "3", "3"]),
    ],
)
def test_what_a_line_cost_is_on_its_cards_to_the_last_cent(terms: Terms, values: list[str]) -> None:
    Currency.objects.get_or_create(code="jpy")
    made = issue_for_line(actor=SYSTEM, terms=terms, line_item_id=line().pk, units=3)
    assert [card.value for card in made] == list(map(Decimal, values))


def test_a_line_that_cost_less_than_a_cent_for_each_unit_becomes_no_cards() -> None:
    bought = line()
    with unchanged(InvalidData, "'value' too small"):
        issue_for_line(actor=SYSTEM, terms=cost("0.02"), line_item_id=bought.pk, units=3)


def test_a_line_that_has_grown_gets_what_is_missing() -> None:
    bought = line()
    first = issue_for_line(actor=SYSTEM, terms=cost(5), line_item_id=bought.pk, units=1)
    grown = issue_for_line(actor=SYSTEM, terms=cost(15), line_item_id=bought.pk, units=3)
    assert [card.unit for card in grown] == [1, 2, 3]
    assert grown[0].pk == first[0].pk
    assert issue_for_line(actor=SYSTEM, terms=cost(5), line_item_id=bought.pk, units=1) == first


def test_a_line_of_more_units_than_a_statement_has_room_for() -> None:
    made = issue_for_line(actor=SYSTEM, terms=cost(3_000), line_item_id=line().pk, units=3_000)
    assert [card.unit for card in made] == list(range(1, 3_001))


@pytest.mark.parametrize("other", [cost(18), cost(15, currency_code="eur")])
def test_a_unit_is_not_made_again_with_another_value(other: Terms) -> None:
    bought = line()
    issue_for_line(actor=SYSTEM, terms=cost(10), line_item_id=bought.pk, units=2)
    with unchanged(UnitTaken, "unit 1 of line item"):
        issue_for_line(actor=SYSTEM, terms=other, line_item_id=bought.pk, units=3)


def test_cards_of_different_lines_are_different() -> None:
    one, two = (issue_for_line(actor=SYSTEM, terms=FIVE, line_item_id=line().pk, units=1) for _ in range(2))
    assert one != two
