"""The lowest prices of products are stored, and are always those of their prices."""

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from catalog.api.resources import PRODUCTS
from catalog.models import LowestPrice, Price, PriceRule, PriceSet, Product, ProductVariant, StalePrice
from catalog.prices.lowest_price_invariants import LOWEST_PRICE_INVARIANTS
from catalog.prices.lowest_prices import triggers
from catalog.prices.lowest_prices.queries import DIFFERENCES
from catalog.prices.lowest_prices.recomputing import recompute
from catalog.prices.price_order import MOST_MARKS
from catalog.rule_attributes import CURRENCY
from catalog.states import PriceListType
from giftcards.verification.verification import discrepancies
from kit.database.triggers import Trigger
from kit.derived import stale_batches
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from tests.dropped_triggers import dropped
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import ProductFactory, VariantFactory
from tests.plugins.migrating import migrated_back

pytestmark = pytest.mark.django_db

TRIGGERS = [each for table in triggers.SOURCES for each in triggers.of(connection.vendor, table)]
Rows = set[tuple[str, str, str, int, bool]]


def computed() -> Rows:
    """The rows that all prices give, one by one."""
    amounts: dict[tuple[str, str, str], list[int]] = {}
    ruled = set()
    for each in Price.objects.filter(deleted_at=None, price_set__variant__deleted_at=None):
        variant = ProductVariant.objects.filter(price_set=each.price_set_id).first()
        if variant is None or (each.min_quantity or 0) > 1:
            continue
        key = (variant.product_id, each.currency_id, each.price_list_id or "")
        amounts.setdefault(key, []).append(int(each.amount))
        if each.rules.filter(deleted_at=None).exists():
            ruled.add(key)
    return {(*key, min(found), key in ruled) for key, found in amounts.items()}


def stored() -> Rows:
    rows = LowestPrice.objects.values_list("product_id", "currency_code", "price_list_id", "amount", "is_ruled")
    return {(product, code, price_list, int(amount), ruled) for product, code, price_list, amount, ruled in rows}


def recomputed() -> Rows:
    recompute()
    assert not StalePrice.objects.exists()
    return stored()


def wrong() -> list[Any]:
    """What `verify_ledger` would list."""
    return [each for invariant in LOWEST_PRICE_INVARIANTS for each in invariant.violations()]


@pytest.fixture
def variants() -> list[ProductVariant]:
    """Of two products, two of them of the first; of 3, 5 and 7 dollars; the last also costs 2 in a sale."""
    first, second = ProductFactory(), ProductFactory()
    variants = [VariantFactory(product=of) for of in (first, first, second)]
    for variant, amount in zip(variants, (3, 5, 7), strict=True):
        price(variant, amount)
    price(variants[2], 2, price_list=PriceListFactory())
    assert sorted(amount for *_, amount, _ in recomputed()) == [2, 3, 7]
    return variants


def cheapest(variants: list[ProductVariant]) -> Any:
    return Price.objects.filter(price_set=variants[0].price_set_id)


def of_variant(variant: ProductVariant) -> Any:
    return ProductVariant.objects.filter(pk=variant.pk)


CHANGES: dict[str, tuple[Callable[[list[ProductVariant]], object], list[int]]] = {
    "a price falls": (lambda variants: price(variants[1], 1), [1, 2, 7]),
    "a price rises": (lambda variants: cheapest(variants).update(amount=6), [2, 5, 7]),
    "a price is deleted": (lambda variants: cheapest(variants).update(deleted_at=now()), [2, 5, 7]),
    "a price is removed": (lambda variants: cheapest(variants).delete(), [2, 5, 7]),
    "a price is for many": (lambda variants: cheapest(variants).update(min_quantity=2), [2, 5, 7]),
    "a price has another currency": (lambda variants: cheapest(variants).update(currency="eur"), [2, 3, 5, 7]),
    "a price gets a rule": (lambda variants: ruled(cheapest(variants).get()), [2, 3, 7]),
    "a rule is deleted": (lambda variants: ruled(cheapest(variants).get()).update(deleted_at=now()), [2, 3, 7]),
    "a rule is removed": (lambda variants: ruled(cheapest(variants).get()).delete(), [2, 3, 7]),
    "a variant is deleted": (lambda variants: of_variant(variants[0]).update(deleted_at=now()), [2, 5, 7]),
    "a variant is removed": (lambda variants: variants[0].delete(), [2, 5, 7]),
    "a variant loses its prices": (lambda variants: of_variant(variants[0]).update(price_set=None), [2, 5, 7]),
    "a variant moves": (lambda variants: of_variant(variants[0]).update(product=ProductFactory()), [2, 3, 5, 7]),
    "a sale ends for good": (lambda variants: Price.objects.exclude(price_list=None).delete(), [3, 7]),
    "a product is removed": (lambda variants: variants[2].product.delete(), [3]),
}


