"""The screens of campaigns."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from carts.models import Campaign, Promotion
from tests.factories.carts import CampaignFactory, PromotionFactory
from tests.kit.admin.forms import errors, sent, submit
from tests.kit.admin.visits import superuser

pytestmark = [pytest.mark.once, pytest.mark.django_db]
LIST = "/admin/carts/campaign/"
EMPTY = {
    **{f"{name}_{part}": "" for name in ("starts_at", "ends_at") for part in (0, 1)},
    **dict.fromkeys(("description", "budget_type", "budget_limit", "budget_currency", "metadata"), ""),
}
SPRING = {"name": "Spring", "campaign_identifier": "spring-2027", **EMPTY}
SPENT = {"budget_type": "spend", "budget_limit": "100,00", "budget_currency": "gbp"}


@pytest.fixture
def client() -> Client:
    return superuser()


def test_a_campaign_with_a_budget_is_made_chosen_and_deleted(client: Client) -> None:
    submit(client, f"{LIST}add/", {**SPRING, **SPENT})
    campaign = Campaign.objects.get()
    assert (campaign.budget_type, campaign.budget_limit, campaign.budget_currency_id) == ("spend", 100, "gbp")
    Campaign.objects.update(budget_used=40)
    assert "£40.00 of £100.00" in client.get(LIST).content.decode()
    promotion = PromotionFactory(currency_id="gbp")
    page = reverse("admin:carts_promotion_change", args=[promotion.pk])
    submit(client, page, sent(client, page, campaign=campaign.pk))
    assert Promotion.objects.get().campaign_id == campaign.pk
    client.post(reverse("admin:carts_campaign_delete", args=[campaign.pk]), {"post": "yes"})
    assert not Campaign.objects.not_deleted().exists()
    assert Promotion.objects.get().campaign_id is None


def test_a_budget_of_uses_is_a_number(client: Client) -> None:
    CampaignFactory(budget_type="usage", budget_limit=50, budget_used=3)
    assert "3 of 50" in client.get(LIST).content.decode()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"budget_limit": "5"}, "budget_limit"),
        ({"budget_type": "usage", "budget_limit": "0"}, "budget_limit"),
        ({"budget_type": "usage", "budget_limit": "2.5"}, "budget_limit"),
        ({"budget_type": "usage", "budget_currency": "gbp"}, "budget_currency"),
        ({"budget_type": "spend", "budget_limit": "5"}, "budget_currency"),
        ({**SPENT, "budget_limit": "0.001"}, "budget_limit"),
        ({"starts_at_0": "2027-02-01", "ends_at_0": "2027-01-01"}, "ends_at"),
        ({"campaign_identifier": "taken"}, "campaign_identifier"),
    ],
)
def test_what_a_campaign_cannot_be_is_reported_at_its_field(client: Client, given: dict[str, Any], field: str) -> None:
    CampaignFactory(campaign_identifier="taken")
    assert [*errors(client.post(f"{LIST}add/", {**SPRING, **given}))] == [field]
    assert Campaign.objects.count() == 1


def test_a_promotion_in_another_currency_than_the_budget_is_refused(client: Client) -> None:
    campaign = CampaignFactory(budget_type="spend", budget_limit=100, budget_currency_id="gbp")
    promotion = PromotionFactory(code="EURO", currency_id="eur")
    page = reverse("admin:carts_promotion_change", args=[promotion.pk])
    refused = errors(client.post(page, sent(client, page, campaign=campaign.pk)))
    assert refused == {"campaign": ["The budget is in gbp, and EURO has the currency eur"]}
