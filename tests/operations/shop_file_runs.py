"""Running load_shop and dump_shop in tests, and seeing every row that they could touch."""

import gzip
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import models

from apikeys.models import ApiKey
from carts.models import Adjustment, Cart, CartAddress, LineItem, Promotion, TaxLine
from customers.models import Customer
from giftcards.models import GiftCard, StoreCreditAccount, Transaction, TransactionGroup
from orders.models import ReturnReason
from payments.models import RefundReason
from shop.models import (
    Country,
    FulfillmentProvider,
    Region,
    SalesChannel,
    ShippingProfile,
    StockLocation,
    StockLocationAddress,
    Store,
)
from staff.models import User
from taxes.models import TaxRate, TaxRateRule, TaxRegion

TABLES: tuple[type[models.Model], ...] = (
    User, SalesChannel, Store, ApiKey, ApiKey.sales_channels.through,
    Region, Country, TaxRegion, TaxRate, TaxRateRule, Region.payment_providers.through,
    FulfillmentProvider, ShippingProfile,
    StockLocation, StockLocationAddress, StockLocation.sales_channels.through,
    Promotion, Promotion.products.through, Cart, Cart.promotions.through, CartAddress, LineItem, TaxLine, Adjustment,
    Customer, GiftCard, StoreCreditAccount, TransactionGroup, Transaction, RefundReason, ReturnReason,
    *apps.get_app_config("catalog").get_models(include_auto_created=True),
    *apps.get_app_config("fulfillment").get_models(include_auto_created=True),
)  # fmt: skip


def everything() -> dict[str, list[dict[str, Any]]]:
    """All rows of the file's tables with all their columns, updated_at included."""
    return {table.__name__: list(table._default_manager.order_by("pk").values()) for table in TABLES}


class ShopFiles:
    """Files in a directory of the test's own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def write(self, content: Any, name: str = "shop.json") -> str:
        """The path of a file with that content; text and bytes are written as they are, all else as JSON."""
        data = content if isinstance(content, str | bytes) else json.dumps(content)
        data = data.encode(errors="surrogatepass") if isinstance(data, str) else data
        path = self.directory / name
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return str(path)

    def load(self, *contents: Any, only: tuple[str, ...] = ()) -> list[str]:
        """Load one file per content; the lines of the command's answer without the files' names."""
        names = [self.write(content, f"shop{number}.json") for number, content in enumerate(contents)]
        return self.run("load_shop", *names, *(["--only", *only] if only else []))

    def refused(self, *contents: Any, only: tuple[str, ...] = ()) -> list[str]:
        """Load a file that must be refused. Returns the problems. Nothing may have changed."""
        before = everything()
        with pytest.raises(CommandError) as refusal:
            self.load(*contents, only=only)
        assert refusal.value.returncode == 1
        assert everything() == before
        first, *problems = str(refusal.value).splitlines()
        assert first == "Nothing was loaded:"
        return problems

    def dump(self, *options: str, name: str = "dump.json") -> dict[str, list[dict[str, Any]]]:
        """The dumped file's content."""
        path = self.directory / name
        self.run("dump_shop", str(path), *options)
        data = path.read_bytes()
        return json.loads(gzip.decompress(data) if name.endswith(".gz") else data)

    def run(self, *arguments: str) -> list[str]:
        """The lines that a command prints."""
        out = StringIO()
        call_command(*arguments, stdout=out)
        return [line.strip() for line in out.getvalue().splitlines() if not line.startswith("Loaded ")]
