"""The store, its sales channels and its providers."""

from typing import Self

from django.db import models

from kit.domain.actor import Actor
from kit.domain.base_model import BackOfficeQuerySet, BaseModel, ResourceQuerySet, unique_unless_deleted
from kit.values.ids import IdField
from shop.provider_name import provider_name


class SalesChannelQuerySet(ResourceQuerySet):
    """Sales channels, limited to what the actor may see."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff see all channels; store callers see those in their scope."""
        rows = self if with_deleted else self.not_deleted()
        return rows if actor.is_trusted else rows.filter(pk__in=actor.sales_channel_ids)


class SalesChannel(BaseModel):
    """A channel such as a web shop, a marketplace or a till. A disabled channel sells nothing."""

    id = IdField(prefix="sc")
    name = models.CharField(max_length=255)
    description = models.TextField(blank=True, default="")
    is_disabled = models.BooleanField(default=False)
    metadata = models.JSONField(null=True, blank=True)

    objects = SalesChannelQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("name", name="shop_saleschannel_name_taken")]

    def __str__(self) -> str:
        return self.name


class SellerColumns(models.Model):
    """Who sells, as invoices name it. tax_number: for European sellers, the VAT ID."""

    legal_name = models.TextField(null=True, blank=True)
    address_1 = models.TextField(null=True, blank=True)
    address_2 = models.TextField(null=True, blank=True)
    postal_code = models.TextField(null=True, blank=True)
    city = models.TextField(null=True, blank=True)
    province = models.TextField(null=True, blank=True)
    country_code = models.CharField(max_length=2, null=True, blank=True)
    tax_number = models.TextField(null=True, blank=True)
    registration_number = models.TextField(null=True, blank=True)
    bank_account = models.TextField(null=True, blank=True)
    email = models.EmailField(null=True, blank=True)
    invoice_footer = models.TextField(null=True, blank=True)

    class Meta:
        abstract = True


SELLER_TEXTS = tuple(column.name for column in SellerColumns._meta.fields)
"""The names of the seller's columns, in the order in which a form asks for them."""


class Store(SellerColumns, BaseModel):
    """The shop's own settings. Exactly one row exists, created by the first migration."""

    id = IdField(prefix="store")
    name = models.CharField(max_length=255)
    default_sales_channel = models.ForeignKey(SalesChannel, on_delete=models.PROTECT, related_name="+")
    default_region = models.ForeignKey("shop.Region", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    metadata = models.JSONField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class ProviderQuerySet(ResourceQuerySet):
    """Providers, limited to what the actor may see."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff see all providers; store callers see enabled ones."""
        rows = self if with_deleted else self.not_deleted()
        return rows if actor.is_trusted else rows.filter(is_enabled=True)


class Provider(BaseModel):
    """A provider, whose id selects its code in the settings."""

    id = models.CharField(primary_key=True, max_length=64)
    is_enabled = models.BooleanField(default=True)

    objects = ProviderQuerySet.as_manager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return provider_name(self.id)


class PaymentProvider(Provider):
    """A payment provider, such as `pp_system_default` for manual payments."""

    touches = ("regions",)


class FulfillmentProvider(Provider):
    """A fulfillment provider, such as `manual_manual` for manual shipping."""
