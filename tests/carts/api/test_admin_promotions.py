"""Promotions below /admin, as the official SDK calls them."""

from typing import Any

import pytest

from carts.models import Campaign, Promotion, PromotionCode, PromotionRule
from customers.models import CustomerGroup
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin
from tests.factories.apikeys import secret_key
from tests.factories.carts import PromotionFactory
from tests.factories.fulfillment import option
from tests.factories.products import ProductCollectionFactory, ProductFactory
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db

__all__ = ["admin"]

PATH = "/admin/promotions"
ORDER = {"type": "percentage", "value": 10, "target_type": "order", "allocation": "across"}
ITEMS = {"type": "percentage", "value": 10, "target_type": "items", "allocation": "each"}
DEAL = {**ITEMS, "buy_rules_min_quantity": 2, "apply_to_quantity": 1}


def made(admin: Caller, **body: Any) -> dict[str, Any]:
    answer = admin.post(PATH, {"code": "SAVE", "type": "standard", "application_method": ORDER, **body})
    assert answer.status_code == 200, answer.json()
    return answer.json()["promotion"]


def test_one_is_made_read_changed_and_deleted(admin: Caller) -> None:
    shown = made(
        admin,
        is_automatic=True,
        limit=5,
        limit_per_customer=1,
        priority=2,
        combines_with=["order", "shipping"],
        starts_at="2026-01-01T00:00:00Z",
        metadata={"a": 1},
        application_method={
            "type": "fixed",
            "value": 7.5,
            "currency_code": "EUR",
            "target_type": "items",
            "allocation": "once",
            "max_quantity": 3,
            "description": "Spring",
        },
    )
    key = shown["id"].removeprefix("promo_")
    assert shown == {
        "id": f"promo_{key}",
        "code": "SAVE",
        "type": "standard",
        "status": "draft",
        "is_automatic": True,
        "has_codes": False,
        "is_tax_inclusive": False,
        "starts_at": "2026-01-01T00:00:00.000Z",
        "ends_at": None,
        "limit": 5,
        "limit_per_customer": 1,
        "used": 0,
        "priority": 2,
        "combines_with": ["order", "shipping"],
        "campaign_id": None,
        "campaign": None,
        "application_method": {
            "id": f"proappmet_{key}",
            "type": "fixed",
            "value": 7.5,
            "currency_code": "eur",
            "target_type": "items",
            "allocation": "once",
            "max_quantity": 3,
            "buy_rules_min_quantity": None,
            "apply_to_quantity": None,
            "description": "Spring",
            "target_rules": [],
            "buy_rules": [],
        },
        "rules": [],
        "metadata": {"a": 1},
        **{name: shown[name] for name in ("created_at", "updated_at", "deleted_at")},
    }
    assert admin.get(f"{PATH}/{shown['id']}").json() == {"promotion": shown}
    assert admin.get(f"{PATH}/SAVE").json() == {"promotion": shown}
    change = {"status": "active", "limit": None, "combines_with": [], "application_method": {"value": 8}}
    changed = admin.post(f"{PATH}/{shown['id']}", change).json()["promotion"]
    assert changed == {
        **shown,
        "status": "active",
        "limit": None,
        "combines_with": [],
        "application_method": {**shown["application_method"], "value": 8},
        "updated_at": changed["updated_at"],
    }
    gone = admin.send("DELETE", f"{PATH}/{shown['id']}")
    assert gone.json() == {"id": shown["id"], "object": "promotion", "deleted": True}
    message = f"Promotion with id or code: {shown['id']} was not found"
    assert refusal(admin.get(f"{PATH}/{shown['id']}")) == (404, message)
    assert not PromotionCode.objects.not_deleted().exists()


