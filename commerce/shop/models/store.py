"""The store itself, its sales channels, and the providers it works with."""

from typing import Self

from django.db import models

from commerce.kit.core.actor import Actor
from commerce.kit.core.base_model import BaseModel, ResourceQuerySet, unique_among_living
from commerce.kit.core.ids import IdField


class SalesChannelQuerySet(ResourceQuerySet):
    """Sales channels, as far as they concern the caller."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff see every channel; a store caller the ones in its scope."""
        rows = self if with_deleted else self.not_deleted()
        return rows if actor.is_trusted else rows.filter(pk__in=actor.sales_channel_ids)


class SalesChannel(BaseModel):
    """Where the shop sells: a web shop, a marketplace, a till. A disabled channel sells nothing."""

    id = IdField(prefix="sc")
    name = models.CharField(max_length=255)
    description = models.TextField(blank=True, default="")
    is_disabled = models.BooleanField(default=False)

    objects = SalesChannelQuerySet.as_manager()

    class Meta:
        constraints = [unique_among_living("name", name="shop_saleschannel_name_taken")]

    def __str__(self) -> str:
        return self.name


class Store(BaseModel):
    """The shop. Exactly one row exists, made by the first migration."""

    id = IdField(prefix="store")
    name = models.CharField(max_length=255)
    default_sales_channel = models.ForeignKey(SalesChannel, on_delete=models.PROTECT, related_name="+")
    default_region = models.ForeignKey("shop.Region", null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return self.name


class ProviderQuerySet(ResourceQuerySet):
    """Providers, as far as they concern the caller."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff see every provider; a store caller those that are switched on."""
        rows = self if with_deleted else self.not_deleted()
        return rows if actor.is_trusted else rows.filter(is_enabled=True)


class Provider(BaseModel):
    """Its id names the code that talks to it."""

    id = models.CharField(primary_key=True, max_length=64)
    is_enabled = models.BooleanField(default=True)

    objects = ProviderQuerySet.as_manager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.id


class PaymentProvider(Provider):
    """Who takes payments, such as `pp_system_default`: by hand."""


class FulfillmentProvider(Provider):
    """Who ships, such as `manual_manual`: by hand."""