def ruled(priced: Price) -> Any:
    """Its rule, whose price is computed before."""
    PriceRule.objects.create(price=priced, attribute="region_id", value="reg_1")
    recompute()
    return PriceRule.objects.filter(price=priced)


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_marks_them_as_stale(variants: list[ProductVariant], change: str) -> None:
    perform, amounts = CHANGES[change]
    perform(variants)
    found = recomputed()
    assert sorted(amount for *_, amount, _ in found) == amounts
    assert found == computed()


WRITERS: list[Callable[[random.Random, list[ProductVariant]], Any]] = [
    lambda dice, variants: price(some(dice, ProductVariant).get(), dice.randrange(9), dice.choice(["usd", "eur"])),
    lambda dice, variants: some(dice, Price).update(amount=dice.randrange(9)),
    lambda dice, variants: some(dice, Price).update(min_quantity=dice.choice([None, 1, 2])),
    lambda dice, variants: some(dice, Price).update(deleted_at=dice.choice([None, now()])),
    lambda dice, variants: some(dice, Price).update(price_list=PriceListFactory()),
    lambda dice, variants: some(dice, Price).delete(),
    lambda dice, variants: PriceRule.objects.get_or_create(price=some(dice, Price).get(), attribute="region_id"),
    lambda dice, variants: PriceRule.objects.update(deleted_at=dice.choice([None, now()])),
    lambda dice, variants: PriceRule.objects.all().delete(),
    lambda dice, variants: some(dice, ProductVariant).update(deleted_at=dice.choice([None, now()])),
    lambda dice, variants: some(dice, ProductVariant).update(product=dice.choice(variants).product),
    lambda dice, variants: some(dice, ProductVariant).delete(),
    lambda dice, variants: VariantFactory(product=dice.choice(variants).product, price_set=unused_set()),
]


def some(dice: random.Random, model: type[Price | ProductVariant]) -> Any:
    return model.objects.filter(pk=dice.choice(sorted(model.objects.values_list("pk", flat=True))))


def unused_set() -> PriceSet:
    """With the prices of a variant that was removed, if there is one."""
    return PriceSet.objects.filter(variant=None).order_by("pk").first() or PriceSet.objects.create()


def written(dice: random.Random, variants: list[ProductVariant]) -> None:
    dice.choice(WRITERS)(dice, variants)
    while Price.objects.count() < 3 or ProductVariant.objects.count() < 2:
        price(VariantFactory(product=variants[0].product), 4)


@pytest.mark.parametrize("seed", range(3))
def test_they_are_right_after_any_sequence_of_writes(seed: int, variants: list[ProductVariant]) -> None:
    dice = random.Random(seed)  # noqa: S311 - the same steps each time
    for _ in range(50):
        written(dice, variants)
        assert wrong() == []
        if dice.randrange(3) == 0:
            assert recomputed() == computed()
            assert wrong() == []


@pytest.mark.parametrize("trigger", TRIGGERS, ids=lambda trigger: trigger.name)
def test_without_one_of_the_triggers_they_are_wrong(trigger: Trigger, variants: list[ProductVariant]) -> None:
    with dropped(trigger):
        assert f"The trigger {trigger.name} is missing" in list(discrepancies())
        dice = random.Random(1)  # noqa: S311 - the same steps each time
        steps = 0
        while not wrong():
            steps += 1
            assert steps < 300
            written(dice, variants)
            recompute()


def test_what_changes_nothing_marks_nothing(variants: list[ProductVariant]) -> None:
    Price.objects.update(max_quantity=5)
    ProductVariant.objects.update(title="Large", updated_at=now())
    Product.objects.update(title="Tea")
    assert not StalePrice.objects.exists()


def listed(**more: str) -> list[str]:
    query = PRODUCTS.list_query({"order": "variants.calculated_price", "fields": "id", "currency_code": "usd", **more})
    return [answer["id"] for answer in PRODUCTS.page(query, SYSTEM).answers]


def test_stale_products_are_sorted_by_their_prices(variants: list[ProductVariant]) -> None:
    first, second = variants[0].product_id, variants[2].product_id
    assert listed() == [second, first]
    Price.objects.filter(price_set=variants[2].price_set_id).update(amount=4)
    assert StalePrice.objects.exists()
    assert listed() == [first, second]
    StalePrice.objects.all().delete()
    assert listed() == [second, first]
    StalePrice.objects.bulk_create(StalePrice(kind="product", key=f"prod_{n}") for n in range(MOST_MARKS + 1))
    assert listed() == [first, second]


