"""A dump that is loaded into an empty shop and dumped again is the same, byte for byte, on any pair of databases."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F

from catalog.shop_file import price_lists
from commerce.operations.management.commands.demo import SHOP as DEMO
from shop.models import FulfillmentProvider, PaymentProvider, SalesChannel, Store
from tests.operations.rich_shop import rich_shop
from tests.operations.shop_file_runs import ShopFiles
from tests.packages import ROOT
from tests.plugins import migrated
from tests.shared_data import SALEOR, needs

pytestmark = [pytest.mark.every(3), pytest.mark.django_db]


def untouched() -> dict[str, Any]:
    return {}


def renamed() -> dict[str, Any]:
    return {"stores": [{"name": "Mine"}], "sales_channels": [{"name": "Default Sales Channel", "description": "Mine"}]}


def demo() -> dict[str, Any]:
    return dict(json.loads(DEMO.read_bytes()))


def saleor() -> dict[str, Any]:
    return dict(json.loads(SALEOR.read_bytes()))


def rich() -> dict[str, Any]:
    return rich_shop(seed=7)


def both() -> dict[str, Any]:
    """The name of the channel that migrate makes is there too, and not the default's."""
    shop = rich_shop(seed=8)
    return {**shop, "sales_channels": [*shop["sales_channels"], {"name": "Default Sales Channel"}]}


SHOPS = [untouched, renamed, demo, pytest.param(saleor, marks=needs(SALEOR)), rich, both]


def be_another_migration() -> None:
    """Change the rows that migrate has created as if it had run elsewhere, at another time."""
    SalesChannel.objects.update(id="sc_ELSEWHERE", created_at=F("created_at") - timedelta(days=1))
    Store.objects.update(id="store_ELSEWHERE", default_sales_channel="sc_ELSEWHERE")
    for provider in (FulfillmentProvider, PaymentProvider):
        provider.objects.update(created_at=F("created_at") + timedelta(days=1))


def dumped(files: ShopFiles, name: str) -> bytes:
    files.dump("--with-credentials", name=name)
    return (files.directory / name).read_bytes()


def dump_of(content: dict[str, Any], files: ShopFiles) -> bytes:
    """The dump of a shop that the content was loaded into; the shop is rolled back."""
    with transaction.atomic():
        files.load(content)
        found = dumped(files, "first.json")
        transaction.set_rollback(True)
    return found


@pytest.mark.parametrize("shop", SHOPS)
def test_another_shop_dumps_the_same_bytes(files: ShopFiles, monkeypatch: Any, shop: Callable[[], Any]) -> None:
    monkeypatch.setattr(price_lists, "BATCH", 4)
    first = dump_of(shop(), files)
    be_another_migration()
    files.run("load_shop", str(files.directory / "first.json"))
    assert dumped(files, "second.json") == first
    lines = files.run("load_shop", str(files.directory / "first.json"))
    assert all(": 0 created, 0 updated, " in line for line in lines)


def test_a_database_of_the_other_kind_dumps_the_same_bytes(files: ShopFiles, tmp_path: Path) -> None:
    """SQLite in a process of its own, whichever database this one is."""
    first = dump_of(rich(), files)
    other = shutil.copyfile(migrated.sqlite(), tmp_path / "other.sqlite3")
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{other}"}
    environment.pop("DATABASE_SOCKET", None)
    for command in (("load_shop", "first.json"), ("dump_shop", "second.json", "--with-credentials")):
        words = [sys.executable, str(ROOT / "manage.py"), *command]
        subprocess.run(words, cwd=tmp_path, env=environment, check=True, capture_output=True, timeout=300)
    assert (tmp_path / "second.json").read_bytes() == first


class TestTheChannelThatMigrateMakes:
    def test_makes_room_for_the_files_own_default(self, files: ShopFiles) -> None:
        files.load({"sales_channels": [{"name": "Web"}], "stores": [{"name": "Store", "default_sales_channel": "Web"}]})
        assert list(SalesChannel.objects.values_list("name", flat=True)) == ["Web"]

    def test_stays_where_the_file_names_no_other_default(self, files: ShopFiles) -> None:
        files.load({"sales_channels": [{"name": "Web"}], "stores": [{"name": "Store"}]})
        assert set(SalesChannel.objects.values_list("name", flat=True)) == {"Web", "Default Sales Channel"}

    def test_stays_in_a_shop_in_use(self, files: ShopFiles) -> None:
        channel = SalesChannel.objects.get()
        files.load({"product_types": [], "products": [{"title": "Tea", "sales_channels": [channel.name]}]})
        files.load(
            {
                "sales_channels": [{"name": "Web"}, {"id": "sc_OTHER", "name": channel.name}],
                "stores": [{"id": "store_OTHER", "name": "Store", "default_sales_channel": "Web"}],
            }
        )
        assert SalesChannel.objects.filter(pk=channel.pk).exists()
        assert Store.objects.get().pk != "store_OTHER"

    def test_is_there_again_when_the_file_is_refused(self, files: ShopFiles) -> None:
        store = {"name": "Store", "default_sales_channel": "Nowhere"}
        problem = "stores[0].default_sales_channel: there is no sales channel 'Nowhere'"
        assert files.refused({"sales_channels": [{"name": "Web"}], "stores": [store]}) == [problem]
