"""The shop file's price lists."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import islice

from django.db import models

from catalog.models import Price, PriceList, ProductVariant
from catalog.prices import price_sets
from catalog.prices.price_list_editing import VERBS, ListRules
from catalog.rule_attributes import OF_BUYERS
from catalog.shop_file.prices import PRICE, Prices, dumped_price, payable, price_key, region_names
from catalog.shop_file.products import SKUS
from catalog.shop_file.rules import TextsByAttribute
from kit.editing.changes import BATCH
from kit.editing.children import Key
from kit.shop_file.references import Named, Target
from kit.shop_file.row_fields import row_fields
from kit.shop_file.sections import Placed, RowsSection
from kit.shop_file.values import Entry, Objects, Texts
from kit.values.json import JSONObject
from kit.values.text import LONGEST
from kit.values.timestamps import isoformat

VARIANTS = Target(ProductVariant, "sku", SKUS)


class ListPrices(Prices):
    """The prices of price lists. Their key includes the price set, which belongs to a variant with a sku."""

    parent = "price_list_id"
    key = ("price_set_id", "currency_id", "min_quantity", "max_quantity")

    def __init__(self, parents: Collection[Hashable], *, price_sets: Collection[str] | None = None) -> None:
        """`price_sets`: the ids to limit the prices to."""
        self._asked = {} if price_sets is None else {"price_set__in": price_sets}
        super().__init__(parents)

    def stored(self, parents: Collection[Hashable]) -> models.QuerySet[Price]:
        return _nameable(parents).filter(**self._asked)


class PriceLists(RowsSection[PriceList]):
    """Every price list that is not deleted, with its prices of variants that have a sku.

    `rules` are lists of texts by attribute of the context; one text of each list must match.
    """

    key = "price_lists"
    natural_key = "title"
    verbs = VERBS
    fields = row_fields(
        VERBS,
        rules=TextsByAttribute(each=Texts(), kinds=OF_BUYERS, longest=LONGEST),
        prices=Objects(fields={"sku": Named(target=VARIANTS, required=True), **PRICE}),
    )

    def load_parts(self, placed: Sequence[Placed[PriceList]]) -> None:
        stored = [one.row.pk for one in placed if not one.is_new]
        prices = ListPrices(stored)
        named = {price.given["sku"] for one in placed for price in one.entry.given.get("prices", ())}
        price_set_ids = price_sets.of_variants(named)
        for one in placed:
            wanted_prices = self._prices_by_key(one.entry, price_set_ids)
            if wanted_prices is not None:
                one.is_changed |= prices.replace(one.row.pk, wanted_prices)
        prices.write()

    def _prices_by_key(self, entry: Entry, price_set_ids: Mapping[str, str]) -> dict[Key, dict[str, object]] | None:
        """The prices by key; None if the list gives no prices, or invalid ones."""
        wanted: dict[Key, dict[str, object]] = {}
        before = self.problems.count
        for price in entry.given.get("prices", ()):
            key = (price_set_ids[price.given["sku"]], *price_key(price, self.problems))
            if key in wanted:
                self.problems.add(
                    price.path, "has the same sku, currency, quantities and rules as another price of the list"
                )
            wanted[key] = {"amount": payable(price, self.problems)}
        return wanted if "prices" in entry.given and self.problems.count == before else None

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        regions = region_names()
        for price_list in PriceList.objects.not_deleted().order_by("pk"):
            rules = ListRules([price_list.pk])
            yield {
                "id": price_list.pk,
                "title": price_list.title,
                "description": price_list.description,
                "type": price_list.type,
                "status": price_list.status,
                "starts_at": price_list.starts_at and isoformat(price_list.starts_at),
                "ends_at": price_list.ends_at and isoformat(price_list.ends_at),
                "rules": {rule.attribute: rule.value for rule in rules.of(price_list.pk).values()},
                "prices": list(_dumped_prices(price_list.pk, regions)),
                "created_at": isoformat(price_list.created_at),
            }


def _nameable(price_lists: Collection[Hashable]) -> models.QuerySet[Price]:
    """The lists' prices of variants that a file can name."""
    prices: models.QuerySet[Price] = Price.objects.not_deleted().filter(price_list__in=price_lists)
    return prices.filter(price_set__variant__deleted_at=None, price_set__variant__sku__isnull=False)


def _dumped_prices(price_list: str, regions: Mapping[str, str]) -> Iterator[JSONObject]:
    """The list's prices as objects of the file, read in batches of price sets: a list may contain every product.

    Ordered by variant, since a file has the ids of variants but not those of price sets.
    """
    variant = "price_set__variant"
    named = _nameable([price_list]).order_by(variant).values_list("price_set", f"{variant}__sku", variant)
    found = ((price_set, sku) for price_set, sku, _ in named.distinct().iterator(chunk_size=BATCH))
    while skus := dict(islice(found, BATCH)):
        prices = ListPrices([price_list], price_sets=list(skus))
        rows: dict[str, list[Price]] = {}
        for row in prices.of(price_list).values():
            rows.setdefault(row.price_set_id, []).append(row)
        for price_set, sku in skus.items():
            for row in rows[price_set]:
                yield {"sku": sku, **dumped_price(row, prices.rules.get(row.pk, ()), regions)}
