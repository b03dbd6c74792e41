"""The columns that taxes and adjustments of lines and shipping methods share."""

from django.db import models

from carts.models.kept_totals import TaxLineTotalColumns
from carts.models.promotions import Promotion
from kit.values.money import MoneyField, PercentField


class TaxColumns(TaxLineTotalColumns):
    """A tax, in percent."""

    description = models.TextField(null=True)
    tax_rate_id = models.CharField(max_length=64, null=True)
    code = models.TextField()
    rate = PercentField()
    provider_id = models.CharField(max_length=64, null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.code} {self.rate} %"


class AdjustmentColumns(models.Model):
    """A discount, before tax."""

    code = models.TextField(null=True)
    amount = MoneyField()
    description = models.TextField(null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.amount} off"


class PromotionAdjustment(AdjustmentColumns):
    """A discount of a promotion."""

    promotion = models.ForeignKey(Promotion, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        abstract = True