def test_rules_stand_where_they_were_sent(admin: Caller) -> None:
    group, product, collection = CustomerGroup.objects.create(name="A"), ProductFactory(), ProductCollectionFactory()
    shown = made(
        admin,
        type="buyget",
        rules=[{"attribute": "customer.groups.id", "operator": "in", "values": [group.pk], "description": "Members"}],
        application_method={
            **DEAL,
            "target_rules": [{"attribute": "items.product.id", "operator": "eq", "values": product.pk}],
            "buy_rules": [{"attribute": "items.product.collection_id", "operator": "ne", "values": [collection.pk]}],
        },
    )
    method = shown["application_method"]
    rules = [*shown["rules"], *method["target_rules"], *method["buy_rules"]]
    assert [(each["attribute"], each["operator"], each["values"], each["description"]) for each in rules] == [
        ("customer.groups.id", "in", [{"id": group.pk, "value": group.pk}], "Members"),
        ("items.product.id", "eq", [{"id": product.pk, "value": product.pk}], None),
        ("items.product.collection_id", "ne", [{"id": collection.pk, "value": collection.pk}], None),
    ]
    assert (method["buy_rules_min_quantity"], method["apply_to_quantity"]) == (2, 1)


def test_the_list_finds_them(admin: Caller) -> None:
    spring = made(admin, code="Spring")["id"]
    euro = made(admin, code="Euro", application_method={**ORDER, "currency_code": "eur"})["id"]
    for query, found in (
        ("", [spring, euro]),
        ("q=SPR", [spring]),
        ("code=Euro", [euro]),
        ("application_method[currency_code]=eur", [euro]),
        (f"id[]={spring}", [spring]),
        ("campaign_id=procamp_x", []),
    ):
        page = admin.get(f"{PATH}?fields=id&{query}").json()
        assert ([each["id"] for each in page["promotions"]], page["limit"]) == (found, 50)


VALUES = {"attribute": "item_total", "operator": "gte", "values": "50"}
OF_GOODS = {"attribute": "items.product.id", "operator": "in", "values": ["prod_x"]}
METHODS = {
    "value": [{**ORDER, "value": 0}, {**ORDER, "value": 100.5}, {**ORDER, "value": -1}],
    "currency_code": [{**ORDER, "type": "fixed"}, {**ORDER, "currency_code": "xyz"}],
    "allocation": [
        {**ORDER, "allocation": "once", "max_quantity": 1},
        {"type": "percentage", "value": 10, "target_type": "items"},
        {"type": "percentage", "value": 10, "target_type": "shipping_methods"},
    ],
    "max_quantity": [
        {**ITEMS, "allocation": "across", "max_quantity": 2},
        {**ITEMS, "allocation": "once"},
        {**ITEMS, "max_quantity": 0},
    ],
    "apply_to_quantity": [{**ITEMS, "apply_to_quantity": 1}],
    "buy_rules_min_quantity": [{**ITEMS, "buy_rules_min_quantity": 1}],
    "target_rules": [{**ORDER, "target_rules": [OF_GOODS]}],
    "target_rules[0].values": [{**ITEMS, "target_rules": [OF_GOODS]}],
    "target_rules[0].attribute": [{**ITEMS, "target_rules": [VALUES]}],
    "target_rules[0].operator": [{**ITEMS, "target_rules": [{**OF_GOODS, "operator": "gt"}]}],
    "target_type": [{**ITEMS, "target_type": "everything"}, {"type": "percentage", "value": 10}],
}


@pytest.mark.parametrize(("name", "method"), [(name, each) for name, sent in METHODS.items() for each in sent])
def test_a_refused_method_is_named(admin: Caller, name: str, method: dict[str, Any]) -> None:
    answer = admin.post(PATH, {"code": "SAVE", "type": "standard", "application_method": method})
    assert (answer.status_code, f"application_method.{name}" in answer.json()["message"]) == (400, True), answer.json()
    assert not Promotion.objects.exists()


