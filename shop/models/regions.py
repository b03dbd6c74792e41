"""Currencies, and regions with their countries."""

from django.db import models

from kit.domain.base_model import BaseModel, PublicQuerySet, unique_unless_deleted
from kit.values.ids import IdField
from kit.values.money import PercentField
from shop.models.store import PaymentProvider


class Currency(BaseModel):
    """A currency of ISO 4217, created by a migration.

    is_tax_inclusive: whether amounts in it include tax, except for prices with a rule for a region.
    """

    code = models.CharField(primary_key=True, max_length=3)
    name = models.CharField(max_length=255)
    decimal_digits = models.PositiveSmallIntegerField()
    is_tax_inclusive = models.BooleanField(default=False)

    objects = PublicQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "currencies"

    def __str__(self) -> str:
        return f"{self.name} ({self.code.upper()})"


class Region(BaseModel):
    """Countries that the shop sells to in one currency.

    tax_rate: percent, where no rate of a tax region (the taxes app) applies. is_tax_inclusive: whether prices for the
    region include tax.
    """

    event_name = "region"
    id = IdField(prefix="reg")
    name = models.CharField(max_length=255)
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+", db_column="currency_code")
    tax_rate = PercentField(default=0)
    is_tax_inclusive = models.BooleanField(default=False)
    payment_providers = models.ManyToManyField(PaymentProvider, blank=True, related_name="regions")
    metadata = models.JSONField(null=True, blank=True)

    objects = PublicQuerySet.as_manager()

    class Meta:
        constraints = [
            unique_unless_deleted("name", name="shop_region_name_taken"),
            models.CheckConstraint(
                condition=models.Q(tax_rate__gte=0, tax_rate__lte=PercentField.LARGEST), name="shop_region_tax_rate"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Country(BaseModel):
    """A country of ISO 3166-1, created by a migration; it belongs to at most one region."""

    touches = ("region",)
    iso_2 = models.CharField(primary_key=True, max_length=2)
    iso_3 = models.CharField(max_length=3)
    num_code = models.CharField(max_length=3)
    name = models.CharField(max_length=255)
    display_name = models.CharField(max_length=255)
    region = models.ForeignKey(Region, null=True, blank=True, on_delete=models.SET_NULL, related_name="countries")

    objects = PublicQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "countries"

    def __str__(self) -> str:
        return self.display_name
