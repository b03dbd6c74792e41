"""Batches of rows as the verbs of simple tables write them: tags, groups, promotions, zones."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from carts.models import Promotion
from carts.promotions import promotion_editing
from catalog.models import InventoryItem, PriceList, Product, ProductCollection, ProductTag, ProductType
from catalog.prices import price_list_editing
from catalog.products import labels
from catalog.stock import inventory_item_editing
from customers import groups
from customers.models import CustomerGroup
from fulfillment.editing import shipping_editing
from fulfillment.editing.shipping_editing import TypeTexts
from fulfillment.models import FulfillmentSet, GeoZone, ServiceZone, ShippingOption, ShippingOptionType
from kit.domain.actor import ANONYMOUS, SYSTEM
from kit.domain.soft_deletion import NotDeleted, ValueTaken
from kit.editing.children import Links
from kit.editing.states import RowsRefused, RowState, VersionOutdated
from kit.editing.verbs import RowVerbs
from kit.errors import Forbidden, NotFound
from kit.values.timestamps import now
from shop.logistics import shipping_profiles, stock_locations
from shop.models import SalesChannel, ShippingProfile, StockLocation
from shop.stores import sales_channels
from tests.factories.fulfillment import zone
from tests.factories.products import ProductFactory, ProductTagFactory

pytestmark = pytest.mark.django_db


def put(*states: RowState) -> list[ProductTag]:
    return [edited.row for edited in labels.TAGS.put(actor=SYSTEM, states=states)]


def tags() -> list[str]:
    return list(ProductTag.objects.not_deleted().order_by("value").values_list("value", flat=True))


def faults(refused: pytest.ExceptionInfo[RowsRefused]) -> list[tuple[int, str, str]]:
    return [(fault.index, fault.field, fault.error.message) for fault in refused.value.faults]


TABLES: list[tuple[RowVerbs, type[models.Model], Callable[[int], dict[str, Any]], dict[str, Any]]] = [
    (groups.VERBS, CustomerGroup, lambda n: {"name": f"G{n}"}, {"metadata": {"a": 1}}),
    (sales_channels.VERBS, SalesChannel, lambda n: {"name": f"C{n}"}, {"is_disabled": True}),
    (shipping_profiles.VERBS, ShippingProfile, lambda n: {"name": f"P{n}"}, {"type": "letters"}),
    (stock_locations.VERBS, StockLocation, lambda n: {"name": f"L{n}", "address": {"city": "Reno"}},
     {"address": {"city": "Austin"}}),
    (labels.TYPES, ProductType, lambda n: {"value": f"T{n}"}, {"metadata": {"a": 1}}),
    (labels.TAGS, ProductTag, lambda n: {"value": f"T{n}"}, {"metadata": {"a": 1}}),
    (labels.COLLECTIONS, ProductCollection, lambda n: {"title": f"C{n}"}, {"title": "Winter"}),
    (price_list_editing.VERBS, PriceList, lambda n: {"title": f"S{n}"}, {"status": "active"}),
    (promotion_editing.VERBS, Promotion,
     lambda n: {"code": f"P{n}", "type": "percentage", "target": "items", "value": Decimal(10)},
     {"value": Decimal(20)}),
    (inventory_item_editing.VERBS, InventoryItem, lambda n: {"sku": f"S{n}"}, {"requires_shipping": False}),
    (shipping_editing.SETS, FulfillmentSet, lambda n: {"name": f"S{n}", "type": "shipping"}, {"type": "pickup"}),
]  # fmt: skip


@pytest.mark.parametrize(("verbs", "model", "new", "change"), TABLES, ids=[model.__name__ for _, model, *_ in TABLES])
def test_five_rows_cost_as_many_statements_as_a_hundred(verbs, model, new, change) -> None:
    def statements(first: int, amount: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            made = verbs.put(actor=SYSTEM, states=[verbs.state(**new(first + n)) for n in range(amount)])
            keys = [one.row.pk for one in made]
            verbs.put(actor=SYSTEM, states=[verbs.state(id=key, **change) for key in keys])
            if model not in (SalesChannel, ShippingProfile, StockLocation):
                verbs.delete(actor=SYSTEM, ids=keys)
                verbs.restore(actor=SYSTEM, ids=keys)
        (name, value), *_ = change.items()
        if name != "address":
            assert set(map(str, model.objects.filter(pk__in=keys).values_list(name, flat=True))) == {str(value)}
        assert not model.objects.filter(pk__in=keys).exclude(deleted_at=None).exists()
        return len(captured)

    many = 100 if connection.vendor == "postgresql" else 30  # SQLite limits the values of a statement
    assert statements(1000, many) == statements(0, 5)


@pytest.mark.parametrize(("verbs", "model", "new", "change"), TABLES, ids=[model.__name__ for _, model, *_ in TABLES])
def test_each_verb_requires_its_permission(verbs, model, new, change) -> None:
    (row,) = (one.row for one in verbs.put(actor=SYSTEM, states=[verbs.state(**new(0))]))
    name = f"{model._meta.app_label}.{{}}_{model._meta.model_name}"
    attempts = [
        ("add", "change", lambda actor: verbs.put(actor=actor, states=[verbs.state(**new(1))])),
        ("change", "add", lambda actor: verbs.put(actor=actor, states=[verbs.state(id=row.pk, **change)])),
    ]
    if model not in (SalesChannel, ShippingProfile, StockLocation):
        attempts += [
            ("delete", "change", lambda actor: verbs.delete(actor=actor, ids=[row.pk])),
            ("delete", "change", lambda actor: verbs.restore(actor=actor, ids=[row.pk])),
        ]
    before = list(model.objects.order_by("pk").values())
    for needed, other, attempt in attempts:
        with pytest.raises(Forbidden, match=name.format(needed)):
            attempt(ANONYMOUS.with_permission(name.format(other)))
    assert list(model.objects.order_by("pk").values()) == before


def test_a_batch_is_written_as_a_whole_or_not_at_all() -> None:
    ProductTagFactory(value="tea")
    with pytest.raises(RowsRefused) as refused:
        put(
            labels.TAGS.state(value="oak"),
            labels.TAGS.state(value="tea"),
            labels.TAGS.state(value=" "),
            labels.TAGS.state(value="x" * 256),
        )
    assert faults(refused) == [
        (2, "value", "Value for field 'value' must not be blank"),
        (3, "value", "Value for field 'value' too long, expected at most: '255' characters"),
        (1, "value", "Product tag with value: tea already exists"),
    ]
    assert tags() == ["tea"]


def test_two_new_rows_cannot_share_a_unique_value() -> None:
    with pytest.raises(RowsRefused) as refused:
        put(labels.TAGS.state(value="tea"), labels.TAGS.state(value="tea"))
    assert faults(refused) == [(1, "value", "Product tag with value: tea already exists")]


def test_a_new_row_needs_what_has_no_default() -> None:
    with pytest.raises(RowsRefused) as refused:
        put(labels.TAGS.state(metadata={"a": 1}))
    assert faults(refused) == [(0, "value", "Value for field 'value' must not be blank")]


def test_what_is_not_given_stays_and_what_does_not_differ_is_no_change() -> None:
    tag = ProductTagFactory(value="tea", metadata={"a": 1})
    (edited,) = labels.TAGS.put(actor=SYSTEM, states=[labels.TAGS.state(id=tag.pk, value="tea")])
    assert not edited.is_changed
    stored = ProductTag.objects.get()
    assert (stored.metadata, stored.updated_at) == ({"a": 1}, tag.updated_at)


def test_a_row_may_be_named_only_once() -> None:
    tag = ProductTagFactory(value="tea")
    with pytest.raises(RowsRefused) as refused:
        put(labels.TAGS.state(id=tag.pk, value="oak"), labels.TAGS.state(id=tag.pk, value="ash"))
    assert faults(refused) == [(1, "", f"Product tag with id: {tag.pk} is named twice")]


def test_the_second_of_two_edits_of_one_version_is_refused() -> None:
    tag = ProductTagFactory(value="tea")
    put(labels.TAGS.state(id=tag.pk, version=tag.updated_at, value="oak"))
    with pytest.raises(RowsRefused) as refused:
        put(labels.TAGS.state(id=tag.pk, version=tag.updated_at, value="ash"))
    assert isinstance(refused.value.faults[0].error, VersionOutdated)
    assert tags() == ["oak"]


def test_deleted_and_unknown_rows_are_not_found() -> None:
    gone = ProductTagFactory(deleted_at=now())
    for key in (gone.pk, "ptag_x", "\0"):
        with pytest.raises(NotFound):
            put(labels.TAGS.state(id=key, value="oak"))
    with pytest.raises(NotFound):
        labels.TAGS.delete(actor=SYSTEM, ids=[gone.pk])


def test_a_link_to_a_deleted_row_stays_but_is_not_made() -> None:
    kept, gone = ProductFactory(), ProductFactory()
    terms = {"type": "percentage", "target": "items", "value": Decimal(10)}
    (made,) = promotion_editing.VERBS.put(
        actor=SYSTEM, states=[promotion_editing.VERBS.state(code="A", products=[gone.pk], **terms)]
    )
    gone.deleted_at = now()
    gone.save()
    both = [kept.pk, gone.pk]
    promotion_editing.VERBS.put(actor=SYSTEM, states=[promotion_editing.VERBS.state(id=made.row.pk, products=both)])
    assert {product.pk for product in made.row.products.all()} == {*both}
    with pytest.raises(RowsRefused) as refused:
        promotion_editing.VERBS.put(
            actor=SYSTEM, states=[promotion_editing.VERBS.state(code="B", products=both, **terms)]
        )
    assert faults(refused) == [(0, "products", f"Product with id: {gone.pk} was not found, given by field 'products'")]


def test_a_promotions_terms_are_checked_with_what_is_stored() -> None:
    terms = {"type": "percentage", "target": "items", "value": Decimal(10)}
    (made,) = promotion_editing.VERBS.put(actor=SYSTEM, states=[promotion_editing.VERBS.state(code="A", **terms)])
    with pytest.raises(RowsRefused) as refused:
        promotion_editing.VERBS.put(actor=SYSTEM, states=[promotion_editing.VERBS.state(id=made.row.pk, type="fixed")])
    message = "The promotion is a fixed amount, which needs a currency_code."
    assert faults(refused) == [(0, "currency", message)]


def test_a_collection_without_a_handle_gets_it_from_its_title() -> None:
    (made,) = labels.COLLECTIONS.put(actor=SYSTEM, states=[labels.COLLECTIONS.state(title="Summer Teas")])
    assert made.row.handle == "summer-teas"


def test_a_shipping_option_changes_the_type_that_no_other_has() -> None:
    area = zone()
    express = TypeTexts(label="Express", code="express")
    (made,) = shipping_editing.OPTIONS.put(
        actor=SYSTEM, states=[shipping_editing.OPTIONS.state(name="Fast", service_zone_id=area.pk, type=express)]
    )
    key = made.row.pk
    assert ShippingOption.objects.get().type.label == "Express"
    (edited,) = shipping_editing.OPTIONS.put(
        actor=SYSTEM, states=[shipping_editing.OPTIONS.state(id=key, type=TypeTexts(label="Courier", code="express"))]
    )
    assert (edited.is_changed, ShippingOptionType.objects.get().label) == (True, "Courier")
    shipping_editing.OPTIONS.put(actor=SYSTEM, states=[shipping_editing.OPTIONS.state(id=key, type=None)])
    assert (ShippingOption.objects.get().type, ShippingOptionType.objects.count()) == (None, 1)


class TestDeletion:
    def test_parts_go_and_come_back_with_their_row(self) -> None:
        area, other = zone("de", "at"), zone("us")
        before, kept, stays = (GeoZone.objects.get(country=code) for code in ("de", "at", "us"))
        GeoZone.objects.filter(pk=before.pk).update(deleted_at=now() - timedelta(seconds=1))
        shipping_editing.ZONES.delete(actor=SYSTEM, ids=[area.pk])
        assert list(GeoZone.objects.filter(deleted_at=None)) == [stays]
        shipping_editing.ZONES.restore(actor=SYSTEM, ids=[area.pk])
        assert set(GeoZone.objects.filter(deleted_at=None)) == {kept, stays}
        assert set(ServiceZone.objects.filter(deleted_at=None)) == {area, other}

    def test_a_name_that_was_taken_meanwhile_refuses_the_restoration(self) -> None:
        tag = ProductTagFactory(value="tea")
        labels.TAGS.delete(actor=SYSTEM, ids=[tag.pk])
        put(labels.TAGS.state(value="tea"))
        with pytest.raises(ValueTaken):
            labels.TAGS.restore(actor=SYSTEM, ids=[tag.pk])
        assert tags() == ["tea"]

    def test_only_a_deleted_row_is_restored(self) -> None:
        with pytest.raises(NotDeleted):
            labels.TAGS.restore(actor=SYSTEM, ids=[ProductTagFactory().pk])

    def test_a_set_is_deleted_with_its_zones(self) -> None:
        area = zone()
        shipping_editing.SETS.delete(actor=SYSTEM, ids=[area.fulfillment_set_id])
        area.refresh_from_db()
        assert area.deleted_at is not None


def test_a_link_to_a_row_that_is_deleted_meanwhile_is_left_alone() -> None:
    """Between the check of the references and the insertion of the links."""
    product, tag = ProductFactory(), ProductTagFactory()
    product.tags.add(tag)
    ProductTag.objects.update(deleted_at=now())
    links = Links(Product, "tags", [product.pk])
    assert (links.of(product.pk), links.link(product.pk, [tag.pk])) == ({}, False)
    links.write()
    assert [*product.tags.all()] == [tag]
