"""A generated shop of products, put into the database."""

from collections import defaultdict
from typing import Any

from django.core.management import call_command

from catalog import models
from catalog.states import PriceListStatus
from shop.models import Country, Region, SalesChannel, StockLocation, Store
from taxes.models import TaxRate, TaxRegion
from tests.bench.filling import fill
from tests.bench.product_rows import COLUMNS, WORDS, ProductRows, Row, Shop, identifier
from tests.bench.stock_data import stock_as_it_is_written

AT_ONCE = 5000
"""Products whose rows are held in memory."""


def fill_products(count: int) -> None:
    """Make that many, nine in ten of them shown in the store's default channel, and what they refer to."""
    shop = _shop()
    with stock_as_it_is_written():
        for start in range(0, count, AT_ONCE):
            tables: dict[Any, list[Row]] = defaultdict(list)
            for number in range(start, min(start + AT_ONCE, count)):
                for model, row in ProductRows(number, shop):
                    tables[model].append(row)
            for model in COLUMNS:  # in this order: rows stand behind those that they refer to
                fill(model, COLUMNS[model], tables[model])
    call_command("rebuild_search", verbosity=0)
    call_command("recount_products", verbosity=0)


def _shop() -> Shop:
    """Two channels, two regions with taxes, two warehouses, a sale, and what groups products."""
    channel = Store.objects.get().default_sales_channel
    locations = [StockLocation.objects.create(name=name) for name in ("North", "South")]
    for location in locations:
        location.sales_channels.add(channel)
    return Shop(
        channel=channel.pk,
        elsewhere=SalesChannel.objects.create(name="Elsewhere").pk,
        region=_default_region().pk,
        sale=models.PriceList.objects.create(title="Sale", status=PriceListStatus.ACTIVE).pk,
        locations=[location.pk for location in locations],
        types=_made(models.ProductType, "ptyp", 20, "value"),
        collections=_made(models.ProductCollection, "pcol", 50, "title", "handle"),
        tags=_made(models.ProductTag, "ptag", 200, "value"),
        categories=list(models.ProductCategory.objects.order_by("handle").values_list("pk", flat=True)),
    )


def _default_region() -> Region:
    europe = Region.objects.create(name="Europe", currency_id="eur", tax_rate=20, is_tax_inclusive=True)
    america = Region.objects.create(name="America", currency_id="usd")
    Country.objects.filter(iso_2__in=("de", "fr", "it", "es", "nl", "at")).update(region=europe)
    Country.objects.filter(iso_2__in=("us", "ca")).update(region=america)
    germany = TaxRegion.objects.create(country_id="de")
    TaxRate.objects.create(tax_region=germany, name="VAT", rate=19, is_default=True)
    Store.objects.update(default_region=europe)
    return europe


def _made(model: Any, prefix: str, count: int, *columns: str) -> list[str]:
    ids = [identifier(prefix, number) for number in range(count)]
    names = (f"{prefix}-{word}" for word in WORDS)
    fill(model, ("id", *columns), [(each, *[name] * len(columns)) for each, name in zip(ids, names, strict=False)])
    return ids
