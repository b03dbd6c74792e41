"""The codes and rules that the verbs of promotions keep beside the promotion."""

from typing import Any

import pytest

from carts.models import Promotion, PromotionCode, PromotionRule
from carts.promotions.promotion_editing import VERBS
from carts.states import PromotionTarget, PromotionType
from kit.domain.actor import SYSTEM
from kit.editing.states import RowsRefused
from tests.factories.products import ProductFactory

pytestmark = pytest.mark.django_db


def put(*states: dict[str, Any]) -> list[Promotion]:
    new = {"type": PromotionType.PERCENTAGE, "target": PromotionTarget.ITEMS, "value": 10}
    given = [state if "id" in state else {**new, **state} for state in states]
    return [each.row for each in VERBS.put(actor=SYSTEM, states=[VERBS.state(**each) for each in given])]


def keys() -> dict[str, str]:
    return dict(PromotionCode.objects.not_deleted().values_list("code", "code_key"))


def test_a_promotion_has_its_code_in_capitals() -> None:
    first, second = put({"code": " Spring "}, {"code": "straße"})
    assert keys() == {" Spring ": "SPRING", "straße": "STRASSE"}
    put({"id": first.pk, "code": "Summer"}, {"id": second.pk, "value": 20})
    assert keys() == {"Summer": "SUMMER", "straße": "STRASSE"}


def test_a_code_in_other_letters_is_taken() -> None:
    first, second = put({"code": "SALE"}, {"code": "Other"})
    for states in (
        [{"code": "sale"}],
        [{"code": "SALE"}],
        [{"code": "new"}, {"code": "NEW"}],
        [{"id": second.pk, "code": "Sale"}],
    ):
        with pytest.raises(RowsRefused, match="already exists") as refused:
            put(*states)
        assert [fault.field for fault in refused.value.faults] == ["code"]
    assert put({"id": first.pk, "code": "sale"})[0].code == "sale"
    assert keys() == {"sale": "SALE", "Other": "OTHER"}


def test_a_deleted_promotion_leaves_its_code_and_takes_it_back() -> None:
    [row] = put({"code": "SALE"})
    VERBS.delete(actor=SYSTEM, ids=[row.pk])
    assert keys() == {}
    VERBS.restore(actor=SYSTEM, ids=[row.pk])
    assert keys() == {"SALE": "SALE"}


def test_products_become_a_rule_and_order_with_products_becomes_a_shared_amount() -> None:
    tea, mug = ProductFactory(), ProductFactory()
    [row] = put({"code": "A", "target": PromotionTarget.ORDER, "products": [tea.pk]})
    rule = PromotionRule.objects.get()
    assert (rule.attribute, rule.values) == ("items.product.id", [tea.pk])
    assert (row.target_type, row.allocation, row.target) == ("items", "across", "order")
    [row] = put({"id": row.pk, "products": [tea.pk, mug.pk]})
    assert [(each.pk, each.values) for each in PromotionRule.objects.all()] == [(rule.pk, sorted([tea.pk, mug.pk]))]
    assert (row.target_type, row.allocation) == ("items", "across")
    [row] = put({"id": row.pk, "target": PromotionTarget.ORDER, "products": []})
    assert (row.target_type, row.allocation, PromotionRule.objects.count()) == ("order", None, 0)
    [row] = put({"id": row.pk, "target": PromotionTarget.ITEMS})
    assert (row.target_type, row.allocation) == ("items", "each")


def test_a_promotion_of_an_older_version_gets_its_code_when_it_is_activated() -> None:
    older = {"type": PromotionType.PERCENTAGE, "target": PromotionTarget.ITEMS, "value": 10, "status": "draft"}
    rows = [Promotion.objects.create(code=code, **older) for code in ("SALE", "Spring")]
    other = Promotion.objects.create(code="sale", **older)
    PromotionCode.objects.create(promotion=other, code="sale", code_key="sale")
    put({"id": rows[1].pk, "value": 20})
    assert keys() == {"sale": "sale"}
    put(*({"id": row.pk, "status": "active"} for row in (*rows, other)))
    assert keys() == {"SALE": "SALE", "Spring": "SPRING", "sale": "sale"}
