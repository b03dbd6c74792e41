"""Exchanges and claims of one order by many people at once."""

from collections import Counter

import pytest

from giftcards.verification.verification import discrepancies
from orders.exchanges import cancellation, exchanging, lifecycle
from orders.exchanges.written_off import ClaimedUnits
from orders.fulfillments import shipping
from orders.models import Return
from orders.returns import cancellation as return_cancellation
from orders.states import ClaimType
from tests.concurrency.crowd import at_once
from tests.concurrency.test_fulfillments import outcome
from tests.orders.changes.shop import goods, line, reserved
from tests.orders.changes.shop import outcome as left
from tests.orders.exchanges.shop import delivered_a, exchanged, ready
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.returns.shop import receive

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


def test_an_exchange_is_confirmed_once_and_canceled_once() -> None:
    order, blue = delivered_a(), goods("blue", 10, in_stock=10)
    change_id = ready(order, blue)
    done = at_once(lambda _: outcome(lambda: lifecycle.request(actor=STAFF, change_id=change_id)), threads=10)
    assert Counter(done) == {"done": 1, "ChangeEnded": 9}
    assert left(order)[:4] == ("72.00", "0.00", "captured", "partially_delivered")
    assert (reserved(order)["blue"], Return.objects.count()) == (1, 1)
    undone = at_once(lambda _: outcome(lambda: cancellation.cancel(actor=STAFF, change_id=change_id)), threads=10)
    assert Counter(undone) == {"done": 1, "AlreadyCanceled": 9}
    assert left(order)[:4] == ("60.00", "0.00", "captured", "delivered")
    assert reserved(order)["blue"] == 0


def test_the_last_unit_is_claimed_once() -> None:
    order = delivered_a()
    claimed = [ClaimedUnits(line(order, "tee").pk, 1)]

    def claim() -> None:
        exchanging.claim(actor=STAFF, order_id=order.pk, claim_type=ClaimType.REFUND, claimed=claimed)

    assert Counter(at_once(lambda _: outcome(claim), threads=5)) == {"done": 1, "TooManyToReturn": 4}
    assert left(order)[:3] == ("30.00", "-30.00", "captured")


@pytest.mark.parametrize("other", ["receive", "ship", "cancel the return"])
def test_a_cancellation_beside_what_moves_the_goods(other: str) -> None:
    """Whoever comes first wins; both leave the books right."""
    order, blue = delivered_a(), goods("blue", 10)
    change = exchanged(order, blue)
    returned = change.returns.get()
    moves = {
        "receive": lambda: receive(returned, 1, location_id=None),
        "ship": lambda: shipping.ship(actor=STAFF, fulfillment_id=pack(order, 0, 0, 1).pk),
        "cancel the return": lambda: return_cancellation.cancel(actor=STAFF, return_id=returned.pk),
    }
    verbs = [lambda: cancellation.cancel(actor=STAFF, change_id=change.pk), moves[other]]
    seen = at_once(lambda place: outcome(verbs[place]), threads=2)
    assert list(discrepancies()) == []
    assert "done" in seen
    shown = left(order)[:2]
    refusals = {"receive": "ReceiptBegun", "ship": "AddedUnitsFulfilled"}
    if seen[0] != "done":
        assert (seen[0], shown[0]) == (refusals[other], {"receive": "60.00", "ship": "72.00"}[other])
    else:
        assert shown == ("60.00", "0.00")
