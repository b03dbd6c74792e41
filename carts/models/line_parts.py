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
    """A discount. amount: before tax."""

    code = models.TextField(null=True)
    amount = MoneyField()
    description = models.TextField(null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.amount} off"


class StatedColumns(models.Model):
    """A discount of a line in the terms of its price; see carts.arithmetic.adjustments.

    The version before this one reads and writes `amount` alone, which has no tax. The other columns count only while
    `amount` is beside_amount, and the line's total (of an order, its placed one) beside_total. An adjustment in which
    they do not count is one of an older version: `amount` is the discount then.
    Why: docs/decisions/carts.md#adjustments-stand-beside-those-of-an-older-version.
    """

    stated_amount = MoneyField(null=True)
    is_tax_inclusive = models.BooleanField(null=True)
    beside_amount = MoneyField(null=True)
    beside_total = MoneyField(null=True)

    class Meta:
        abstract = True


class PromotionAdjustment(AdjustmentColumns):
    """A discount of a promotion."""

    promotion = models.ForeignKey(Promotion, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        abstract = True
