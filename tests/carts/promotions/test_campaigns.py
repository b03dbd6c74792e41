"""Campaigns, as their verbs keep them."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from carts.models import Campaign, Promotion
from carts.promotions.campaign_editing import VERBS, change_promotions
from carts.states import BudgetType, PromotionType
from kit.domain.actor import SYSTEM
from kit.errors import InvalidData
from tests.factories.carts import PromotionFactory

pytestmark = pytest.mark.django_db


def campaign(used: int = 0) -> Campaign:
    made: Campaign = Campaign.objects.create(
        name="Spring", campaign_identifier="spring", budget_type=BudgetType.SPEND, budget_limit=100,
        budget_currency_id="usd", budget_used=used,
    )  # fmt: skip
    return made


@pytest.mark.parametrize(
    "changes", [{"budget_type": BudgetType.USAGE, "budget_currency_id": None}, {"budget_currency_id": "eur"}]
)
def test_a_budget_that_was_used_keeps_its_unit(changes: dict[str, str | None]) -> None:
    used = campaign(used=5)
    with pytest.raises(InvalidData, match="The budget has been used"):
        VERBS.update(actor=SYSTEM, id=used.pk, **changes)
    Campaign.objects.update(budget_used=0)
    VERBS.update(actor=SYSTEM, id=used.pk, **changes)
    VERBS.update(actor=SYSTEM, id=used.pk, budget_type=None, budget_limit=None, budget_currency_id=None)


def test_a_budget_has_the_currency_of_the_promotions() -> None:
    spring = campaign()
    PromotionFactory(code="OFF", type=PromotionType.FIXED, currency_id="usd", campaign=spring)
    with pytest.raises(InvalidData, match="The budget is in eur, and OFF has the currency usd"):
        VERBS.update(actor=SYSTEM, id=spring.pk, budget_currency_id="eur")
    VERBS.update(actor=SYSTEM, id=spring.pk, budget_limit=50)


def added(promotion: Promotion, spring: Campaign) -> None:
    change_promotions(actor=SYSTEM, id=spring.pk, add=[promotion.pk])


def deleted(promotion: Promotion, spring: Campaign) -> None:
    promotion.campaign = spring
    promotion.save()
    VERBS.delete(actor=SYSTEM, ids=[spring.pk])


@pytest.mark.parametrize("act", [added, deleted])
def test_promotions_are_locked_before_campaigns_as_completed_carts_lock_them(
    act: Callable[[Promotion, Campaign], None],
) -> None:
    promotion, spring = PromotionFactory(type=PromotionType.FIXED, currency_id="usd"), campaign()
    with CaptureQueriesContext(connection) as queries:
        act(promotion, spring)
    tables = [
        table for each in queries for table in ("promotion", "campaign") if f'FROM "carts_{table}"' in each["sql"]
    ]
    assert tables[:2] == ["promotion", "campaign"]
    promotion.refresh_from_db()
    assert promotion.campaign_id == (spring.pk if act is added else None)
