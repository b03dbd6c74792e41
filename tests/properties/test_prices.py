"""Random shops' prices, read by load_calculated_prices, against the rules computed again, slowly and plainly."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.models import Price, PriceList, PriceListRule, PriceRule, PriceSet
from catalog.prices import price_context
from catalog.prices.calculated_prices import calculate
from catalog.states import PriceListStatus, PriceListType, RuleOperator
from kit.values.timestamps import now
from shop.models import Currency
from shop.taxes import Goods
from tests.factories.shop import RegionFactory
from tests.properties.plain_prices import RATE, Buyer, List, Offer, known_of, reported_again

SETS = 2
REGIONS = ("reg_a", "reg_b")
ATTRIBUTES = {"region_id": REGIONS, "customer.groups.id": ("vip", "new"), "item_total": ("10", "20")}


rules = st.just(()) | st.lists(
    st.sampled_from(sorted(ATTRIBUTES)).flatmap(
        lambda name: st.tuples(
            st.just(name), st.sampled_from(RuleOperator.values), st.sampled_from([*ATTRIBUTES[name], "10.00"])
        )
    ),
    min_size=1,
    max_size=2,
    unique_by=lambda rule: rule[:2],
).map(tuple)
list_rules = st.just({}) | st.dictionaries(
    st.sampled_from(sorted(ATTRIBUTES)),
    st.lists(st.sampled_from([*REGIONS, "vip", "10"]), min_size=1, max_size=4),
    min_size=1,
    max_size=2,
)
lists = st.lists(
    st.builds(
        List,
        type=st.sampled_from(PriceListType.values),
        status=st.sampled_from([PriceListStatus.ACTIVE] * 4 + [PriceListStatus.DRAFT]),
        starts=st.sampled_from([None, None, -2, -1, 1]),
        ends=st.sampled_from([None, None, -1, 1, 2]),
        rules=list_rules,
    ).filter(lambda each: each.starts is None or each.ends is None or each.starts < each.ends),
    min_size=1,
    max_size=3,
)
buyers = st.builds(
    Buyer,
    region=st.sampled_from(["reg_a", "reg_a", "reg_b", None]),
    quantity=st.none() | st.integers(1, 4),
    groups=st.sampled_from([None, (), ("vip",), ("new", "vip")]),
    item_total=st.sampled_from([None, Decimal(5), Decimal(10), Decimal("10.01"), Decimal(20)]),
)


@st.composite
def offers(draw: st.DrawFn, list_count: int) -> list[Offer]:
    drawn = draw(
        st.lists(
            st.tuples(
                st.integers(0, SETS - 1),
                st.sampled_from(["usd", "usd", "usd", "jpy"]),
                st.integers(0, 6),
                st.none() | st.integers(0, 3),
                st.none() | st.integers(3, 4),
                rules,
                st.none() | st.integers(0, list_count - 1),
            ),
            min_size=3,
            max_size=12,
        )
    )
    return [Offer(number, *values) for number, values in enumerate(drawn)]


shops = lists.flatmap(lambda drawn: st.tuples(st.just(drawn), offers(len(drawn))))


@pytest.mark.django_db
@settings(max_examples=150)
@given(shop=shops, buyer=buyers, inclusive=st.tuples(st.booleans(), st.booleans()), shuffled=st.randoms())
def test_the_stored_prices_are_chosen_and_taxed_as_the_rules_say(shop, buyer, inclusive, shuffled):
    drawn_lists, drawn_offers = shop
    with transaction.atomic():
        _store(drawn_lists, shuffled.sample(drawn_offers, len(drawn_offers)), *inclusive)
        context = price_context.find(
            region_id=buyer.region,
            currency_code="usd",
            quantity=buyer.quantity,
            attributes={name: each for name, each in known_of(buyer).items() if name != "region_id"},
        )
        found = calculate({f"pset_{number}": Goods() for number in range(SETS)}, context)
        transaction.set_rollback(True)

    expected = {}
    for number in range(SETS):
        of_set = [offer for offer in drawn_offers if offer.set_number == number]
        answer = reported_again(of_set, drawn_lists, buyer, *inclusive)
        if answer is not None:
            expected[f"pset_{number}"] = answer
    assert {price_set_id: _plain(shown) for price_set_id, shown in found.items()} == expected


def _store(drawn_lists, drawn_offers, region_is_inclusive, currency_is_inclusive):
    for region in REGIONS:
        RegionFactory(id=region, tax_rate=RATE, is_tax_inclusive=region_is_inclusive)
    Currency.objects.filter(code="usd").update(is_tax_inclusive=currency_is_inclusive)
    moment = now()
    PriceSet.objects.bulk_create([PriceSet(id=f"pset_{number}") for number in range(SETS)])
    for number, each in enumerate(drawn_lists):
        starts, ends = (hours and moment + timedelta(hours=hours) for hours in (each.starts, each.ends))
        PriceList.objects.create(
            id=f"plist_{number}", title=f"{number}", type=each.type, status=each.status, starts_at=starts, ends_at=ends
        )
        PriceListRule.objects.bulk_create(
            PriceListRule(price_list_id=f"plist_{number}", attribute=name, value=values)
            for name, values in each.rules.items()
        )
    for offer in drawn_offers:
        Price.objects.create(
            id=f"price_{offer.number}",
            price_set_id=f"pset_{offer.set_number}",
            price_list_id=None if offer.list_number is None else f"plist_{offer.list_number}",
            currency_id=offer.currency_code,
            amount=offer.amount,
            min_quantity=offer.least,
            max_quantity=offer.most,
        )
        PriceRule.objects.bulk_create(
            PriceRule(price_id=f"price_{offer.number}", attribute=name, operator=operator, value=value)
            for name, operator, value in offer.rules
        )


def _plain(shown):
    references = {name: tuple(shown[name].values()) for name in ("calculated_price", "original_price")}
    return {name: shown[name] for name in _NAMES} | references


_NAMES = [
    f"{before}{name}{after}"
    for name in ("calculated", "original")
    for before, after in [
        ("", "_amount"),
        ("", "_amount_with_tax"),
        ("", "_amount_without_tax"),
        ("is_", "_price_price_list"),
        ("is_", "_price_tax_inclusive"),
    ]
]
