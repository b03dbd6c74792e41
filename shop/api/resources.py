"""The shop's resources, shared by REST and GraphQL."""

from collections.abc import Sequence
from dataclasses import replace

from django.conf import settings
from django.utils.translation import get_language_info

from kit.domain.actor import Actor
from kit.reads.computed_resources import ComputedResource, Shown
from kit.reads.plans.rows import Answer
from kit.reads.reading import ListQuery
from kit.reads.resources import Resource
from shop.api import filters, serializers

REGIONS = Resource(
    name="region",
    plural="regions",
    serializer_class=serializers.RegionSerializer,
    filterset_class=filters.RegionFilters,
    default_limit=50,
    defaults="*countries",
)
CURRENCIES = Resource(
    name="currency",
    plural="currencies",
    serializer_class=serializers.CurrencySerializer,
    filterset_class=filters.CurrencyFilters,
    default_limit=50,
    key_is_lower_case=True,
)
ADMIN_REGIONS = replace(
    REGIONS, serializer_class=serializers.AdminRegionSerializer, defaults="*countries,*payment_providers"
)
SALES_CHANNELS = Resource(
    name="sales_channel",
    plural="sales_channels",
    serializer_class=serializers.AdminSalesChannelSerializer,
    filterset_class=filters.SalesChannelFilters,
    default_limit=20,
)
STORES = Resource(
    name="store",
    plural="stores",
    serializer_class=serializers.StoreSerializer,
    filterset_class=filters.StoreFilters,
    default_limit=20,
    defaults="*supported_currencies",
)


class LocaleResource(ComputedResource):
    """The shop's only language, by its code."""

    key = "code"

    def load(self, query: ListQuery, actor: Actor) -> Sequence[Shown]:
        code, dates = settings.LANGUAGE_CODE, ("created_at", "updated_at", "deleted_at")
        return [{"id": code, "code": code, "name": get_language_info(code)["name"], **dict.fromkeys(dates)}]

    def one(self, id: str, query: ListQuery, actor: Actor) -> Answer:
        return super().one(id.lower(), query, actor)


ADMIN_LOCALES = LocaleResource(
    name="locale",
    plural="locales",
    serializer_class=serializers.AdminLocaleSerializer,
    filterset_class=filters.LocaleFilters,
    default_limit=50,
)
