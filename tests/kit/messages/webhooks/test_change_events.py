"""Events of changed rows: which there are, and what they cost."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from catalog.categories import category_tree
from catalog.models import PriceList, Product, ProductCategory, ProductVariant
from catalog.nested_writes import products as nested_writes
from catalog.prices import price_editing, price_list_rule_editing
from catalog.products.product_editing import details, variant_details
from catalog.stock.stock_changes import StockChange, change_stock
from fulfillment.editing import geo_zone_editing
from kit.domain.actor import SYSTEM
from kit.editing.batches import write_batch
from kit.editing.reporting import touch
from kit.messages.outbox.models import Event
from kit.messages.webhooks import subscriptions
from kit.messages.webhooks.delivery.fan_out import fan_out
from kit.messages.webhooks.endpoints.disabling import disable
from kit.messages.webhooks.models import Delivery
from kit.messages.webhooks.subscriptions import SUBSCRIPTIONS
from tests.factories import webhooks as make
from tests.factories.catalog import CategoryFactory
from tests.factories.fulfillment import zone
from tests.factories.inventory import InventoryLevelFactory
from tests.factories.pricing import PriceListFactory
from tests.factories.products import ProductFactory, VariantFactory

pytestmark = pytest.mark.django_db
STOCK = "inventory-level.updated"


def recorded() -> list[tuple[str, list[str]]]:
    return [(event.name, event.data["ids"]) for event in Event.objects.order_by("number")]


def move(level: Any, by: int = 1) -> None:
    change_stock(actor=SYSTEM, changes=[StockChange(level.inventory_item_id, level.location_id, adjust_by=by)])


def statements(work: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as queries:
        work()
    return sum("SAVEPOINT" not in query["sql"] for query in queries)


class TestRecording:
    def test_nothing_is_asked_nor_written_while_nobody_receives_it(self) -> None:
        level = InventoryLevelFactory()
        before = statements(lambda: move(level))
        make.address(make.URL, "product.updated")
        SUBSCRIPTIONS.names()
        assert statements(lambda: move(level)) == before
        make.address("https://pim.example/hooks", STOCK)
        SUBSCRIPTIONS.names()
        assert statements(lambda: move(level)) == before + 1
        (event,) = Event.objects.all()
        ids = {"id": level.pk, "ids": [level.pk], "inventory_item_ids": [level.inventory_item_id]}
        assert (event.name, event.about, event.data) == (STOCK, level.pk, ids)

    def test_an_endpoint_receives_what_happens_from_when_it_is_added_until_it_is_disabled(self) -> None:
        address, product = make.address().address, ProductFactory()
        details.VERBS.update(actor=SYSTEM, id=product.pk, title="Tea")
        disable(actor=SYSTEM, address_id=address.pk)
        details.VERBS.update(actor=SYSTEM, id=product.pk, title="Coffee")
        assert recorded() == [("product.updated", [product.pk])]

    def test_other_processes_know_of_it_when_they_read_the_endpoints_again(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        moment = 0.0
        monkeypatch.setattr(subscriptions, "monotonic", lambda: moment)
        here, other = SUBSCRIPTIONS, subscriptions.Subscriptions()
        assert other.names() == frozenset()
        make.address(make.URL, "region.created")
        assert (here.names(), other.names()) == ({"region.created"}, frozenset())
        moment = subscriptions.REREAD_SECONDS
        assert statements(other.names) == 1
        assert other.names() == {"region.created"}

    def test_a_batch_is_one_event_of_each_kind(self) -> None:
        make.address()
        kept, gone = ProductFactory(), ProductFactory()
        variant = {"title": "S", "options": {"Size": "S"}, "prices": [{"currency_code": "usd", "amount": 5}]}
        new = {"options": [{"title": "Size", "values": ["S"]}], "variants": [variant]}
        create = [{"title": title, **new} for title in ("Tea", "Cake")]
        update = [{"id": kept.pk, "title": "Coffee"}]
        done = write_batch(nested_writes.VERBS, actor=SYSTEM, create=create, update=update, delete=[gone.pk])
        variants = ProductVariant.objects.filter(product__in=done.created).order_by("pk")
        names = dict(recorded())
        assert len(recorded()) == len(names) == 4
        assert sorted(names.pop("product-variant.created")) == [row.pk for row in variants]
        assert names.pop("product.created") == done.created
        assert names == {"product.updated": [kept.pk], "product.deleted": [gone.pk]}

    def test_what_is_rolled_back_is_not_reported(self) -> None:
        make.address()
        with transaction.atomic():
            details.VERBS.create(actor=SYSTEM, title="Tea")
            transaction.set_rollback(True)
        assert recorded() == []

    def test_an_event_names_so_many_rows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(subscriptions, "MOST_IDS", 2)
        make.address()
        ids = [row.pk for row in ProductFactory.create_batch(3)]
        details.VERBS.delete(actor=SYSTEM, ids=ids)
        assert recorded() == [("product.deleted", ids[:2]), ("product.deleted", ids[2:])]

    def test_variants_go_and_come_with_their_product(self) -> None:
        make.address(make.URL, "product-variant.deleted", "product-variant.created")
        variant = VariantFactory()
        details.VERBS.delete(actor=SYSTEM, ids=[variant.product_id])
        details.VERBS.restore(actor=SYSTEM, ids=[variant.product_id])
        assert recorded() == [("product-variant.deleted", [variant.pk]), ("product-variant.created", [variant.pk])]


class TestMerging:
    def test_movements_of_stock_are_one_event(self) -> None:
        make.address(make.URL, STOCK, "product.updated")
        levels, product = InventoryLevelFactory.create_batch(2), ProductFactory()
        for number, level in enumerate([*levels, *levels]):
            move(level)
            details.VERBS.update(actor=SYSTEM, id=product.pk, title=str(number))
        fan_out()
        first, second = (level.pk for level in levels)
        assert [one for one in recorded() if one[0] == STOCK] == [(STOCK, [first, second])]
        assert Delivery.objects.filter(event__name=STOCK).count() == 1
        assert Delivery.objects.count() == 1 + 4

    def test_one_that_waits_is_enough_until_it_was_tried(self) -> None:
        make.address(make.URL, STOCK)
        level, other = InventoryLevelFactory.create_batch(2)
        move(level)
        fan_out()
        move(level)
        fan_out()
        assert Delivery.objects.count() == 1
        move(other)
        fan_out()
        assert Delivery.objects.count() == 2
        Delivery.objects.update(attempts=1)
        move(level)
        fan_out()
        assert Delivery.objects.count() == 3


class TestUpdatedAt:
    @pytest.mark.parametrize("part", ["price", "rule", "zone", "category"])
    def test_it_moves_with_a_part(self, part: str) -> None:
        whole, change = _WITH_PARTS[part]()
        rows = type(whole).objects.filter(pk=whole.pk)
        rows.update(updated_at=whole.updated_at - timedelta(hours=1))
        change()
        assert rows.get().updated_at >= whole.updated_at

    def test_it_moves_for_both_products_of_a_variant(self) -> None:
        variant, other = VariantFactory(), ProductFactory()
        past = variant.updated_at - timedelta(hours=1)
        Product.objects.update(updated_at=past)
        variant_details.VERBS.update(actor=SYSTEM, id=variant.pk, product_id=other.pk)
        assert not Product.objects.filter(updated_at=past).exists()

    def test_every_relation_leads_to_rows(self) -> None:
        declared = [model for model in apps.get_models() if getattr(model, "touches", ())]
        assert ProductVariant in declared
        for model in declared:
            touch(model, ["none"])


def _price() -> tuple[Any, Callable[[], object]]:
    lists: PriceList = PriceListFactory()
    given = {"price_set_id": VariantFactory().price_set_id, "currency_id": "usd", "amount": 5}
    return lists, lambda: price_editing.VERBS.create(actor=SYSTEM, price_list_id=lists.pk, **given)


def _rule() -> tuple[Any, Callable[[], object]]:
    lists: PriceList = PriceListFactory()
    given = {"attribute": "region_id", "value": ["reg_1"]}
    return lists, lambda: price_list_rule_editing.VERBS.create(actor=SYSTEM, price_list_id=lists.pk, **given)


def _zone() -> tuple[Any, Callable[[], object]]:
    made = zone("us")
    area = made.geo_zones.get()
    return made.fulfillment_set, lambda: geo_zone_editing.VERBS.delete(actor=SYSTEM, ids=[area.pk])


def _category() -> tuple[Any, Callable[[], object]]:
    parent: ProductCategory = CategoryFactory()
    return parent, lambda: category_tree.create(actor=SYSTEM, name="Tea", parent_id=parent.pk)


_WITH_PARTS = {"price": _price, "rule": _rule, "zone": _zone, "category": _category}
