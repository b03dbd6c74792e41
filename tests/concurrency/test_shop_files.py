"""Loads and dumps while others work."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from apikeys.models import ApiKey
from catalog.categories import category_tree
from catalog.models import Product
from commerce.operations.shop_files import shop_files
from kit.database.locking import lock_rows
from kit.domain.actor import SYSTEM
from shop.models import SalesChannel
from shop.shop_file import Stores
from tests.concurrency.crowd import at_once
from tests.concurrency.test_product_counts import closed, wait_until_blocked
from tests.factories.apikeys import publishable_key
from tests.factories.products import ProductFactory

pytestmark = pytest.mark.django_db(transaction=True)

HELD: dict[str, Callable[[], object]] = {
    "product_categories": category_tree.lock_tree,
    "sales_channels": lambda: lock_rows(SalesChannel.objects.all()),
    "api_keys": lambda: lock_rows(ApiKey.objects.all()),
}


@pytest.mark.postgresql
@pytest.mark.parametrize("key", HELD)
def test_a_load_waits_for_what_others_change_and_says_so_when_it_cannot_have_it(key: str, tmp_path: Path):
    publishable_key(title="Shop")
    path = tmp_path / "shop.json"
    path.write_text(json.dumps({key: [{"name": "Default Sales Channel"} if key != "api_keys" else {"title": "Shop"}]}))

    def load_meanwhile(_: int) -> str:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 200")
        with pytest.raises(CommandError) as refusal:
            call_command("load_shop", str(path))
        return str(refusal.value)

    with transaction.atomic():
        HELD[key]()
        assert at_once(load_meanwhile, threads=1) == [
            "Other changes conflict with the file. Nothing was loaded; try again."
        ]


@pytest.mark.postgresql
def test_a_load_says_so_when_another_transaction_takes_a_value_of_the_file(tmp_path: Path):
    path = tmp_path / "shop.json"
    path.write_text(json.dumps({"products": [{"title": "Tea", "handle": "tea"}]}))
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            ProductFactory(handle="tea")
            load = pool.submit(closed, lambda: call_command("load_shop", str(path)))
            wait_until_blocked()
        with pytest.raises(CommandError, match="Nothing was loaded; try again"):
            load.result()
    call_command("load_shop", str(path), verbosity=0)
    assert Product.objects.get().title == "Tea"


def test_a_dump_is_of_one_moment(monkeypatch: pytest.MonkeyPatch):
    dump_of_stores = Stores.dump

    def while_somebody_adds_a_category(*, with_credentials: bool):
        yield from dump_of_stores(with_credentials=with_credentials)
        at_once(lambda _: category_tree.create(actor=SYSTEM, name="Late"), threads=1)

    monkeypatch.setattr(Stores, "dump", while_somebody_adds_a_category)
    file = BytesIO()
    shop_files.dump(file)
    assert json.loads(file.getvalue())["product_categories"] == []
    monkeypatch.undo()
    shop_files.dump(again := BytesIO())
    assert [one["name"] for one in json.loads(again.getvalue())["product_categories"]] == ["Late"]
