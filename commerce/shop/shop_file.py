"""The shop file's stores and sales channels."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from django.db import models

from commerce.core.shop_file import RowsSection
from commerce.core.shop_file_problems import Problems
from commerce.core.shop_file_values import Entry, Flag, NotBuilt, Text, Value
from commerce.core.timestamps import isoformat
from commerce.shop.models import SalesChannel, Store


class SalesChannels(RowsSection[SalesChannel]):
    """Every channel that is not deleted."""

    key = "sales_channels"
    prefix = "sc"
    model = SalesChannel
    natural_key = "name"
    fields: ClassVar[Mapping[str, Value]] = {
        "name": Text(required=True, longest=255, may_be_blank=False),
        "description": Text(),
        "is_disabled": Flag(),
    }

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[dict[str, Any]]:
        for channel in SalesChannel.objects.alive().order_by("pk").iterator():
            yield {
                "id": channel.pk,
                "name": channel.name,
                "description": channel.description,
                "is_disabled": channel.is_disabled,
                "created_at": isoformat(channel.created_at),
            }


class Stores(RowsSection[Store]):
    """The one store, whatever its name is."""

    key = "stores"
    prefix = "store"
    model = Store
    natural_key = "name"
    fields: ClassVar[Mapping[str, Value]] = {
        "name": Text(required=True, longest=255, may_be_blank=False),
        "default_sales_channel": Text(),
        "default_region": NotBuilt(what="regions"),
    }

    def matchable(self) -> models.QuerySet[Store]:
        return Store.objects.all()

    def row_of(self, entry: Entry, by_id: Mapping[str, Store], by_name: Mapping[str, Store]) -> Store:
        if entry.path != f"{self.key}[0]":
            self.refuse(entry, "there is exactly one store")
        return Store.objects.get()

    def values(self, entry: Entry, row: Store | None) -> dict[str, Any]:
        values = super().values(entry, row)
        values.pop("default_region", None)
        if "default_sales_channel" in values:
            name = values["default_sales_channel"]
            values["default_sales_channel"] = channels_named([name]).get(name)
            if values["default_sales_channel"] is None:
                tell_unknown_channel(self.problems, f"{entry.path}.default_sales_channel", name)
                entry.is_sound = False
        return values

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[dict[str, Any]]:
        for store in Store.objects.select_related("default_sales_channel"):
            yield {
                "id": store.pk,
                "name": store.name,
                "default_sales_channel": store.default_sales_channel.name,
                "created_at": isoformat(store.created_at),
            }


def channels_named(words: Sequence[str]) -> dict[str, SalesChannel]:
    """The channels that go by these names or ids, by both."""
    channels = SalesChannel.objects.alive().filter(models.Q(name__in=words) | models.Q(pk__in=words))
    return {word: channel for channel in channels for word in (channel.pk, channel.name)}


def tell_unknown_channel(problems: Problems, path: str, name: str) -> None:
    """Tell that no channel has the name, unless the file has one whose own problems are told."""
    if not problems.is_spoilt(SalesChannels.key, name):
        problems.add(path, f"there is no sales channel '{name}'")
