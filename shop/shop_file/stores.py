"""The shop file's stores and sales channels."""

from collections.abc import Iterable, Mapping

from django.db import models

from kit.shop_file.references import Named
from kit.shop_file.row_fields import row_fields
from kit.shop_file.values import Entry, Text
from kit.values.ids import new_id
from shop.models import SalesChannel, Store
from shop.shop_file.initial_rows import InitialRows
from shop.shop_file.places import CountryCode
from shop.shop_file.targets import CHANNELS, REGIONS
from shop.stores import sales_channels, store_editing


class SalesChannels(InitialRows[SalesChannel]):
    """Every channel that is not deleted."""

    key = "sales_channels"
    verbs = sales_channels.VERBS
    natural_key = "name"
    fields = row_fields(verbs, description=Text())

    def id_changed(self, row: SalesChannel, former_id: str) -> None:
        Store.objects.filter(default_sales_channel=former_id).update(default_sales_channel=row.pk)


class Stores(InitialRows[Store]):
    """The one store, whatever its name. A default region of null keeps the current one.

    In an unused shop, the file's default sales channel replaces the one that `migrate` created.
    """

    key = "stores"
    prepared_before = "sales_channels"
    verbs = store_editing.VERBS
    natural_key = "name"
    fields = row_fields(
        verbs,
        default_sales_channel=Named(target=CHANNELS),
        default_region=Named(target=REGIONS, nullable=True),
        country_code=CountryCode(nullable=True),
    )
    _superseded: str | None = None

    def prepare(self, objects: Iterable[object]) -> None:
        channel, stores = self.unused_channel, list(objects)
        named = stores[0].get("default_sales_channel") if stores and isinstance(stores[0], dict) else None
        if channel and isinstance(named, str) and named not in (channel.pk, channel.name):
            # The store needs the channel until it is loaded, under an id and a name that the file cannot use.
            self._superseded = new_id(SalesChannels.prefix)
            SalesChannel.objects.filter(pk=channel.pk).update(id=self._superseded, name=self._superseded)
            Store.objects.update(default_sales_channel=self._superseded)

    def finish(self) -> None:
        if self._superseded and not Store.objects.filter(default_sales_channel=self._superseded).exists():
            SalesChannel.objects.filter(pk=self._superseded).delete()

    @classmethod
    def matchable(cls) -> models.QuerySet[Store]:
        return Store.objects.all()

    def row_of(self, entry: Entry, by_id: Mapping[str, Store], by_name: Mapping[str, Store]) -> Store:
        if entry.path != f"{self.key}[0]":
            self.refuse(entry, "there is exactly one store")
        return Store.objects.get()

    def values(self, entry: Entry, row: Store | None) -> dict[str, object]:
        values = super().values(entry, row)
        if entry.given.get("default_region") is None:
            values.pop("default_region_id", None)
        return values
