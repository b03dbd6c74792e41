"""Random shops, listed by price, against the prices that the same answer shows."""

from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.api.resources import PRODUCTS
from catalog.models import PriceRule
from catalog.prices.lowest_prices.recomputing import recompute
from catalog.states import PriceListStatus, PriceListType
from customers.models import CustomerGroup
from kit.values.timestamps import now
from tests.factories.carts import cart, selling_region, shopper
from tests.factories.customers import CustomerFactory
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import ProductFactory, VariantFactory

pytestmark = pytest.mark.every(3)

HOUR = timedelta(hours=1)
TEXTS = {"region_id": ("{here}", "{there}"), "customer.groups.id": ("{vip}", "{new}"), "province": ("us-ny",)}

rules = st.dictionaries(st.sampled_from(sorted(TEXTS)), st.integers(0, 1), max_size=2)
lists = st.lists(
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(PriceListType.values),
            "status": st.sampled_from([PriceListStatus.ACTIVE] * 4 + [PriceListStatus.DRAFT]),
            "dates": st.sampled_from([(None, None)] * 3 + [(-1, 1), (-2, -1), (1, 2)]),
            "rules": st.just({})
            | st.dictionaries(st.sampled_from(sorted(TEXTS)), st.sampled_from([(0,), (0,), (1,), (0, 1)]), max_size=2),
            "is_deleted": st.sampled_from([False] * 5 + [True]),
        }
    ),
    min_size=1,
    max_size=3,
)


def prices(list_count, rules):
    return st.lists(
        st.fixed_dictionaries(
            {
                "variant": st.integers(0, 4),
                "currency_code": st.sampled_from(["usd"] * 5 + ["eur"]),
                "amount": st.integers(0, 4),
                "min_quantity": st.sampled_from([None, None, None, 0, 1, 2]),
                "price_list": st.sampled_from([None, *range(list_count)]),
                "rules": rules,
                "is_deleted": st.sampled_from([False] * 7 + [True]),
                "rules_are_deleted": st.sampled_from([False] * 7 + [True]),
            }
        ),
        min_size=3,
        max_size=14,
    )


shops = st.tuples(lists, st.sampled_from([rules, st.just({})])).flatmap(
    lambda drawn: st.tuples(st.just(drawn[0]), prices(len(drawn[0]), drawn[1]))
)
products_of_variants = st.tuples(*[st.integers(0, 3)] * 5)


@pytest.mark.django_db
@settings(max_examples=200, deadline=None)
@given(
    shop=shops,
    products=products_of_variants,
    deleted=st.sets(st.integers(0, 4), max_size=3),
    circumstances=st.sampled_from(["region_id", "currency_code", "cart_id"]),
    with_deleted=st.booleans(),
    stored=st.sampled_from([0, 1, 2, 100, 100]),
)
def test_products_are_sorted_by_the_lowest_price_that_they_show(
    shop, products, deleted, circumstances, *, with_deleted, stored
):
    """stored: the number of prices that were written before lowest prices were computed; later ones are stale."""
    with transaction.atomic():
        buyer, known = _store(*shop, products, deleted, stored)
        listed = {
            order: PRODUCTS.page(
                PRODUCTS.list_query(
                    {
                        "order": order,
                        "fields": "id,variants.id,*variants.calculated_price",
                        "with_deleted": str(with_deleted).lower(),
                        circumstances: known[circumstances],
                    }
                ),
                buyer,
            )
            for order in ("variants.calculated_price", "-variants.calculated_price")
        }
        transaction.set_rollback(True)
    for order, page in listed.items():
        assert page.count == len(page.answers) == 4
        assert [_key(answer, order) for answer in page.answers] == sorted(_key(each, order) for each in page.answers)


def _key(product, order):
    """What the product is sorted by; ids descend with their prices, products without a price never come first."""
    shown = [variant["calculated_price"] for variant in product["variants"]]
    amounts = [each["calculated_amount"] for each in shown if each is not None]
    sign = -1 if order.startswith("-") else 1
    return (not amounts, sign * min(amounts, default=0), sign * int(product["id"].removeprefix("prod_")))


def _store(drawn_lists, drawn_prices, products, deleted, stored):
    here, there = selling_region(), selling_region(countries=[])
    vip, new = (CustomerGroup.objects.create(name=name) for name in ("vip", "new"))
    ids = {"here": here.pk, "there": there.pk, "vip": vip.pk, "new": new.pk}
    texts = {name: [each.format_map(ids) for each in values] for name, values in TEXTS.items()}
    made = [ProductFactory(id=f"prod_{number}") for number in range(4)]
    variants = [VariantFactory(product=made[of]) for of in products]
    for place in deleted:
        variants[place].deleted_at = now()
        variants[place].save()
    price_lists = [_price_list(each, texts) for each in drawn_lists]
    for place, each in enumerate(drawn_prices):
        if place == stored:
            recompute()
        number = each["price_list"]
        priced = price(
            variants[each["variant"]],
            each["amount"],
            each["currency_code"],
            price_list=None if number is None else price_lists[number],
            min_quantity=each["min_quantity"],
            rules={name: texts[name][at % len(texts[name])] for name, at in each["rules"].items()},
        )
        if each["rules_are_deleted"]:
            PriceRule.objects.filter(price=priced).update(deleted_at=now())
        if each["is_deleted"]:
            priced.deleted_at = now()
            priced.save()
    if stored >= len(drawn_prices):
        recompute()
    customer = CustomerFactory()
    customer.groups.add(vip)
    buyer = shopper(customer_id=customer.pk)
    address = {"country_code": "us", "province": "us-ny"}
    filled = cart(actor=buyer, region_id=here.pk, shipping_address=address)
    return buyer, {"region_id": here.pk, "currency_code": "usd", "cart_id": filled.pk}


def _price_list(drawn, texts):
    starts, ends = (each and now() + each * HOUR for each in drawn["dates"])
    return PriceListFactory(
        type=drawn["type"],
        status=drawn["status"],
        starts_at=starts,
        ends_at=ends,
        deleted_at=now() if drawn["is_deleted"] else None,
        rules={name: [texts[name][at % len(texts[name])] for at in which] for name, which in drawn["rules"].items()},
    )
