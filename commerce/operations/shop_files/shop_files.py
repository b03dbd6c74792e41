"""The shop file: which sections it has, and how a whole file is loaded and dumped."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from django.db import connection, transaction

from apikeys.shop_file import ApiKeys
from carts.shop_file import Campaigns, Carts, Promotions
from catalog.prices.regions_without_prices import regions_without_prices
from catalog.shop_file import PriceLists, ProductCategories, ProductCollections, Products, ProductTags, ProductTypes
from commerce.operations.shop_files.json_streams import STANDARD_INPUT, objects, opened, outline
from customers.shop_file import CustomerGroups, Customers
from fulfillment.shop_file import FulfillmentSets
from giftcards.shop_file import GiftCards, StoreCreditAccounts
from giftcards.verification.verification import discrepancies
from kit.database.read_snapshot import read_snapshot
from kit.shop_file.problems import Problems
from kit.shop_file.sections import Counts, Section
from kit.values import metadata
from orders.models import Order
from orders.shop_file import ReturnReasons
from payments.shop_file import RefundReasons
from pictures.local_files import loaded_from
from shop.shop_file import (
    Currencies,
    FulfillmentProviders,
    PaymentProviders,
    Regions,
    SalesChannels,
    ShippingProfiles,
    StockLocations,
    Stores,
)
from staff.shop_file import Users
from taxes.shop_file import TaxRegions

SECTIONS: tuple[type[Section], ...] = (
    Users,
    SalesChannels,
    Currencies,
    PaymentProviders,
    Regions,
    Stores,
    StockLocations,
    ShippingProfiles,
    FulfillmentProviders,
    ApiKeys,
    ProductTypes,
    ProductTags,
    ProductCollections,
    ProductCategories,
    Products,
    PriceLists,
    FulfillmentSets,
    TaxRegions,
    CustomerGroups,
    Customers,
    GiftCards,
    StoreCreditAccounts,
    Campaigns,
    Promotions,
    Carts,
    RefundReasons,
    ReturnReasons,
)
"""In the order of loading: each refers only to earlier ones."""

KEYS = tuple(section.key for section in SECTIONS)
Watch = Callable[[Iterable[Any], str, int | None], Iterable[Any]]
"""Passes on the objects of a key and shows progress; receives the objects, the key and their number, if it is known."""


def _unwatched(objects: Iterable[Any], key: str, count: int | None) -> Iterable[Any]:
    return objects


class ShopFileRefused(Exception):
    """Nothing was loaded; `problems` says why."""

    def __init__(self, problems: Problems) -> None:
        super().__init__(f"{problems.count} problems")
        self.problems = problems


@dataclass(slots=True)
class Loaded:
    """The result of a load: counts by key, and lines that are shown only once."""

    counts: dict[str, Counts] = field(default_factory=dict)
    announcements: list[str] = field(default_factory=list)


@transaction.atomic
def load(name: str, *, only: Collection[str] = (), watch: Watch = _unwatched) -> Loaded:
    """Load the file of that name, `-` for standard input, in one transaction.

    only: the keys to load; all if empty. Raises NotAShopFile, and ShopFileRefused with every problem found.
    """
    problems, loaded = Problems(), Loaded()
    with opened(name) as file, loaded_from(Path() if name == STANDARD_INPUT else Path(name).parent):
        counts = outline(file, problems)
        _report_unknown_keys(counts, problems)
        if problems.count:
            raise ShopFileRefused(problems)
        sections = [each(problems) for each in SECTIONS if each.key in counts and (not only or each.key in only)]
        for section in sections:
            key, count = section.key, counts[section.key]
            for later in (each for each in sections if each.prepared_before == key):
                later.prepare(objects(file, later.key, counts[later.key]))
            section.load(watch(objects(file, key, count), key, count))
            loaded.counts[key] = section.counts
            loaded.announcements += section.announcements
    if "regions" in loaded.counts:
        loaded.announcements += [
            f"The region '{region.name}' has no price that its `is_tax_inclusive` could apply to: its prices are as"
            f" {region.currency_id} states them."
            for region in regions_without_prices()
        ]
    if sum(counts.created for counts in loaded.counts.values()) >= _MANY:
        _update_statistics()
    if any(section.is_in_ledger for section in sections):
        _report_discrepancies(problems)
    if problems.count:
        raise ShopFileRefused(problems)
    return loaded


_MANY = 1000
"""New objects after which PostgreSQL's plans need new statistics."""


def _update_statistics() -> None:
    """Update PostgreSQL's statistics now: autovacuum would do it minutes later."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def dump(
    file: BinaryIO, *, only: Collection[str] = (), with_credentials: bool = False, watch: Watch = _unwatched
) -> dict[str, int]:
    """Write a snapshot of the shop; returns the number of objects by key. Loading it again changes nothing."""
    written: dict[str, int] = {}
    with read_snapshot():
        file.write(b"{")
        for section in SECTIONS:
            if not only or section.key in only:
                file.write(b'%s\n"%s": [' % (b"," if written else b"", section.key.encode()))
                written[section.key] = 0
                for one in watch(section.dump(with_credentials=with_credentials), section.key, None):
                    file.write((b",\n" if written[section.key] else b"\n") + orjson.dumps(_alike(one)))
                    written[section.key] += 1
                file.write(b"\n]")
        file.write(b"\n}\n")
    return written


def orders_left_out() -> int:
    """The number of orders in the shop, which the file never contains.

    Why: docs/decisions/orders.md#orders-are-not-part-of-a-shop-file.
    """
    return Order.objects.count()


_SHOPS_OWN = frozenset({"metadata", "data"})
"""Fields with free-form JSON."""


def _alike(value: Any) -> Any:
    """The value in one form for both databases: PostgreSQL stores JSON's keys and numbers differently."""
    if isinstance(value, dict):
        return {
            key: orjson.Fragment(metadata.fingerprint(one)) if key in _SHOPS_OWN and one is not None else _alike(one)
            for key, one in value.items()
        }
    return [_alike(one) for one in value] if isinstance(value, list) else value


def _report_unknown_keys(keys: Iterable[str], problems: Problems) -> None:
    for key in keys:
        if key not in KEYS:
            problems.add(key, "is not a key of the format")


def _report_discrepancies(problems: Problems) -> None:
    """Add what of the ledger does not add up after the load, if the file has no other problems."""
    for discrepancy in () if problems.count else discrepancies():
        problems.add("the ledger", discrepancy)
