"""Migrations of gift cards on a shop that has some."""

import pytest
from django.db import connection

from giftcards import triggers
from giftcards.models import GiftCard
from giftcards.verification.verification import discrepancies
from orders.completion.copies import order_line_id
from shop.models import Currency
from tests.factories.carts import cart, sold_variant
from tests.plugins.migrating import migrate, migrated_back

pytestmark = [pytest.mark.every(4), pytest.mark.django_db(transaction=True)]
BEFORE = "0004_holds"


def test_0005_gives_cards_of_cart_lines_the_ids_of_order_lines() -> None:
    line = cart(sold_variant(50)).items.get()
    Currency.objects.get_or_create(code="usd")
    with migrated_back("giftcards", BEFORE) as apps:
        old = apps.get_model("giftcards", "GiftCard").objects
        for code, bought in {
            "FIRST": {"line_item_id": line.pk, "unit": 1},
            "SECOND": {"line_item_id": line.pk, "unit": 2},
            "ISSUED": {},
        }.items():
            old.create(code=code, value=25, currency_id="usd", **bought)
        kept = list(old.order_by("pk").values("id", "code", "value", "status", "created_at"))
        migrate("giftcards", "0005_order_lines")
        cards = GiftCard.objects.order_by("pk")
        assert list(cards.values("id", "code", "value", "status", "created_at")) == kept
        assert list(cards.values_list("code", "line_item_id", "unit")) == [
            ("FIRST", order_line_id(line.pk), 1),
            ("SECOND", order_line_id(line.pk), 2),
            ("ISSUED", None, None),
        ]
        assert list(triggers.missing(connection)) == []
        migrate("giftcards", BEFORE)
        assert list(triggers.missing(connection)) == []
        assert list(old.order_by("pk").values_list("code", "line_item_id", "unit")) == [
            ("FIRST", line.pk, 1),
            ("SECOND", line.pk, 2),
            ("ISSUED", None, None),
        ]
    assert set(GiftCard.objects.values_list("line_item_id", flat=True)) == {order_line_id(line.pk), None}
    assert list(discrepancies()) == []
