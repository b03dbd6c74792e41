"""The rules of promotions below /admin, as the official SDK calls them."""

from typing import Any

import pytest

from carts.models import Campaign, Promotion, PromotionGate, PromotionRule
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin
from tests.factories.apikeys import secret_key
from tests.factories.carts import PromotionFactory
from tests.factories.customers import CustomerGroupFactory
from tests.factories.products import ProductFactory
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db

__all__ = ["admin"]

PATH = "/admin/promotions"
BOTH = ("carts.change_promotion", "carts.view_campaign", "carts.view_promotion")


def rules_of(promotion: Promotion) -> list[tuple[str, list[str]]]:
    rows = PromotionRule.objects.filter(promotion=promotion, deleted_at=None).order_by("pk")
    return list(rows.values_list("attribute", "values"))


def test_a_batch_changes_the_rules_of_one_kind(admin: Caller) -> None:
    group, promotion = CustomerGroupFactory(name="Friends"), PromotionFactory(is_automatic=True)
    path = f"{PATH}/{promotion.pk}/rules"
    new = {"attribute": "customer.groups.id", "operator": "in", "values": [group.pk]}
    done = admin.post(f"{path}/batch", {"create": [new]}).json()
    [rule] = done["created"]
    assert rule == {**new, "id": rule["id"], "values": [{"id": group.pk, "value": group.pk}], "description": None}
    assert (done["updated"], done["deleted"]["ids"]) == ([], [])
    assert (done["promotion"]["id"], done["promotion"]["rules"]) == (promotion.pk, [rule])
    assert list(PromotionGate.objects.values_list("key", flat=True)) == [f"group:{group.pk}"]
    changed = admin.post(f"{path}/batch", {"update": [{"id": rule["id"], "operator": "ne"}]}).json()
    assert changed["updated"] == [{**rule, "operator": "ne"}]
    assert admin.get(path).json() == {
        "rules": [
            {
                "id": rule["id"],
                "attribute": "customer.groups.id",
                "attribute_label": "Customer group",
                "operator": "ne",
                "operator_label": "is not",
                "field_type": "multiselect",
                "values": [{"value": group.pk, "label": "Friends"}],
                "description": None,
                "required": False,
                "disguised": False,
            }
        ]
    }
    gone = admin.post(f"{path}/batch", {"delete": [rule["id"]]}).json()
    assert gone["deleted"] == {"ids": [rule["id"]], "object": "promotion-rule", "deleted": True}
    assert (gone["promotion"]["rules"], PromotionGate.objects.count()) == ([], 0)
    assert gone["promotion"]["updated_at"] > done["promotion"]["updated_at"]


def test_campaigns_change_promotions_for_those_who_may_change_both() -> None:
    campaign, promotion = Campaign.objects.create(name="Spring", campaign_identifier="spring"), PromotionFactory()
    owner, body = UserFactory(is_superuser=True), {"add": [promotion.pk]}
    for permissions, status in ((["carts.change_campaign"], 403), (["carts.change_campaign", *BOTH], 200)):
        program = importer(secret_key(owner, permissions=permissions))
        assert program.post(f"/admin/campaigns/{campaign.pk}/promotions", body).status_code == status


def test_a_batch_with_one_bad_rule_changes_nothing(admin: Caller) -> None:
    promotion, other = PromotionFactory(), PromotionFactory()
    path = f"{PATH}/{promotion.pk}/rules/batch"
    many = {"attribute": "item_quantity", "operator": "gte", "values": "2"}
    kept = admin.post(path, {"create": [many]}).json()["created"][0]["id"]
    foreign = admin.post(f"{PATH}/{other.pk}/rules/batch", {"create": [many]}).json()["created"][0]["id"]
    for body, place in (
        ({"create": [many, {**many, "values": "two"}]}, "create[1].values"),
        ({"create": [many, {**many, "attribute": "cart.color"}]}, "create[1].attribute"),
        *(({"create": [{**many, "values": number}]}, "create[0].values") for number in ("1e9", "1" * 12, "-1", "NaN")),
        ({"create": [many], "update": [{"id": kept, "operator": "in"}]}, "update[0].operator"),
        ({"create": [many], "update": [{"id": foreign, "values": "3"}]}, "field 'update'"),
        ({"create": [many], "delete": [foreign]}, "field 'delete'"),
        ({"create": [many, {**many, "attribute": "item_total"}]}, "currency_code"),
        ({"create": [many] * 20}, "20 rules"),
        ({"rules": [many]}, "Unrecognized fields: 'rules'"),
    ):
        status, message = refusal(admin.post(path, body))
        assert (status, place in message) == (400, True), message
        assert rules_of(promotion) == [("item_quantity", ["2"])], body
    assert refusal(admin.post(f"{PATH}/{promotion.pk}/rule/batch", {}))[1] == "Invalid param rule_type (rule)"
    assert refusal(admin.post(f"{PATH}/promo_x/rules/batch", {}))[0] == 404


