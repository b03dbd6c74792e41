"""Drafts that several people convert, change and delete at once."""

from collections import Counter
from typing import Any

import pytest

from carts.models import Cart, Promotion, PromotionCode
from catalog.models import Reservation
from giftcards.verification.verification import discrepancies
from orders.drafts import conversion, creation, items, lifecycle
from orders.drafts.items import DraftItem
from orders.models import Order, OrderChange, OrderNumber
from tests.concurrency.crowd import at_once
from tests.concurrency.test_fulfillments import outcome
from tests.factories import carts as make
from tests.orders.changes.shop import goods
from tests.orders.changes.shop import outcome as left
from tests.orders.drafts.shop import STAFF, draft, wanted

pytestmark = pytest.mark.django_db(transaction=True)
CROWD = 10


def single_use() -> str:
    """A code that can be used once, and takes 10 % off."""
    promotion = make.PromotionFactory(value=10, code="ONCE")
    promotion.codes.update(usage_limit=1)
    return str(promotion.code)


def used() -> tuple[int, int]:
    return Promotion.objects.get().used, PromotionCode.objects.get().used


def convert(made: Cart) -> str:
    return conversion.convert(actor=STAFF, draft_id=made.pk)


def test_a_draft_with_a_single_use_code_is_converted_once() -> None:
    made = draft(wanted(goods("mug", 10), 2), promo_codes=[single_use()])
    ids = at_once(lambda _: convert(made), threads=CROWD)
    order = Order.objects.get()
    assert (set(ids), used(), OrderNumber.objects.get().last) == ({order.pk}, (1, 1), 1)
    assert (left(order)[:3], Reservation.objects.get().quantity) == (("23.00", "23.00", "not_paid"), 2)
    assert list(discrepancies()) == []


def test_one_of_several_drafts_has_the_single_use() -> None:
    """The others are refused once, and shown without its discount."""
    code, mug = single_use(), goods("mug", 10, in_stock=50)
    drafts = [draft(mug, promo_codes=[code]) for _ in range(CROWD)]
    seen = at_once(lambda place: outcome(lambda: convert(drafts[place])), threads=CROWD)
    assert Counter(seen) == {"done": 1, "TotalChanged": CROWD - 1}
    assert (Order.objects.get().total, used(), Reservation.objects.count()) == (14, (1, 1), 1)
    others = [each.pk for each, what in zip(drafts, seen, strict=True) if what != "done"]
    assert set(Cart.objects.filter(pk__in=others).values_list("total", "completed_at")) == {(15, None)}
    assert list(discrepancies()) == []


def test_what_staff_prepare_is_not_lost_with_a_conversion(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that is begun before the conversion has the draft's lock refuses it."""
    made, complete = draft(goods("mug", 10)), conversion.complete

    def begun_meanwhile(**given: Any) -> Any:
        lifecycle.begin(actor=STAFF, draft_id=made.pk)
        return complete(**given)

    monkeypatch.setattr(conversion, "complete", begun_meanwhile)
    assert outcome(lambda: convert(made)) == "DraftBeingChanged"
    assert (Order.objects.count(), Reservation.objects.count()) == (0, 0)


@pytest.mark.parametrize("other", ["begin", "delete", "confirm"])
def test_a_conversion_beside_what_changes_the_draft(other: str) -> None:
    """Whoever comes first wins: no change is open of a draft that was converted, and none is lost."""
    made, tee = draft(goods("mug", 10)), goods("tee", 25)
    if other == "confirm":
        lifecycle.begin(actor=STAFF, draft_id=made.pk)
        items.add(actor=STAFF, draft_id=made.pk, items=[DraftItem(1, variant_id=tee.pk)])
    verbs = {"begin": lifecycle.begin, "delete": creation.delete, "confirm": lifecycle.confirm}
    both = [lambda: convert(made), lambda: verbs[other](actor=STAFF, draft_id=made.pk)]
    seen = tuple(at_once(lambda place: outcome(both[place]), threads=2))
    states = [*OrderChange.objects.values_list("status", flat=True)]
    if other == "confirm":
        assert seen in (("done", "done"), ("DraftBeingChanged", "done"))
        assert states == ["confirmed"]
        assert [*Order.objects.values_list("total", flat=True)] == ([40] if seen[0] == "done" else [])
    elif other == "begin":
        expected = {("done", "DraftConverted"): (1, []), ("DraftBeingChanged", "done"): (0, ["pending"])}
        assert (Order.objects.count(), states) == expected[seen]
    else:
        assert seen[1] == "done" if not Order.objects.exists() else seen == ("done", "DraftConverted")
        assert seen[0] in ("done", "DraftNotFound")
    assert list(discrepancies()) == []
