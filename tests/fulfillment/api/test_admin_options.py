"""Shipping options with their prices, rules and types below /admin, as the official SDK calls them."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import Price
from fulfillment.models import ShippingOption, ShippingOptionRule, ShippingOptionType
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin
from tests.factories.fulfillment import ProfileFactory, option, zone
from tests.factories.shop import RegionFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin"]

OPTIONS = "/admin/shipping-options"
TOTAL = {"attribute": "item_total", "operator": "gt"}


def made(admin: Caller, **body: Any) -> dict[str, Any]:
    given = {
        "name": "Express",
        "price_type": "flat",
        "service_zone_id": zone().pk,
        "shipping_profile_id": ProfileFactory().pk,
        "provider_id": "manual_manual",
        "prices": [],
        **body,
    }
    answer = admin.post(OPTIONS, given)
    assert answer.status_code == 200, answer.content
    shown: dict[str, Any] = answer.json()["shipping_option"]
    assert shown == {**shown, **{key: value for key, value in given.items() if key not in ("prices", "rules", "type")}}
    return shown


def prices(shown: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [
        (
            each["currency_code"],
            each["amount"],
            sorted((rule["attribute"], rule["operator"], rule["value"]) for rule in each["price_rules"]),
        )
        for each in shown["prices"]
    ]


def test_one_is_made_with_its_type_prices_and_rules(admin: Caller) -> None:
    region = RegionFactory(currency_id="eur")
    shown = made(
        admin,
        type={"label": "Fast", "description": "Overnight", "code": "fast"},
        data={"id": "delivery"},
        metadata={"a": 1},
        prices=[
            {"currency_code": "USD", "amount": 19.99},
            {
                "currency_code": "usd",
                "amount": 0,
                "rules": [{"attribute": "item_total", "operator": "gte", "value": 50.1}],
            },
            {"region_id": region.pk, "amount": 4.9},
        ],
        rules=[
            {"attribute": "enabled_in_store", "operator": "eq", "value": "true"},
            {"attribute": "shipping_address.country_code", "operator": "in", "value": ["us", "ca"]},
        ],
    )
    texts = {"label": "Fast", "code": "fast", "description": "Overnight"}
    assert shown["type"] == {**shown["type"], **texts}
    assert shown["shipping_option_type_id"] == shown["type"]["id"]
    assert (shown["service_zone"]["id"], shown["provider"]["id"]) == (shown["service_zone_id"], "manual_manual")
    assert shown["shipping_profile"]["id"] == shown["shipping_profile_id"]
    assert prices(shown) == [
        ("usd", 19.99, []),
        ("usd", 0, [("item_total", "gte", "50.1")]),
        ("eur", 4.9, [("region_id", "eq", region.pk)]),
    ]
    assert [(rule["attribute"], rule["operator"], rule["value"]) for rule in shown["rules"]] == [
        ("enabled_in_store", "eq", "true"),
        ("shipping_address.country_code", "in", ["us", "ca"]),
    ]
    assert Price.objects.get(currency_id="eur").amount == Decimal("4.9")


def test_prices_are_replaced_by_the_list(admin: Caller) -> None:
    region = RegionFactory(currency_id="eur")
    rule = {"attribute": "item_total", "operator": "lt", "value": "50"}
    shown = made(
        admin,
        prices=[
            {"currency_code": "usd", "amount": 5, "rules": [rule]},
            {"region_id": region.pk, "amount": 4, "rules": [rule]},
            {"currency_code": "usd", "amount": 1},
        ],
    )
    one, (first, second, _) = f"{OPTIONS}/{shown['id']}", (each["id"] for each in shown["prices"])
    changed = admin.post(
        one,
        {"prices": [
            {"id": first, "amount": 6.5},
            {"id": second, "region_id": region.pk, "amount": 4, "rules": []},
            {"currency_code": "gbp", "amount": 3},
        ]},
    )  # fmt: skip
    after = changed.json()["shipping_option"]
    assert [each["id"] for each in after["prices"]][:2] == [first, second]
    assert prices(after) == [
        ("usd", 6.5, [("item_total", "lt", "50")]),
        ("eur", 4, [("region_id", "eq", region.pk)]),
        ("gbp", 3, []),
    ]
    assert after["updated_at"] > shown["updated_at"]
    elsewhere = {"region_id": region.pk, "currency_code": "usd", "amount": 4}
    assert "The currency of the region is eur" in refusal(admin.post(one, {"prices": [elsewhere]}))[1]
    assert prices(admin.post(one, {"name": "Slow"}).json()["shipping_option"]) == prices(after)
    twice = [{"id": first, "amount": 7}, {"currency_code": "usd", "amount": 5, "rules": [rule]}]
    assert "prices[1]: Another price of the option" in refusal(admin.post(one, {"prices": twice}))[1]
    assert admin.post(one, {"prices": []}).json()["shipping_option"]["prices"] == []


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"prices": [{"currency_code": "usd", "amount": 1.999}]}, "prices[0].amount: "),
        ({"prices": [{"currency_code": "usd", "amount": -1}]}, "prices[0].amount: Value for field 'amount' too small"),
        (
            {"prices": [{"currency_code": "usd", "amount": 1, "rules": [{**TOTAL, "value": one} for one in "12"]}]},
            "prices[0]: Two rules have the same attribute",
        ),
        ({"prices": [{"currency_code": "usd"}]}, "prices[0]: Field 'amount' is required"),
        ({"prices": [{"amount": 1}]}, "prices[0]: Field 'currency_code' or 'region_id' is required"),
        ({"prices": [{"currency_code": "zzz", "amount": 1}]}, "prices[0].currency_code: Currency with id: zzz"),
        ({"prices": [{"region_id": "reg_x", "amount": 1}]}, "prices[0]: Region with id: reg_x was not found"),
        ({"prices": [{"id": "price_x", "amount": 1}]}, "prices[0].id: Price with id: price_x was not found"),
        ({"prices": [{"currency_code": "usd", "amount": one} for one in (1, 2)]}, "prices[1]: Another price"),
        ({"prices": [{"currency_code": "usd", "amount": "1"}]}, "Expected type: 'number'"),
        ({"rules": [{"attribute": "colour", "operator": "eq", "value": "red"}]}, "rules[0].attribute: Rules cannot"),
        ({"rules": [{**TOTAL, "value": "much"}]}, "rules[0].value: It has to be a number"),
        ({"rules": [{**TOTAL, "value": ["1", "2"]}]}, "takes a single value"),
        ({"rules": [{**TOTAL, "value": 5}]}, "rules[0].value"),
        ({"type": {"label": " ", "code": "a"}}, "must not be empty"),
        ({"type_id": "sotype_x"}, "Shipping option type with id: sotype_x was not found"),
        ({"shipping_profile_id": "sp_x"}, "Shipping profile with id: sp_x was not found"),
        ({"service_zone_id": None}, "service_zone_id"),
        ({"price_type": "free"}, "Expected: 'flat, calculated' for field 'price_type'"),
    ],
)  # fmt: skip
def test_bad_members_change_nothing(admin: Caller, body: dict[str, Any], problem: str) -> None:
    stored = option(name="Old")
    before = ShippingOption.objects.values().get()
    status, message = refusal(admin.post(f"{OPTIONS}/{stored.pk}", {"name": "New", **body}))
    assert (status, problem in message) == (400, True), message
    for rule in ("item_total", "colour"):
        price = {"currency_code": "usd", "amount": 1, "rules": [{"attribute": rule, "operator": "gt", "value": "a"}]}
        assert refusal(admin.post(f"{OPTIONS}/{stored.pk}", {"prices": [price]}))[0] == 400
    assert ShippingOption.objects.values().get() == before
    assert Price.objects.get().amount == 10
    assert ShippingOptionType.objects.count() == 1


def test_rules_change_in_a_batch(admin: Caller) -> None:
    stored = option(rules=(("item_total", "gt", "5"), ("is_return", "eq", "true"), ("total", "lt", "9")))
    first, second, third = ShippingOptionRule.objects.order_by("pk").values_list("pk", flat=True)
    path = f"{OPTIONS}/{stored.pk}/rules/batch"
    body = {
        "create": [{"attribute": "enabled_in_store", "operator": "eq", "value": "false"}],
        "update": [{"id": first, "attribute": "item_total", "operator": "gte", "value": "7"}],
        "delete": [second],
    }
    answer = admin.post(path, body).json()
    assert [(one["attribute"], one["value"], one["shipping_option_id"]) for one in answer["created"]] == [
        ("enabled_in_store", "false", stored.pk)
    ]
    assert [(one["id"], one["operator"], one["value"]) for one in answer["updated"]] == [(first, "gte", "7")]
    assert answer["deleted"] == {"ids": [second], "object": "shipping_option_rule", "deleted": True}
    living = ShippingOptionRule.objects.not_deleted()
    assert set(living.values_list("pk", flat=True)) == {first, third, answer["created"][0]["id"]}
    other = ShippingOptionRule.objects.create(shipping_option=option(), attribute="total", operator="gt", value="1")
    for bad in ({"delete": [other.pk]}, {"update": [{**body["update"][0], "id": other.pk}]}):
        assert refusal(admin.post(path, {**body, **bad}))[0] == 400
    assert living.count() == 4


class TestTypes:
    def test_options_share_one_and_keep_it_from_being_deleted(self, admin: Caller) -> None:
        kind = admin.post("/admin/shipping-option-types", {"label": "Fast", "code": "fast"}).json()
        key = kind["shipping_option_type"]["id"]
        one = f"/admin/shipping-option-types/{key}"
        shared = [made(admin, name=name)["id"] for name in ("Day", "Night")]
        for each in shared:
            shown = admin.post(f"{OPTIONS}/{each}", {"type_id": key}).json()["shipping_option"]
            assert shown["shipping_option_type_id"] == shown["type"]["id"] == key
        both = admin.post(f"{OPTIONS}/{shared[0]}", {"type_id": key, "type": {"label": "A", "code": "a"}})
        assert refusal(both) == (400, "Give the option either a 'type' or a 'type_id'")
        assert refusal(admin.send("DELETE", one)) == (
            400,
            "The shipping option type 'Fast' is used by shipping options, and cannot be deleted",
        )
        changed = admin.post(f"{OPTIONS}/{shared[0]}", {"type": {"label": "Slow", "code": "slow"}}).json()
        assert changed["shipping_option"]["type"]["label"] == "Slow"
        assert changed["shipping_option"]["shipping_option_type_id"] != key
        assert admin.post(one, {"label": "Faster"}).json()["shipping_option_type"]["label"] == "Faster"
        alone = admin.post(f"{OPTIONS}/{shared[1]}", {"type": {"label": "Fastest", "code": "fast"}}).json()
        assert alone["shipping_option"]["type"] == {**alone["shipping_option"]["type"], "id": key, "label": "Fastest"}
        assert admin.send("DELETE", f"{OPTIONS}/{shared[1]}").status_code == 200
        assert admin.send("DELETE", one).status_code == 200


def test_by_graphql(admin: Caller) -> None:
    mutation = """mutation ($input: ShippingOptionInput!) {
      createShippingOption(input: $input) { shippingOption { name prices { amount priceRules { value } } } } }"""
    price = {"currencyCode": "usd", "amount": 4.2, "rules": [{"attribute": "total", "operator": "gt", "value": 5}]}
    values = {"name": "Post", "serviceZoneId": zone().pk, "prices": [price]}
    assert data(ask(admin, mutation, {"input": values}))["createShippingOption"] == {
        "shippingOption": {"name": "Post", "prices": [{"amount": 4.2, "priceRules": [{"value": "5"}]}]}
    }
    create = """mutation ($id: ID!) { createServiceZone(id: $id, input: {
      name: "Alps", geoZones: [{ type: "country", countryCode: "ch" }]
    }) { serviceZone { name geoZones { countryCode } } } }"""
    assert data(ask(admin, create, {"id": zone().fulfillment_set_id}))["createServiceZone"] == {
        "serviceZone": {"name": "Alps", "geoZones": [{"countryCode": "ch"}]}
    }


def test_many_prices_and_rules_take_as_many_statements_as_few(admin: Caller) -> None:
    counts = []
    for amount in (2, 30):
        body = {
            "prices": [
                {"currency_code": "usd", "amount": n, "rules": [{"attribute": "total", "operator": "gt", "value": n}]}
                for n in range(amount)
            ],
            "rules": [{"attribute": "total", "operator": "gt", "value": str(n)} for n in range(amount)],
        }
        shown = made(admin, **body)
        with CaptureQueriesContext(
            connection,
        ) as statements:
            assert admin.post(f"{OPTIONS}/{shown['id']}", {**body, "prices": body["prices"][1:]}).status_code == 200
        counts.append(len(statements))
    assert counts[0] == counts[1]
