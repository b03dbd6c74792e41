"""Tax regions and rates that several members of staff change at once, and while shoppers complete their carts."""

from collections import Counter
from collections.abc import Callable
from decimal import Decimal

import pytest

from carts.models import Cart
from kit.domain.actor import SYSTEM
from kit.errors import Conflict, DomainError
from orders.models import Order, OrderTaxLine
from taxes.editing import tax_rate_editing, tax_region_editing
from taxes.models import TaxRate, TaxRateRule, TaxRegion
from tests.concurrency.crowd import at_once
from tests.factories.carts import selling_region, sold_variant
from tests.factories.checkout import pay, ready_cart
from tests.factories.products import ProductTypeFactory
from tests.factories.taxes import tax_rate, tax_region
from tests.orders.completing import completed

pytestmark = pytest.mark.django_db(transaction=True)
THREADS, ROUNDS = 4, 10


def won(work: Callable[[int], object]) -> list[str]:
    """What became of each: `done`, or the message of the refusal."""

    def one(thread: int) -> str:
        for _ in range(20):
            try:
                work(thread)
            except Conflict:
                continue
            except DomainError as refusal:
                return refusal.message
            return "done"
        return "conflict"

    return at_once(one, threads=THREADS)


def put_rate(place: TaxRegion, thread: int, **given: object) -> None:
    state = tax_rate_editing.VERBS.state(tax_region_id=place.pk, name=f"R{thread}", rate=Decimal(thread), **given)  # type: ignore[arg-type]
    tax_rate_editing.VERBS.put(actor=SYSTEM, states=[state])


def test_a_place_gets_one_default_and_the_others_are_told_its_name() -> None:
    germany = tax_region("de")
    for _ in range(ROUNDS):
        outcomes = Counter(won(lambda thread: put_rate(germany, thread, is_default=True)))
        winner = TaxRate.objects.get()
        assert outcomes == {"done": 1, f"Germany already has a default rate, '{winner.name}'": THREADS - 1}
        winner.delete()


def test_goods_are_in_one_rate_of_a_place() -> None:
    food = ProductTypeFactory(value="Food")
    germany = tax_region("de")
    for _ in range(ROUNDS):
        outcomes = won(lambda thread: put_rate(germany, thread, product_types=[food.pk]))
        assert outcomes.count("done") == 1
        assert TaxRateRule.objects.count() == 1
        TaxRate.objects.all().delete()


def test_a_country_has_one_tax_region_whoever_comes_first() -> None:
    places = [{}, {"province": "qc"}, {"province": "qc"}, {"province": "on"}]

    def make(thread: int) -> None:
        tax_region_editing.VERBS.put(
            actor=SYSTEM, states=[tax_region_editing.VERBS.state(country_id="ca", **places[thread])]
        )

    for _ in range(ROUNDS):
        outcomes = won(make)
        assert outcomes[3] == "done"
        assert set(outcomes) <= {
            "done",
            "Tax region with country: Canada already exists",
            "Tax region with province: ca-qc already exists",
        }
        found = sorted(TaxRegion.objects.values_list("province", "parent__country"), key=str)
        assert found == [("ca-on", "ca"), ("ca-qc", "ca"), (None, None)]
        TaxRegion.objects.all().delete()


def test_no_rate_is_left_in_a_tax_region_that_is_deleted() -> None:
    food = ProductTypeFactory()
    for _ in range(ROUNDS):
        canada, quebec = tax_region("ca"), tax_region("ca", "ca-qc")

        def work(thread: int, canada: TaxRegion = canada, quebec: TaxRegion = quebec) -> None:
            if thread == 0:
                tax_region_editing.VERBS.delete(actor=SYSTEM, ids=[canada.pk])
            else:
                place = (canada, quebec)[thread % 2]
                put_rate(place, thread, is_default=thread < 3, product_types=[food.pk] if thread == 3 else [])

        outcomes = won(work)
        assert outcomes[0] == "done"
        assert all(one == "done" or "was not found" in one for one in outcomes), outcomes
        assert not TaxRate.objects.not_deleted().exists()
        assert not TaxRateRule.objects.not_deleted().exists()
        TaxRegion.objects.all().delete()


def test_an_order_has_the_total_that_its_shopper_was_shown_when_a_rate_changes_meanwhile() -> None:
    rate = tax_rate("us", 10)
    region = selling_region()
    outcomes: Counter[str] = Counter()
    for number in range(ROUNDS):
        carts = [ready_cart(sold_variant(100), region_id=region.pk, shipping=0) for _ in range(THREADS - 1)]
        shown = Cart.objects.get(pk=carts[0].pk).total
        next_rate = Decimal(20 if number % 2 == 0 else 10)

        def work(thread: int, carts: list[Cart] = carts, next_rate: Decimal = next_rate) -> None:
            if thread == 0:
                state = tax_rate_editing.VERBS.state(id=rate.pk, rate=next_rate)
                tax_rate_editing.VERBS.put(actor=SYSTEM, states=[state])
            else:
                completed(carts[thread - 1])

        results = won(work)
        assert results[0] == "done"
        for cart, result in zip(carts, results[1:], strict=True):
            outcomes[result] += 1
            cart.refresh_from_db()
            order = Order.objects.filter(cart_id=cart.pk).first()
            if result == "done":
                assert order is not None
                tax = OrderTaxLine.objects.get(item__order=order)
                assert (order.total, 100 + tax.total, 100 + tax.rate) == (shown, shown, shown)
            else:
                assert order is None
                assert cart.total == 100 + next_rate != shown
                pay(cart)
                assert Order.objects.get(pk=completed(cart).order_id).total == 100 + next_rate
    refusals = {*outcomes} - {"done"}
    assert all(each.startswith("The total of the cart has changed from") for each in refusals), refusals
