"""Activating, deactivating and copying selected promotions."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from carts.models import Promotion, PromotionCode, PromotionRule
from carts.promotions.promotion_editing import VERBS
from carts.promotions.rule_editing import rules_of
from catalog.models import ProductTag
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from tests.factories.carts import CampaignFactory, PromotionFactory
from tests.factories.products import ProductTagFactory
from tests.kit.admin.visits import history, reported, superuser

pytestmark = [pytest.mark.once, pytest.mark.django_db]
LIST = "/admin/carts/promotion/"
RULES = ("kind", "attribute", "operator", "values", "description")
OWN = {"id", "code", "status", "used", "has_codes", "created_at", "updated_at"}
"""What a copy does not have of its promotion."""


def act(action: str, *rows: Promotion) -> list[str]:
    chosen = {"action": action, "_selected_action": [row.pk for row in rows]}
    client = superuser()
    before = [*Promotion.objects.values()]
    assert "selected promotions?" in client.post(LIST, chosen).content.decode()
    assert [*Promotion.objects.values()] == before
    return reported(client.post(LIST, {**chosen, "post": "yes"}))


def test_selected_promotions_are_activated_and_deactivated() -> None:
    rows = [PromotionFactory(code=code, status="draft") for code in ("A", "B")]
    for action, status, done in (("activate", "active", "activated"), ("deactivate", "inactive", "deactivated")):
        assert act(f"{action}_selected", *rows) == [f"2 promotions {done}."]
        assert {*Promotion.objects.values_list("status", flat=True)} == {status}
    assert sorted(history()) == [("A", 2), ("A", 2), ("B", 2), ("B", 2)]


def test_a_copy_is_a_draft_with_the_same_terms_and_rules() -> None:
    source = VERBS.create(
        actor=SYSTEM,
        code="SAVE",
        type="fixed",
        value=Decimal("7.5"),
        currency_id="usd",
        is_tax_inclusive=True,
        target_type="items",
        allocation="once",
        max_quantity=3,
        description="Spring",
        starts_at=datetime(2026, 1, 1, tzinfo=UTC),
        usage_limit=9,
        usage_limit_per_customer=2,
        priority=4,
        combines_with_order=False,
        campaign_id=CampaignFactory().pk,
        rules=[{"attribute": "item_total", "operator": "lt", "values": ["50"], "description": "no field says this"}],
        target_rules=[{"attribute": "items.product.tags.id", "operator": "ne", "values": [ProductTagFactory().pk]}],
        metadata={"a": 1},
    )
    Promotion.objects.update(used=5)
    assert act("copy_selected", source) == ["1 promotion copied."]
    assert act("copy_selected", source) == ["1 promotion copied."]
    first, *copies = Promotion.objects.order_by("pk")
    assert [(each.code, each.status, each.used) for each in copies] == [
        ("SAVE copy", "draft", 0),
        ("SAVE copy 2", "draft", 0),
    ]
    for each in copies:
        assert _terms(each) == _terms(first)
        assert _rules(each) == _rules(first) != []
    assert [*PromotionCode.objects.order_by("pk").values_list("code", flat=True)] == [
        "SAVE",
        "SAVE copy",
        "SAVE copy 2",
    ]
    assert history() == [("SAVE copy", 1), ("SAVE", 2), ("SAVE copy 2", 1), ("SAVE", 2)]


def test_a_copy_leaves_out_what_has_been_deleted() -> None:
    kept, gone = ProductTagFactory(), ProductTagFactory()
    rule = {"attribute": "items.product.tags.id", "operator": "eq", "values": [kept.pk, gone.pk]}
    source = VERBS.create(actor=SYSTEM, code="SAVE", type="percentage", value=Decimal(5), target_rules=[rule])
    ProductTag.objects.filter(pk=gone.pk).update(deleted_at=now())
    assert act("copy_selected", source) == ["1 promotion copied."]
    copy = Promotion.objects.get(code="SAVE copy")
    assert [each.values for each in rules_of([copy.pk])[copy.pk]] == [[kept.pk]]


def test_a_copy_of_a_batch_has_a_code_of_its_own() -> None:
    source = PromotionFactory(code="PARTNERS", has_codes=True)
    act("copy_selected", source)
    copy = Promotion.objects.latest("pk")
    assert (copy.has_codes, [each.code for each in copy.codes.all()]) == (False, ["PARTNERS copy"])


def _terms(row: Promotion) -> dict[str, Any]:
    found = Promotion.objects.filter(pk=row.pk).values().get()
    return {name: value for name, value in found.items() if name not in OWN}


def _rules(row: Promotion) -> list[Any]:
    return [*PromotionRule.objects.filter(promotion=row).order_by("kind").values_list(*RULES)]
