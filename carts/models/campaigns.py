"""Campaigns: promotions that share dates and a budget."""

from django.db import models
from django.db.models import F, Q

from carts.states import BudgetType
from kit.domain.base_model import BackOfficeQuerySet, BaseModel, unique_unless_deleted
from kit.values.ids import IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField
from shop.models import Currency


class Campaign(BaseModel):
    """Its promotions apply within its dates and their own, while its budget lasts.

    budget_type: null for no budget. budget_limit: completed carts, or an amount in budget_currency; null for no limit.
    budget_used: what completed carts have taken of it, in the same unit. Where the budget is an amount, the
    promotions of the campaign have its currency.
    """

    event_name = "campaign"

    id = IdField(prefix="procamp")
    name = models.CharField(max_length=255)
    description = models.TextField(null=True, blank=True)
    campaign_identifier = models.CharField(max_length=255)
    starts_at = TimestampField(null=True, blank=True)
    ends_at = TimestampField(null=True, blank=True)
    budget_type = models.CharField(max_length=8, choices=BudgetType, null=True, blank=True)
    budget_limit = MoneyField(null=True, blank=True)
    budget_currency = models.ForeignKey(
        Currency, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_column="budget_currency_code"
    )
    budget_used = MoneyField(default=0, editable=False)
    metadata = models.JSONField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            unique_unless_deleted("campaign_identifier", name="carts_campaign_identifier_taken"),
            models.CheckConstraint(
                condition=Q(starts_at=None) | Q(ends_at=None) | Q(starts_at__lt=F("ends_at")),
                name="carts_campaign_starts_before_end",
            ),
            models.CheckConstraint(
                condition=Q(budget_type=None, budget_limit=None, budget_currency=None)
                | Q(budget_type=BudgetType.USAGE, budget_currency=None)
                | Q(budget_type=BudgetType.SPEND, budget_currency__isnull=False),
                name="carts_campaign_budget",
            ),
            models.CheckConstraint(
                condition=Q(budget_used__gte=0) & (Q(budget_limit=None) | Q(budget_used__lte=F("budget_limit"))),
                name="carts_campaign_within_budget",
            ),
        ]

    def __str__(self) -> str:
        return self.name
