"""What migration 0014 makes of promotions that an older version has stored."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from carts.models import Promotion, PromotionCode, PromotionGate, PromotionRule
from carts.states import PromotionTarget, PromotionType
from kit.values.timestamps import now
from tests.factories.products import ProductFactory

pytestmark = pytest.mark.django_db


def older(code: str, *, target: str = "items", products: Any = (), **given: Any) -> Promotion:
    """As a version without rules has stored it."""
    row = Promotion.objects.create(
        code=code, type=PromotionType.PERCENTAGE, target=target, value=10, status="draft", **given
    )
    row.products.set(products)
    return row


def adopt() -> None:
    import_module("carts.migrations.0014_stored_offers").adopt(apps, connection.schema_editor())


def test_promotions_mean_what_they_meant() -> None:
    tea, mug = ProductFactory(), ProductFactory()
    older("items")
    older("order", target=PromotionTarget.ORDER)
    older("tea", products=[tea], is_automatic=True)
    older("both", target=PromotionTarget.ORDER, products=[tea, mug])
    adopt()
    terms = ("status", "kind", "target", "target_type", "allocation", "priority", "is_gated")
    assert {code: rest for code, *rest in Promotion.objects.values_list("code", *terms)} == {
        "items": ["active", "standard", "items", "items", "each", 0, False],
        "order": ["active", "standard", "order", "order", None, 0, False],
        "tea": ["active", "standard", "items", "items", "each", 0, True],
        "both": ["active", "standard", "order", "items", "across", 0, False],
    }
    rules = PromotionRule.objects.values_list("promotion__code", "kind", "attribute", "operator", "values")
    assert sorted(rules) == [
        ("both", "target_rules", "items.product.id", "in", sorted([tea.pk, mug.pk])),
        ("tea", "target_rules", "items.product.id", "in", [tea.pk]),
    ]
    assert [*PromotionGate.objects.values_list("promotion__code", "key")] == [("tea", f"product:{tea.pk}")]


def test_codes_that_differ_only_in_case_need_their_exact_text() -> None:
    for code in ("Spring", "SALE", "sale", " once "):
        older(code)
    gone = older("spring", deleted_at=now())
    adopt()
    assert {*PromotionCode.objects.not_deleted().values_list("code", "code_key")} == {
        ("Spring", "SPRING"), ("SALE", "SALE"), ("sale", "sale"), (" once ", "ONCE"),
    }  # fmt: skip
    assert PromotionCode.objects.get(promotion=gone).deleted_at == gone.deleted_at
