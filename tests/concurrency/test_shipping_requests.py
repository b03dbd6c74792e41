"""How a cart is shipped, chosen by many requests at once, over HTTP and in several workers."""

from decimal import Decimal

import pytest

from shop.models import FulfillmentProvider
from tests.concurrency.running_server import RunningServer, Sent
from tests.concurrency.test_cart_requests import statuses
from tests.factories import carts as make
from tests.factories.fulfillment import option

CROWD = 9
pytestmark = pytest.mark.django_db(transaction=True)


def test_twins_with_one_key_are_answered_alike_and_done_once(server: RunningServer) -> None:
    FulfillmentProvider.objects.create(id="weight_weight")
    weighed = {"provider_id": "weight_weight", "data": {"base": {"usd": 6}, "per_weight": {"usd": 1}}}
    chosen = option(None, price_type="calculated", **weighed)
    cart = make.cart(make.sold_variant(10, weight=2))
    request = Sent(
        f"/store/carts/{cart.pk}/shipping-methods",
        {"option_id": chosen.pk},
        {"Idempotency-Key": "one-key-for-all-of-them"},
    )
    answers = server.at_once(lambda _: request, number=CROWD)
    assert set(statuses(answers)) <= {200, 409}
    done = [answer for answer in answers if answer.status == 200]
    method = cart.shipping_methods.get()
    assert [answer.body["cart"]["shipping_methods"][0]["id"] for answer in done] == [method.pk] * len(done)
    assert sum("idempotent-replayed" not in answer.headers for answer in done) == 1
    assert server.send(request).body == done[0].body


@pytest.mark.parametrize("with_keys", [False, True], ids=["without keys", "with a key each"])
def test_of_many_choices_for_the_same_goods_one_stays(server: RunningServer, with_keys: bool) -> None:
    FulfillmentProvider.objects.create(id="weight_weight")
    weighed = {"provider_id": "weight_weight", "data": {"base": {"usd": 6}, "per_weight": {"usd": 1}}}
    ways = [option(amount, name=str(amount)) for amount in (5, 7)]
    ways.append(option(None, price_type="calculated", **weighed))
    cart = make.cart(make.sold_variant(10, weight=2), region_id=make.selling_region(tax_rate=20).pk)
    path = f"/store/carts/{cart.pk}/shipping-methods"

    def request(turn: int) -> Sent:
        headers = {"Idempotency-Key": f"a-key-of-its-own-{turn:04}"} if with_keys else None
        return Sent(path, {"option_id": ways[turn % len(ways)].pk}, headers)

    answers = server.at_once(request, number=CROWD)
    assert set(statuses(answers)) <= {200, 409}  # one that has waited too long may try again
    done = [answer for answer in answers if answer.status == 200]
    assert done
    for answer in done:
        (reported,) = answer.body["cart"]["shipping_methods"]
        assert answer.body["cart"]["shipping_total"] == reported["total"]
    cart.refresh_from_db()
    method = cart.shipping_methods.get()
    assert (method.amount, cart.shipping_total) in [(5, 6), (7, Decimal("8.4")), (8, Decimal("9.6"))]
    assert (method.tax_lines.count(), cart.total) == (1, cart.shipping_total + 12)
