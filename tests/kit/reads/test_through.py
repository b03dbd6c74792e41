"""Filters through relations: a row is found by what hangs below it, once, and never by what is hidden."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from rest_framework import serializers

from catalog.api.filters import ProductFilters
from catalog.models import Product, ProductCategory, ProductOptionValue, ProductVariant
from catalog.states import ProductStatus
from kit.domain.actor import SYSTEM, Actor
from kit.query.conditions import Condition, Either, Every, Is, Some, as_q
from kit.query.paging import LARGEST_OFFSET, Order, Page
from kit.reads import reading
from kit.reads.declarations.fields import ResourceSerializer
from kit.reads.declarations.sorting import sortable
from kit.reads.filters.filtering import ResourceFilterSet
from kit.reads.filters.filters import FlagFilter, TextFilter
from kit.reads.sql.placeholders import split
from kit.values.timestamps import now
from shop.models import Store
from tests.factories.catalog import CategoryFactory
from tests.factories.products import OptionFactory, OptionValueFactory, ProductFactory, VariantFactory
from tests.factories.shop import SalesChannelFactory
from tests.kit.reads.reads import page, statements
from tests.kit.reads.search_limits import search_limits

pytestmark = [pytest.mark.every(3), pytest.mark.django_db]


class Shape(ResourceSerializer):
    id = serializers.CharField()
    title = serializers.CharField()

    class Meta:
        model = Product


class ValueShape(ResourceSerializer):
    value = serializers.CharField()

    class Meta:
        model = ProductOptionValue


class Filters(ResourceFilterSet):
    q = ProductFilters.base_filters["q"]
    title = TextFilter()
    is_giftcard = FlagFilter()
    category_id = TextFilter(field_name="id", through="categories")
    option_value_id = TextFilter(field_name="id", through="variants.options")


SORTED = {name: sortable(Shape)[name] for name in ("id", "title")}


@pytest.fixture
def shopper() -> Actor:
    return Actor("anonymous", sales_channel_ids=(Store.objects.get().default_sales_channel.pk,))


@pytest.fixture(autouse=True)
def shop() -> None:
    """Tea in Drinks (and, hidden, in Secret), Mug in Things; each with two variants."""
    drinks, things = CategoryFactory(name="Drinks"), CategoryFactory(name="Things")
    secret = CategoryFactory(name="Secret", is_internal=True)
    for title, categories in (("Tea", [drinks, things, secret]), ("Mug", [things]), ("Book", [])):
        product = ProductFactory(title=title, categories=categories)
        option = OptionFactory(title="Size", product=product)
        for size in ("Small", "Large"):
            value = OptionValueFactory(option=option, value=f"{title} {size}")
            VariantFactory(title=f"{size} thing", sku=f"{title}-{size}".lower(), product=product, options=[value])


def found(condition: Condition, actor: Actor, resource: Any = Shape, **query: Any) -> list[str]:
    """What is found, in the order of ids, and as often as it is found; the count agrees."""
    name = "title" if resource is Shape else "value"
    answers, count = page(resource, name, actor=actor, condition=condition, **query)
    assert count == len(answers)
    return [answer[name] for answer in answers]


def parsed(**parameters: Any) -> Condition:
    """$-parameters come without their sign."""
    return Filters.parse({f"${name}" if name in ("and", "or") else name: raw for name, raw in parameters.items()})


def id_of(model: Any, **columns: Any) -> str:
    return str(model.objects.get(**columns).pk)


class TestFinding:
    def test_by_a_category_or_several_each_row_once(self, shopper: Actor) -> None:
        drinks, things = (id_of(ProductCategory, name=name) for name in ("Drinks", "Things"))
        assert found(parsed(category_id=drinks), shopper) == ["Tea"]
        assert found(parsed(category_id=[drinks, things]), shopper) == ["Tea", "Mug"]
        assert found(parsed(category_id="none"), shopper) == []

    def test_by_the_values_of_its_variants(self, shopper: Actor) -> None:
        values = [id_of(ProductOptionValue, value=value) for value in ("Tea Small", "Tea Large", "Book Large")]
        assert found(parsed(option_value_id=values), shopper) == ["Tea", "Book"]

    @pytest.mark.parametrize(
        ("text", "titles"),
        [
            ("tea", ["Tea"]),
            ("TEA-SMA", ["Tea"]),
            ("large", ["Tea", "Mug", "Book"]),
            ("large mug", ["Mug"]),
            ("tea mug", []),
            ("%", []),
            ("_", []),
            ("small large", ["Tea", "Mug", "Book"]),  # in two variants
            ("", ["Tea", "Mug", "Book"]),
        ],
    )
    def test_by_words_in_either_table(self, text: str, titles: list[str], shopper: Actor) -> None:
        with statements(1):
            assert found(parsed(q=text), shopper) == titles

    def test_all_together(self, shopper: Actor) -> None:
        drinks = id_of(ProductCategory, name="Drinks")
        book = id_of(ProductOptionValue, value="Book Large")
        assert found(parsed(**{"or": [{"category_id": drinks}, {"option_value_id": book}]}), shopper) == ["Tea", "Book"]
        assert found(parsed(**{"or": [{"category_id": drinks}, {"title": "Mug"}]}), shopper) == ["Tea", "Mug"]
        assert found(parsed(**{"and": [{"category_id": drinks}, {"q": "small"}]}), shopper) == ["Tea"]
        assert found(parsed(**{"or": [{"category_id": drinks, "q": "mug"}, {"q": "book-s"}]}), shopper) == ["Book"]
        assert found(parsed(is_giftcard="FALSE", title="Tea"), shopper) == ["Tea"]
        assert found(parsed(is_giftcard="true"), shopper) == []

    @pytest.mark.parametrize(
        ("model", "condition", "names"),
        [
            (ProductVariant, Some("product", Is("title", "Tea")), ["Large thing", "Small thing"]),
            (ProductCategory, Some("products", Is("title", "Tea")), ["Drinks", "Secret", "Things"]),
            (Product, Some("variants", Is("sku", "tea-large")), ["Tea"]),
            (Product, Some("categories", Is("name", "Things")), ["Mug", "Tea"]),
        ],
    )
    def test_along_every_kind_of_relation(self, model: Any, condition: Condition, names: list[str]) -> None:
        rows = model.objects.filter(as_q(condition, model, lambda model: model.objects.all()))
        assert sorted(map(str, rows)) == names

    def test_a_row_without_relations_and_a_condition_that_always_holds(self, shopper: Actor) -> None:
        assert found(Some("categories", Every()), shopper) == ["Tea", "Mug"]
        assert found(Either((Some("categories", Every()), Every())), shopper) == ["Tea", "Mug", "Book"]
        assert found(Either((Some("categories", Is("name", "Drinks")),)), shopper) == ["Tea"]

    def test_what_is_no_relation_is_a_mistake_of_ours(self, shopper: Actor) -> None:
        with pytest.raises(TypeError, match="title of Product leads to no other rows"):
            found(Some("title", Is("id", "x")), shopper)


class TestSearching:
    """All ways of a statement find the same rows, in every order, and scan the matches once."""

    @pytest.fixture(params=[(0, 1000), (1, 1000), (2, 1000), (2, 1), (5000, 1000)])
    def few(self, request: pytest.FixtureRequest) -> Iterator[None]:
        with search_limits(*request.param):
            yield

    @pytest.mark.parametrize(
        ("query", "titles"),
        [
            ({"q": "thing"}, ["Tea", "Mug", "Book"]),
            ({"q": "thing", "is_giftcard": "false"}, ["Tea", "Mug", "Book"]),
            ({"q": "thing", "title": ["Mug", "Book"]}, ["Mug", "Book"]),
            ({"q": "thing", "or": [{"title": "Mug"}, {"q": "book-s"}]}, ["Mug", "Book"]),
            ({"or": [{"q": "tea-s"}, {"q": "book"}]}, ["Tea", "Book"]),
            ({"and": [{"q": "thing"}, {"$or": [{"q": "tea-s"}, {"q": "book"}]}]}, ["Tea", "Book"]),
            ({"q": "nothing"}, []),
        ],
    )
    @pytest.mark.parametrize("actor", ["shopper", "staff"])
    def test_pages_in_every_order(
        self, few: None, shopper: Actor, query: dict[str, Any], titles: list[str], actor: str
    ) -> None:
        reader, condition = shopper if actor == "shopper" else SYSTEM, parsed(**query)
        for key, expected in (("id", titles), ("title", sorted(titles))):
            for descending in (False, True):
                order = Order(SORTED[key], descending=descending)
                rows = expected[::-1] if descending else expected
                for offset in range(len(rows) + 1):
                    window = Page(limit=1, offset=offset)
                    answers, count = page(Shape, "title", actor=reader, condition=condition, order=order, page=window)
                    assert ([each["title"] for each in answers], count) == (rows[offset : offset + 1], len(rows))

    def test_no_offset_is_too_large(self, few: None, shopper: Actor) -> None:
        for order in SORTED.values():
            window = Page(limit=1000, offset=LARGEST_OFFSET)
            assert page(Shape, actor=shopper, condition=parsed(q="thing"), order=Order(order), page=window) == ([], 3)

    def test_what_is_found_is_gathered_once(self, shopper: Actor) -> None:
        for key, order in SORTED.items():
            with statements(1) as captured:
                page(Shape, "title", actor=shopper, condition=parsed(q="thing"), order=Order(order))
            text = captured.captured_queries[0]["sql"]
            if connection.vendor == "sqlite":
                assert (text.count("catalog_product_fts MATCH"), text.count(" MATERIALIZED (")) == (1, 3)
            else:  # the second one tests one row, which `first` gives it
                assert (text.count(" @@ "), text.count(" MATERIALIZED (")) == (2, 4 if key == "id" else 5)
                assert text.count(" = row.key)) IS NOT NULL") == 1


class TestHiddenRows:
    """Nothing is found by a related row that the caller may not see."""

    def test_a_hidden_category(self, shopper: Actor) -> None:
        secret = id_of(ProductCategory, name="Secret")
        assert found(parsed(category_id=secret), shopper) == []
        assert found(parsed(**{"or": [{"category_id": secret}, {"title": "Mug"}]}), shopper) == ["Mug"]
        assert found(parsed(category_id=secret), SYSTEM) == ["Tea"]

    def test_a_deleted_variant_and_its_values(self, shopper: Actor) -> None:
        large = ProductVariant.objects.get(sku="tea-large")
        ProductVariant.objects.filter(pk=large.pk).update(deleted_at=now())
        value = id_of(ProductOptionValue, value="Tea Large")
        assert found(parsed(q="tea-large"), shopper) == []
        assert found(parsed(option_value_id=value), shopper) == []
        assert found(parsed(q="tea-large"), shopper, with_deleted=True) == []  # entries hold living variants
        assert found(parsed(option_value_id=value), shopper, with_deleted=True) == ["Tea"]

    def test_a_draft_product(self, shopper: Actor) -> None:
        Product.objects.filter(title="Tea").update(status=ProductStatus.DRAFT)
        everything = Some("option", Some("product", Is("title", "Tea")))
        assert found(everything, shopper, ValueShape) == []
        assert found(everything, SYSTEM, ValueShape) == ["Tea Small", "Tea Large"]
        assert found(parsed(q="tea"), shopper) == []

    def test_another_channels_product(self, shopper: Actor) -> None:
        Product.objects.get(title="Mug").sales_channels.set([SalesChannelFactory()])
        things = id_of(ProductCategory, name="Things")
        assert found(parsed(category_id=things), shopper) == ["Tea"]
        assert found(parsed(q="mug-small"), shopper) == []


class TestKeptStatements:
    @pytest.fixture
    def compiled(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
        seen: list[Any] = []
        compile_page = reading.compiled
        monkeypatch.setattr(
            reading, "compiled", lambda *args, **kwargs: seen.append(args) or compile_page(*args, **kwargs)
        )
        return seen  # type: ignore[return-value]

    def test_one_text_serves_other_values(self, compiled: list[Any], shopper: Actor) -> None:
        class Fresh(Shape):
            pass

        for name, titles in [("Drinks", ["Tea"]), ("Things", ["Tea", "Mug"]), ("Secret", []), ("Drinks", ["Tea"])]:
            category = id_of(ProductCategory, name=name)
            answers, count = page(Fresh, "title", actor=shopper, condition=parsed(category_id=category))
            assert ([answer["title"] for answer in answers], count) == (titles, len(titles))
            either = parsed(**{"or": [{"category_id": category}, {"title": "Book"}]})
            answers, _ = page(Fresh, "title", actor=shopper, condition=either)
            assert [answer["title"] for answer in answers] == [*titles, "Book"]
        assert len(compiled) == 2

    def test_other_relations_have_their_own(self) -> None:
        assert split(Some("a", Is("id", "x")))[0] == split(Some("a", Is("id", "y")))[0]
        assert split(Some("a", Is("id", "x")))[0] != split(Some("b", Is("id", "x")))[0]
        assert split(Every((Some("a", Is("id", "x")), Is("c", "y"))))[1] == ["x", "y"]


def test_each_table_is_asked_apart(shopper: Actor) -> None:
    """An OR across two tables can use the index of neither."""
    condition = Either((Is("title", "Tea"), Some("variants", Is("sku", "tea-small")), Is("subtitle", "x")))
    with statements(1) as captured:
        assert found(condition, shopper) == ["Tea"]
    text = captured.captured_queries[0]["sql"]
    assert text.count(" UNION ") == 2  # in the page, and in its count
    members = [each for each in re.split(r"\(SELECT U0\.|\) ORDER BY", text) if " UNION " in each]
    assert len(members) == 2
    for own, _, related in (each.partition(" UNION ") for each in members):
        assert '"subtitle"' in own
        assert '"sku"' in related
        assert '"sku"' not in own
