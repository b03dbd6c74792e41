"""Batches of rows that belong to another row: zones, shipping options, places and rules."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from catalog.models import PriceListRule
from catalog.prices import price_list_rule_editing
from fulfillment.editing import geo_zone_editing, option_rule_editing, shipping_editing
from fulfillment.editing.shipping_editing import TypeTexts
from fulfillment.models import GeoZone, ServiceZone, ShippingOption, ShippingOptionRule
from kit.domain.actor import ANONYMOUS, SYSTEM
from kit.editing.verbs import RowVerbs
from kit.errors import Forbidden
from tests.factories.fulfillment import ProfileFactory, option, zone
from tests.factories.pricing import PriceListFactory

pytestmark = pytest.mark.django_db

New = Callable[[int], dict[str, Any]]


def zones() -> New:
    ways = zone().fulfillment_set_id
    return lambda number: {"name": f"Zone to {number}", "fulfillment_set_id": ways}


def options() -> New:
    area, profile = zone().pk, ProfileFactory().pk
    return lambda number: {
        "name": f"Option {number}",
        "service_zone_id": area,
        "shipping_profile_id": profile,
        "type": TypeTexts(label="Express", code=f"express-{number}"),
    }


def places() -> New:
    area = zone().pk
    return lambda number: {"service_zone_id": area, "type": "city", "country_id": "us", "province_code": "ny",
                           "city": f"City {number}"}  # fmt: skip


def rules_of_options() -> New:
    chosen = option().pk
    return lambda number: {"shipping_option_id": chosen, "attribute": "total", "operator": "gt", "value": str(number)}


def rules_of_lists() -> New:
    keys = [PriceListFactory().pk for _ in range(200)]
    return lambda number: {"price_list_id": keys[number], "attribute": "region_id", "value": [f"reg_{number}"]}


TABLES: list[tuple[RowVerbs, type[models.Model], Callable[[], New], dict[str, Any]]] = [
    (shipping_editing.ZONES, ServiceZone, zones, {"metadata": {"a": 1}}),
    (shipping_editing.OPTIONS, ShippingOption, options, {"type": TypeTexts(label="Courier", code="courier")}),
    (geo_zone_editing.VERBS, GeoZone, places, {"postal_expression": {"prefix": "1"}}),
    (option_rule_editing.VERBS, ShippingOptionRule, rules_of_options, {"value": "5"}),
    (price_list_rule_editing.VERBS, PriceListRule, rules_of_lists, {"value": ["reg_none"]}),
]
parametrized = pytest.mark.parametrize(
    ("verbs", "model", "rows", "change"), TABLES, ids=[model.__name__ for _, model, *_ in TABLES]
)


@parametrized
def test_five_rows_cost_as_many_statements_as_a_hundred(verbs, model, rows, change) -> None:
    new = rows()

    def statements(first: int, amount: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            made = verbs.put(actor=SYSTEM, states=[verbs.state(**new(first + n)) for n in range(amount)])
            keys = [one.row.pk for one in made]
            edited = verbs.put(actor=SYSTEM, states=[verbs.state(id=key, **change) for key in keys])
            verbs.delete(actor=SYSTEM, ids=keys)
        assert all(one.is_changed for one in edited)
        assert len(keys) == amount
        return len(captured)

    many = 100 if connection.vendor == "postgresql" else 30  # SQLite limits the values of a statement
    assert statements(50, many) == statements(0, 5)


@parametrized
def test_each_verb_requires_its_permission(verbs, model, rows, change) -> None:
    new = rows()
    (row,) = (one.row for one in verbs.put(actor=SYSTEM, states=[verbs.state(**new(0))]))
    name = f"{model._meta.app_label}.{{}}_{model._meta.model_name}"
    before = list(model.objects.order_by("pk").values())
    for needed, other, attempt in (
        ("add", "change", lambda actor: verbs.put(actor=actor, states=[verbs.state(**new(1))])),
        ("change", "add", lambda actor: verbs.put(actor=actor, states=[verbs.state(id=row.pk, **change)])),
        ("delete", "change", lambda actor: verbs.delete(actor=actor, ids=[row.pk])),
    ):
        with pytest.raises(Forbidden, match=name.format(needed)):
            attempt(ANONYMOUS.with_permission(name.format(other)))
    assert list(model.objects.order_by("pk").values()) == before
