"""The recipient of a gift card that is bought, by the line's metadata."""

from typing import Any

import pytest

from carts.details import creation
from carts.lines import line_addition, line_change
from carts.lines.lines import NewLineItem
from catalog.models import ProductVariant
from kit.errors import InvalidData
from tests.factories import carts as make
from tests.factories.products import ProductFactory

pytestmark = pytest.mark.django_db

NO_ADDRESS = "Value for field 'metadata.recipient_email' is not an email address"
TOO_LONG = "Value for field 'metadata.recipient_email' too long, expected at most: '254' characters"
NO_TEXT = "Expected type: 'string' for field 'metadata.recipient_email', got: '{}'"
WRONG = [
    ("bob", NO_ADDRESS),
    ("bob@example.com\r\nBcc: eve@example.com", NO_ADDRESS),
    (f"{'b' * 250}@example.com", TOO_LONG),
    (7, NO_TEXT.format(7)),
    (True, NO_TEXT.format(True)),
]
wrong = pytest.mark.parametrize(("value", "message"), WRONG)


def gift() -> ProductVariant:
    return make.sold_variant(50, product=ProductFactory(is_giftcard=True))


def refusal(verb: Any, **values: Any) -> str:
    with pytest.raises(InvalidData) as refused:
        verb(actor=make.shopper(), **values)
    return refused.value.message


@wrong
def test_a_line_is_not_added_with_it(value: Any, message: str) -> None:
    cart, variant = make.cart(), gift()
    given = {"variant_id": variant.pk, "quantity": 1, "metadata": {"recipient_email": value}}
    assert refusal(line_addition.add, cart_id=cart.pk, **given) == message
    assert refusal(creation.create, region_id=cart.region_id, items=[NewLineItem(**given)]) == message
    assert not cart.items.exists()


@wrong
def test_a_line_is_not_changed_to_it(value: Any, message: str) -> None:
    cart = make.cart(NewLineItem(gift().pk, 1, {"recipient_email": "ann@example.com"}))
    line = cart.items.get()
    given = {"cart_id": cart.pk, "line_id": line.pk, "quantity": 2, "metadata": {"recipient_email": value}}
    assert refusal(line_change.change, **given) == message
    line.refresh_from_db()
    assert (line.quantity, line.metadata) == (1, {"recipient_email": "ann@example.com"})


@pytest.mark.parametrize("metadata", [None, {}, {"recipient_email": None}, {"recipient_email": ""}])
def test_there_need_be_none(metadata: Any) -> None:
    cart = make.cart(NewLineItem(gift().pk, 1, metadata))
    assert cart.items.get().metadata == metadata


def test_it_can_be_set_and_removed_later() -> None:
    cart = make.cart(gift())
    line = cart.items.get()
    for given, stored in (("Bob@Example.com ", {"recipient_email": "Bob@Example.com "}), ("", {})):
        changed = {"quantity": 1, "metadata": {"recipient_email": given}}
        line_change.change(actor=make.shopper(), cart_id=cart.pk, line_id=line.pk, **changed)
        line.refresh_from_db()
        assert line.metadata == stored


def test_other_products_may_use_the_key_as_they_like() -> None:
    cart = make.cart(NewLineItem(make.sold_variant(10).pk, 1, {"recipient_email": "nobody"}))
    changed = {"quantity": 1, "metadata": {"recipient_email": 7}}
    line_change.change(actor=make.shopper(), cart_id=cart.pk, line_id=cart.items.get().pk, **changed)
    assert cart.items.get().metadata == {"recipient_email": 7}