def test_with_deleted_reads_the_prices_of_deleted_variants_besides_the_stored_ones(
    variants: list[ProductVariant],
) -> None:
    first, second = variants[0].product_id, variants[2].product_id
    price(VariantFactory(product=variants[0].product, deleted_at=now()), 1)
    recompute()
    assert listed() == [second, first]
    assert listed(with_deleted="true") == [first, second]
    LowestPrice.objects.filter(product_id=second, amount=2).update(amount=0)
    assert listed(with_deleted="true") == [second, first]


class TestPricesThatCompeteByMoreThanTheirAmounts:
    """The lowest one is stored, too, but the products are sorted by what they cost."""

    def test_an_override_replaces_lower_prices(self, variants: list[ProductVariant]) -> None:
        first, second = variants[0].product_id, variants[2].product_id
        Price.objects.exclude(price_list=None).update(amount=4)
        assert self.sorted() == [first, second]
        price(variants[0], 8, price_list=PriceListFactory(type=PriceListType.OVERRIDE))
        assert self.sorted() == [second, first]

    def test_a_sale_with_more_rules_comes_first(self, variants: list[ProductVariant]) -> None:
        first, second = variants[0].product_id, variants[2].product_id
        assert self.sorted() == [second, first]
        price(variants[2], 6, price_list=PriceListFactory(rules={CURRENCY: ["usd"]}))
        assert self.sorted() == [first, second]

    def test_a_price_with_a_rule_comes_first(self, variants: list[ProductVariant]) -> None:
        first, second = variants[0].product_id, variants[2].product_id
        Price.objects.exclude(price_list=None).update(amount=4)
        price(variants[0], 9, rules={CURRENCY: "eur"})
        assert self.sorted() == [first, second]
        price(variants[0], 9, rules={CURRENCY: "usd"})
        assert self.sorted() == [second, first]

    def sorted(self) -> list[str]:
        recompute()
        return listed()


@pytest.mark.parametrize("command", ["prune", "recompute_lowest"])
def test_a_command_computes_them(variants: list[ProductVariant], command: str) -> None:
    cheapest(variants).update(amount=1)
    call_command(command, verbosity=0)
    assert not StalePrice.objects.exists()
    assert stored() == computed()


def test_many_are_computed_in_batches(variants: list[ProductVariant], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stale_batches, "BATCH", 2)
    for variant in variants:
        price(variant, 1)
    assert recomputed() == computed()


def test_on_sqlite_requests_get_the_lock_between_two_batches(
    variants: list[ProductVariant], monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(stale_batches, "BATCH", 2)
    # Not time.sleep itself: threads that other tests have left would be counted.
    monkeypatch.setattr(stale_batches, "time", SimpleNamespace(sleep=pauses.append))
    StalePrice.objects.bulk_create(StalePrice(kind="product", key=f"prod_{n}") for n in range(3))
    recompute()
    assert pauses == ([stale_batches.PAUSE_SECONDS] if connection.vendor == "sqlite" else [])


@pytest.mark.django_db(transaction=True)
@pytest.mark.every(4)
def test_the_migration_computes_them_for_the_products_that_exist() -> None:
    price(VariantFactory(product=ProductFactory()), 4)
    with migrated_back("catalog", "0015_list_existing_products"):
        pass
    assert not StalePrice.objects.exists()
    assert stored() == computed() != set()


def test_wrong_rows_are_reported_and_made_right(variants: list[ProductVariant]) -> None:
    """One is missing, one has another amount, one is left over."""
    first, second = variants[0].product_id, variants[2].product_id
    LowestPrice.objects.filter(product_id=first).delete()
    LowestPrice.objects.filter(product_id=second, price_list_id="").update(amount=1)
    LowestPrice.objects.create(product_id="prod_gone", currency_code="usd", price_list_id="", amount=1, is_ruled=False)
    assert sorted(discrepancies()) == [
        f"The lowest prices of product {product} differ from its prices: run rebuild_search"
        for product in sorted((first, second, "prod_gone"))
    ]
    call_command("rebuild_search", verbosity=0)
    assert list(discrepancies()) == []
    assert stored() == computed()


def test_where_nothing_has_changed_the_command_writes_nothing(
    variants: list[ProductVariant], django_assert_num_queries: Any
) -> None:
    call_command("recompute_lowest", verbosity=0)
    with django_assert_num_queries(2):
        call_command("recompute_lowest", verbosity=0)


@pytest.mark.postgresql
def test_the_check_does_not_compare_each_product_with_all_stale_ones(variants: list[ProductVariant]) -> None:
    """NOT IN does, if there are more than fit into memory: it took two minutes for 100,000 products."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {DIFFERENCES}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "SubPlan" not in plan, plan
