"""Rows for many keys: one statement, compiled once, right for every key and value."""

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import Q

from catalog.models import ProductCategory
from catalog.models.pricing import Price, PriceSet
from catalog.models.products import Product
from kit.reads.sql.keyed_rows import KeyedRows
from tests.factories.shop import SalesChannelFactory
from tests.kit.reads.reads import statements
from tests.kit.reads.resources import category

pytestmark = pytest.mark.django_db

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 120_000, tzinfo=UTC)


@pytest.fixture(autouse=True)
def tree() -> None:
    category("a", name="One", metadata={"n": [1]}, created_at=MOMENT)
    for key, parent, name in [("b", "a", "One"), ("c", "a", "Two"), ("d", "b", "Two"), ("e", "c", "it's")]:
        category(key, parent=parent, name=name)


@pytest.fixture
def asked() -> list[tuple[Any, ...]]:
    """The values for which the ORM was asked."""
    return []


def children(asked: list[Any] | None = None) -> KeyedRows[tuple[Any, ...]]:
    def rows(*values: Any) -> Any:
        if asked is not None:
            asked.append(values)
        (name,) = values
        return (
            ProductCategory.objects.filter(name__in=name)
            if isinstance(name, tuple)
            else (ProductCategory.objects.filter(name=name))
        )

    return KeyedRows(rows, key="parent_category_id", columns=("parent_category_id", "id"))


def test_one_text_serves_every_key_and_value(asked: list[Any]) -> None:
    rows = children(asked)
    with statements(4):
        assert rows.read(["a"], "One") == [("a", "b")]
        assert sorted(rows.read(["a", "b"], "Two")) == [("a", "c"), ("b", "d")]
        assert rows.read(["c", "nobody"], "it's") == [("c", "e")]
        assert rows.read(["c"], "It's") == []
    assert len(asked) == 1


def test_tuples_of_one_length_share_a_text(asked: list[Any]) -> None:
    rows = children(asked)
    assert sorted(rows.read(["a"], ("One", "Two"))) == [("a", "b"), ("a", "c")]
    assert sorted(rows.read(["a", "b"], ("Two", "x"))) == [("a", "c"), ("b", "d")]
    assert len(asked) == 1
    assert rows.read(["a"], ("One",)) == [("a", "b")]
    assert len(asked) == 2
    with statements(0):
        assert rows.read(["a"], ()) == []


def test_without_keys_nothing_is_asked(asked: list[Any]) -> None:
    with statements(0):
        assert children(asked).read([], "One") == []
    assert asked == []


def test_without_values() -> None:
    rows = KeyedRows(ProductCategory.objects.not_deleted, key="id", columns=("name",))
    assert sorted(rows.read(["a", "c"])) == [("One",), ("Two",)]


def test_a_value_that_changes_on_its_way_is_asked_for_each_time(asked: list[Any]) -> None:
    def rows(name: str) -> Any:
        asked.append(name)
        return ProductCategory.objects.filter(name__icontains=name)

    keyed = KeyedRows(rows, key="parent_category_id", columns=("id",))
    assert (keyed.read(["a"], "ON"), keyed.read(["a"], "tw"), keyed.read(["a"], "%")) == ([("b",)], [("c",)], [])
    assert asked[1:] == ["ON", "tw", "%"]


def test_a_value_that_the_function_forgets_or_changes_is_not_taken_for_another(asked: list[Any]) -> None:
    keyed = KeyedRows(
        lambda name: ProductCategory.objects.filter(name=name.lower().title()), key="id", columns=("name",)
    )
    assert keyed.read(["a", "c"], "TWO") == [("Two",)]
    assert keyed.read(["a", "c"], "one") == [("One",)]
    counted = KeyedRows(lambda name: ProductCategory.objects.filter(rank=len(name)), key="id", columns=("id",))
    ProductCategory.objects.filter(pk="a").update(rank=3)
    assert (counted.read(["a", "c"], "two"), counted.read(["a", "c"], "four")) == ([("a",)], [])


def test_a_value_may_be_used_twice(asked: list[Any]) -> None:
    def rows(name: str) -> Any:
        asked.append(name)
        return ProductCategory.objects.filter(Q(name=name) | Q(handle=name))

    keyed = KeyedRows(rows, key="id", columns=("id",))
    assert (keyed.read(["a", "c"], "Two"), keyed.read(["a", "c"], "a")) == ([("c",)], [("a",)])
    assert len(asked) == 1


def test_values_come_raw_or_decoded() -> None:
    columns = ("id", "created_at", "metadata", "rank", "deleted_at")
    ((key, moment, metadata, rank, deleted),) = KeyedRows(ProductCategory.objects.all, key="id", columns=columns).read(
        ["a"]
    )
    assert (key, moment[:22], metadata.replace(" ", ""), rank, deleted) == (
        "a", "2026-01-02 03:04:05.12", '{"n":[1]}', 0, None,
    )  # fmt: skip
    decoded = KeyedRows(ProductCategory.objects.all, key="id", columns=columns, decoded=columns)
    assert decoded.read(["a"]) == [("a", MOMENT, {"n": [1]}, 0, None)]


def test_amounts_are_exact_in_major_units() -> None:
    prices = PriceSet.objects.create()
    Price.objects.create(price_set=prices, currency_id="eur", amount=Decimal("12.3456"))
    for decoded, expected in ((("amount",), Decimal("12.3456")), ((), 123_456)):
        keyed = KeyedRows(
            lambda code: Price.objects.not_deleted().filter(currency_id=code),
            key="price_set_id",
            columns=("price_set_id", "amount"),
            decoded=decoded,
        )
        assert keyed.read([prices.pk], "eur") == [(prices.pk, expected)]
        assert keyed.read([prices.pk], "usd") == []


def test_one_row_of_several_keys_comes_for_each() -> None:
    north, south = SalesChannelFactory(name="North"), SalesChannelFactory(name="South")
    product = Product.objects.create(title="Tea", handle="tea")
    product.sales_channels.set([north, south])
    keyed = KeyedRows(Product.objects.not_deleted, key="sales_channels", columns=("sales_channels", "handle"))
    assert sorted(keyed.read([south.pk, north.pk])) == sorted([(north.pk, "tea"), (south.pk, "tea")])


@dataclass(frozen=True, slots=True)
class Child:
    parent_category_id: str
    created_at: datetime


def test_a_class_of_rows_names_the_columns_and_gets_their_values() -> None:
    rows = KeyedRows(ProductCategory.objects.all, key="id", row=Child, decoded=("created_at",))
    category("f", parent="a", name="Three", created_at=MOMENT)
    assert rows.read(["f"]) == [Child("a", MOMENT)]


def test_columns_may_have_other_names_than_the_fields_of_a_row() -> None:
    rows = KeyedRows(ProductCategory.objects.all, key="id", row=Child, columns=("parent_category__name", "id"))
    assert sorted(rows.read(["b", "d"]), key=str) == [Child("One", "b"), Child("One", "d")]