def test_members_of_the_promotion_are_shown_as_disguised_rules(admin: Caller) -> None:
    product = ProductFactory()
    goods = [{"attribute": "items.product.id", "operator": "eq", "values": product.pk}]
    method = {
        "type": "percentage",
        "value": 100,
        "target_type": "items",
        "allocation": "each",
        "currency_code": "eur",
        "buy_rules_min_quantity": 2,
        "apply_to_quantity": 1,
        "target_rules": goods,
        "buy_rules": goods,
    }
    body = {"code": "DEAL", "type": "buyget", "application_method": method}
    one = f"{PATH}/{admin.post(PATH, body).json()['promotion']['id']}"

    def disguised(kind: str) -> list[tuple[str, str, bool]]:
        rules = admin.get(f"{one}/{kind}").json()["rules"]
        return [(each["attribute"], each["values"][0]["label"], each["disguised"]) for each in rules]

    title = product.title
    assert disguised("rules") == [("currency_code", "eur", True)]
    assert disguised("buy-rules") == [("buy_rules_min_quantity", "2", True), ("items.product.id", title, False)]
    assert disguised("target-rules") == [("apply_to_quantity", "1", True), ("items.product.id", title, False)]
    assert refusal(admin.get(f"{one}/rules-of-thumb")) == (400, "Invalid param rule_type (rules-of-thumb)")


IDS = {
    "rules": (
        "currency_code customer_group customer region country province sales_channel item_total original_item_total "
        "item_quantity target_total target_quantity is_first_order"
    ),
    "target-rules?application_method_target_type=items": (
        "product variant product_category product_collection product_type product_tag"
    ),
    "target-rules?application_method_target_type=shipping_methods": "shipping_option shipping_option_type",
    "target-rules?application_method_target_type=order": "",
    "buy-rules?promotion_type=buyget": (
        "buy_rules_min_quantity product variant product_category product_collection product_type product_tag"
    ),
}


@pytest.mark.parametrize(("asked", "ids"), IDS.items())
def test_what_rules_can_compare_is_listed(admin: Caller, asked: str, ids: str) -> None:
    attributes = admin.get(f"{PATH}/rule-attribute-options/{asked}").json()["attributes"]
    assert [each["id"] for each in attributes] == ids.split()
    assert all(each["operators"] and each["label"] for each in attributes)


def values(caller: Caller, asked: str) -> Any:
    return caller.get(f"{PATH}/rule-value-options/{asked}").json()


def test_the_values_that_rules_can_have_are_listed(admin: Caller) -> None:
    friends, club = CustomerGroupFactory(name="Friends"), CustomerGroupFactory(name="Club")
    both = [{"value": club.pk, "label": "Club"}, {"value": friends.pk, "label": "Friends"}]
    assert values(admin, "rules/customer_group") == {"values": both, "count": 2, "offset": 0, "limit": 100}
    assert values(admin, "rules/customer_group?limit=1&offset=1")["values"] == both[1:]
    assert values(admin, "rules/customer_group?q=FRI")["values"] == both[1:]
    assert values(admin, f"rules/customer_group?value[]={club.pk}&value[]=x")["values"] == both[:1]
    assert values(admin, "rules/currency_code?value=eur")["values"] == [{"value": "eur", "label": "Euro"}]
    assert values(admin, "rules/is_first_order?q=y")["values"] == [{"value": "true", "label": "Yes"}]
    assert values(admin, "rules/item_total") == {"values": [], "count": 0, "offset": 0, "limit": 100}
    for unknown in ("rules/product", "target-rules/payment_provider", "buy-rules/shipping_option"):
        name = unknown.partition("/")[2]
        answer = admin.get(f"{PATH}/rule-value-options/{unknown}")
        assert refusal(answer) == (400, f"Invalid param rule_attribute_id ({name})")


def test_who_may_not_see_the_rows_reads_ids() -> None:
    group, promotion = CustomerGroupFactory(name="Friends"), PromotionFactory()
    PromotionRule.objects.create(promotion=promotion, kind="rules", attribute="customer.groups.id", values=[group.pk])
    user = UserFactory(is_superuser=True)
    blind = importer(secret_key(user, permissions=["carts.view_promotion"]))
    seeing = importer(secret_key(user, permissions=["carts.view_promotion", "customers.view_customergroup"]))
    for caller, status, label in ((blind, 403, group.pk), (seeing, 200, "Friends")):
        assert caller.get(f"{PATH}/rule-value-options/rules/customer_group").status_code == status
        [rule] = caller.get(f"{PATH}/{promotion.pk}/rules").json()["rules"]
        assert rule["values"] == [{"value": group.pk, "label": label}]