CAMPAIGN = {"name": "Spring", "campaign_identifier": "spring"}


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("additional_data", {"additional_data": {"a": 1}}),
        ("campaign", {"campaign": CAMPAIGN, "campaign_id": "procamp_x"}),
        ("campaign_id", {"campaign_id": "procamp_x"}),
        ("campaign.budget.type", {"campaign": {**CAMPAIGN, "budget": {"type": "spend_by_attribute"}}}),
        ("campaign.budget.type", {"campaign": {**CAMPAIGN, "budget": {"type": "use_by_attribute"}}}),
        ("campaign.budget.attribute", {"campaign": {**CAMPAIGN, "budget": {"type": "usage", "attribute": "a"}}}),
        ("campaign.budget.currency_code", {"campaign": {**CAMPAIGN, "budget": {"type": "spend"}}}),
        ("campaign.budget.limit", {"campaign": {**CAMPAIGN, "budget": {"type": "usage", "limit": 1.5}}}),
        ("campaign.budget.limit", {"campaign": {**CAMPAIGN, "budget": {"type": "usage", "limit": 10**15}}}),
        ("application_method.value", {"application_method": {**ORDER, "value": 33.33333}}),
        ("campaign_id", {"campaign": {**CAMPAIGN, "budget": {"type": "spend", "currency_code": "eur"}}}),
        ("rules[0].attribute", {"rules": [{**VALUES, "attribute": "payment_provider_id"}]}),
        ("rules[0].values", {"rules": [{**VALUES, "values": "many"}]}),
        ("rules[0].values", {"rules": [{**VALUES, "values": []}]}),
        ("rules[0].values", {"rules": [{"attribute": "region.id", "operator": "in", "values": ["reg_x"]}]}),
        ("rules[0].operator", {"rules": [{**VALUES, "operator": "in"}]}),
        ("application_method.currency_code", {"rules": [VALUES]}),
        ("ends_at", {"starts_at": "2026-02-01", "ends_at": "2026-01-01"}),
        ("limit_per_customer", {"limit_per_customer": 0}),
        ("'limit'", {"limit": -1}),
        ("'limit'", {"limit": 2**31}),
        ("limit_per_customer", {"limit_per_customer": 2**31}),
        ("combines_with", {"combines_with": ["everything"]}),
        ("application_method.buy_rules_min_quantity", {"type": "buyget", "application_method": ITEMS}),
        ("application_method.target_rules", {"type": "buyget", "application_method": DEAL}),
        ("application_method.target_type", {"type": "buyget", "application_method": ORDER}),
        (
            "application_method.max_quantity",
            {"type": "buyget", "application_method": {**DEAL, "apply_to_quantity": 3, "max_quantity": 2}},
        ),
        ("type", {"type": "gift"}),
        ("status", {"status": "over"}),
    ],
)
def test_a_refused_member_is_named(admin: Caller, name: str, body: dict[str, Any]) -> None:
    answer = admin.post(PATH, {"code": "SAVE", "type": "standard", "application_method": ORDER, **body})
    assert (answer.status_code, name in answer.json()["message"]) == (400, True), answer.json()
    assert not Promotion.objects.exists()


def test_terms_and_stored_rules_stay_consistent(admin: Caller) -> None:
    product = ProductFactory()
    rule = {"attribute": "items.product.id", "operator": "in", "values": [product.pk]}
    shown = made(admin, application_method={**ITEMS, "target_rules": [rule]})
    one = f"{PATH}/{shown['id']}"
    for method in ({"target_type": "order", "allocation": "across"}, {"target_type": "shipping_methods"}):
        assert "application_method.target_rules" in refusal(admin.post(one, {"application_method": method}))[1]
    Promotion.objects.update(used=3)
    assert "limit" in refusal(admin.post(one, {"limit": 2}))[1]
    assert admin.get(one).json()["promotion"] == {**shown, "used": 3}


def test_shipping_is_a_target(admin: Caller) -> None:
    express = option(5)
    rule = {"attribute": "shipping_methods.shipping_option_id", "operator": "in", "values": [express.pk]}
    shown = made(admin, application_method={**ITEMS, "target_type": "shipping_methods", "target_rules": [rule]})
    assert PromotionRule.objects.get().values == [express.pk]
    assert Promotion.objects.get().target == "items", shown


def test_the_codes_of_a_campaign_are_for_those_who_may_view_promotions() -> None:
    campaign = Campaign.objects.create(**CAMPAIGN)
    PromotionFactory(code="VIP", campaign=campaign)
    owner = UserFactory(is_superuser=True)
    for permissions, codes in ((), []), (("carts.view_promotion",), ["VIP"]):
        program = importer(secret_key(owner, permissions=["carts.view_campaign", *permissions]))
        answer = program.get(f"/admin/campaigns/{campaign.pk}?fields=promotions.code")
        assert [each["code"] for each in answer.json()["campaign"]["promotions"]] == codes
