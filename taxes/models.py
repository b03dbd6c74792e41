"""Tax regions, their rates, and what the rates are for."""

from django.db import models
from django.db.models import Q

from carts.models import Cart
from kit.domain.base_model import BackOfficeQuerySet, BaseModel, unique_unless_deleted
from kit.values.ids import IdField
from kit.values.money import PercentField, percent_text
from kit.values.places import country_name, province_name
from kit.values.timestamps import TimestampField
from shop.models import Country


class TaxRegion(BaseModel):
    """A country, or one of its provinces (ISO 3166-2, lower-case), whose parent is the country.

    Not to be confused with shop.Region, which has a currency and countries.
    provider_id: on a country, the tax provider for its carts (settings.TAX_PROVIDERS).
    """

    id = IdField(prefix="txreg")
    country = models.ForeignKey(Country, on_delete=models.PROTECT, related_name="tax_regions", db_column="country_code")
    province = models.CharField(max_length=8, null=True, blank=True)  # null for the whole country
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="children")
    provider_id = models.CharField(max_length=64, null=True, blank=True)
    metadata = models.JSONField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            unique_unless_deleted("country", "province", name="taxes_region_province_taken"),
            models.UniqueConstraint(
                fields=["country"], condition=Q(province=None, deleted_at=None), name="taxes_region_country_taken"
            ),
            models.CheckConstraint(
                condition=Q(province=None) ^ Q(parent__isnull=False), name="taxes_region_province_has_parent"
            ),
        ]

    def __str__(self) -> str:
        country = country_name(self.country_id)
        return f"{province_name(self.province)}, {country}" if self.province else country

    @property
    def code(self) -> str:
        """The code of the place, which tax lines have unless their rate has its own."""
        return self.province or self.country_id


class TaxRate(BaseModel):
    """A rate of a tax region, in percent.

    is_default: applies to all goods that no other rate of the tax region covers. is_combinable: on a province, added to
    the country's rate instead of replacing it. code: of the tax lines; null for the code of the tax region.
    """

    touches = ("tax_region",)
    id = IdField(prefix="txr")
    tax_region = models.ForeignKey(TaxRegion, on_delete=models.CASCADE, related_name="tax_rates")
    name = models.CharField(max_length=255)
    code = models.CharField(max_length=64, null=True, blank=True)
    rate = PercentField(default=0)
    is_default = models.BooleanField(default=False)
    is_combinable = models.BooleanField(default=False)
    metadata = models.JSONField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tax_region"], condition=Q(is_default=True, deleted_at=None), name="taxes_rate_default_taken"
            ),
            models.CheckConstraint(condition=Q(rate__gte=0, rate__lte=PercentField.LARGEST), name="taxes_rate_percent"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {percent_text(self.rate)}"


class RuleReference(models.TextChoices):
    """The kind of row that a rule refers to."""

    PRODUCT = "product", "product"
    PRODUCT_TYPE = "product_type", "product type"
    SHIPPING_OPTION = "shipping_option", "shipping option"


class TaxRateRule(BaseModel):
    """Goods that a rate is for.

    reference_id: of the product, its type, or the shipping option, which may have been deleted.
    """

    touches = ("tax_rate",)
    id = IdField(prefix="txrule")
    tax_rate = models.ForeignKey(TaxRate, on_delete=models.CASCADE, related_name="rules")
    reference = models.CharField(max_length=32, choices=RuleReference)
    reference_id = models.CharField(max_length=64)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["reference_id"], name="taxes_rule_reference")]
        constraints = [unique_unless_deleted("tax_rate", "reference", "reference_id", name="taxes_rule_taken")]

    def __str__(self) -> str:
        return f"{self.reference} {self.reference_id}"


class TaxQuote(BaseModel):
    """A tax provider's response for a cart. It holds no address, and is deleted with the cart.

    digest: of what was sent, keyed. rates: for each of the goods, then of the methods; null without a response.
    finished_at: when the response or the failure was stored; null during the call.
    """

    id = IdField(prefix="txquo")
    cart = models.ForeignKey(Cart, on_delete=models.CASCADE, related_name="+", db_index=False)
    digest = models.CharField(max_length=64)
    provider_id = models.CharField(max_length=64)
    rates = models.JSONField(null=True)
    requested_at = TimestampField()
    finished_at = TimestampField(null=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["cart", "digest"], name="taxes_quote_taken")]

    def __str__(self) -> str:
        return f"{self.provider_id}, {'response' if self.rates is not None else 'no response'}"
