import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError

from apikeys.models import ApiKey
from catalog.models import ProductCategory
from shop.models import SalesChannel, Store
from staff.models import User
from tests.catalog.trees import faults
from tests.factories.shop import SalesChannelFactory
from tests.operations.shop_file_runs import TABLES, ShopFiles, everything

pytestmark = pytest.mark.django_db

LONG_AGO = datetime(2020, 2, 2, tzinfo=UTC)
A_MOMENT = "expected a date and time like 2026-01-31T12:00:00Z"
TOKEN = "pk_" + "0123456789abcdef" * 4
SHOP = {
    "product_categories": [
        {"name": "Green tea", "parent": "tea", "metadata": {"a": [1, 2.5, None, {"b": True}]}},
        {"name": "Tea", "description": "Leaves", "rank": 0},
        {"name": "Gone", "deleted_at": "2026-01-31T12:00:00+01:00"},
    ],
    "api_keys": [
        {"title": "Web", "type": "publishable", "token": TOKEN, "sales_channels": ["Web", "App"]},
        {"title": "Importer", "type": "secret", "created_by": "Ann@example.com"},
    ],
    "stores": [{"name": "Tea & Co", "default_sales_channel": "Web"}],
    "sales_channels": [{"name": "Web"}, {"name": "App", "description": "Phones", "is_disabled": True}],
    "users": [{"email": "Ann@Example.com", "password": "steeped leaves", "first_name": "Ann", "is_superuser": True}],
}


def make_old() -> None:
    for table in TABLES:
        if hasattr(table, "updated_at"):
            table._default_manager.update(updated_at=LONG_AGO)


def touched() -> int:
    return sum(
        table._default_manager.exclude(updated_at=LONG_AGO).count() for table in TABLES if hasattr(table, "updated_at")
    )


class TestAWholeShop:
    def test_every_section_is_loaded_whatever_the_order_of_the_file(self, files: ShopFiles):
        lines = files.load(SHOP)
        assert lines[:5] == [
            "users: 1 created, 0 updated, 0 unchanged",
            "sales_channels: 2 created, 0 updated, 0 unchanged",
            "stores: 0 created, 1 updated, 0 unchanged",
            "api_keys: 2 created, 0 updated, 0 unchanged",
            "product_categories: 3 created, 0 updated, 0 unchanged",
        ]
        web, ann = SalesChannel.objects.get(name="Web"), User.objects.get()
        assert (ann.email, ann.first_name, ann.is_superuser) == ("ann@example.com", "Ann", True)
        assert ann.check_password("steeped leaves")
        assert list(Store.objects.values_list("name", "default_sales_channel")) == [("Tea & Co", web.pk)]
        assert (web.description, web.is_disabled) == ("", False)
        assert SalesChannel.objects.get(name="App").is_disabled
        green = ProductCategory.objects.get(handle="green-tea")
        assert green.parent_category == ProductCategory.objects.get(name="Tea", description="Leaves")
        assert green.metadata == {"a": [1, 2.5, None, {"b": True}]}
        assert ProductCategory.objects.get(name="Gone").deleted_at == datetime(2026, 1, 31, 11, tzinfo=UTC)
        assert faults() == []

    def test_a_second_load_changes_no_row(self, files: ShopFiles):
        files.load(SHOP)
        make_old()
        before = everything()
        lines = files.load(SHOP)
        assert everything() == before
        assert [line.partition(": ")[2] for line in lines] == [
            f"0 created, 0 updated, {len(SHOP[key])} unchanged"
            for key in ("users", "sales_channels", "stores", "api_keys", "product_categories")
        ]

    def test_a_changed_object_changes_its_row_and_no_other(self, files: ShopFiles):
        files.load(SHOP)
        make_old()
        changes = {
            "product_categories": [{"handle": "tea", "description": "Hot"}],
            "sales_channels": [{"name": "Web", "is_disabled": True}],
        }
        assert files.load(changes) == [
            "sales_channels: 0 created, 1 updated, 0 unchanged",
            "product_categories: 0 created, 1 updated, 0 unchanged",
        ]
        tea = ProductCategory.objects.get(handle="tea")
        assert (tea.name, tea.description, tea.rank) == ("Tea", "Hot", 0)
        assert touched() == 2

    def test_an_id_and_a_date_of_creation_are_kept_for_new_rows_only(self, files: ShopFiles):
        given = {"id": "pcat_OLD1", "name": "Tea", "created_at": "2024-02-29T23:59:59.1239Z"}
        files.load({"product_categories": [given]})
        files.load({"product_categories": [{**given, "created_at": "2030-01-01T00:00:00Z", "name": "Teas"}]})
        tea = ProductCategory.objects.get()
        assert (tea.pk, tea.name, tea.handle) == ("pcat_OLD1", "Teas", "tea")
        assert tea.created_at == datetime(2024, 2, 29, 23, 59, 59, 123_000, tzinfo=UTC)

    def test_the_natural_key_goes_before_an_unknown_id(self, files: ShopFiles):
        mine, _ = SalesChannel.objects.get(), SalesChannelFactory()
        files.load({"sales_channels": [{"id": "sc_OTHER", "name": mine.name, "description": "Ours"}]})
        assert SalesChannel.objects.get(description="Ours") == mine

    def test_an_id_finds_its_row_to_rename_it(self, files: ShopFiles):
        mine = SalesChannel.objects.get()
        files.load({"sales_channels": [{"id": mine.pk, "name": "Web"}]})
        assert SalesChannel.objects.get().name == "Web"

    def test_references_go_by_id_too(self, files: ShopFiles):
        files.load({"product_categories": [{"id": "pcat_T", "name": "Tea"}, {"name": "Green", "parent": "pcat_T"}]})
        channel = SalesChannel.objects.get()
        files.load({"api_keys": [{"title": "Web", "type": "publishable", "sales_channels": [channel.pk]}]})
        assert ProductCategory.objects.get(name="Green").parent_category_id == "pcat_T"
        assert list(ApiKey.objects.get().sales_channels.all()) == [channel]

    def test_more_objects_than_a_batch(self, files: ShopFiles):
        channels = [{"name": f"Channel {number}"} for number in range(2345)]
        assert files.load({"sales_channels": channels}) == ["sales_channels: 2345 created, 0 updated, 0 unchanged"]
        channels[2300]["description"] = "Late"
        assert files.load({"sales_channels": channels}) == ["sales_channels: 0 created, 1 updated, 2344 unchanged"]


class TestSources:
    def test_a_gzipped_file(self, files: ShopFiles):
        files.run("load_shop", files.write({"product_categories": [{"name": "Tea"}]}, "shop.json.gz"))
        assert ProductCategory.objects.get().name == "Tea"

    def test_standard_input(self, files: ShopFiles, monkeypatch):
        text = json.dumps({"product_categories": [{"name": "Tea"}]}).encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
        files.run("load_shop", "-")
        assert ProductCategory.objects.get().name == "Tea"

    def test_later_files_stand_on_earlier_ones(self, files: ShopFiles):
        files.load(
            {"product_categories": [{"name": "Tea"}]}, {"product_categories": [{"name": "Green", "parent": "tea"}]}
        )
        assert faults() == []
        assert ProductCategory.objects.get(name="Green").depth == 1

    def test_several_files_are_loaded_all_or_none(self, files: ShopFiles):
        good, bad = {"product_categories": [{"name": "Tea"}]}, {"sales_channels": [{}]}
        assert files.refused(good, bad) == ["sales_channels[0].name: is required"]

    def test_only_the_keys_asked_for(self, files: ShopFiles):
        shop = {**SHOP, "products": [{"title": "Cup"}], "sales_channels": [{"name": 5}]}
        assert files.load(shop, only=("product_categories",)) == [
            "product_categories: 3 created, 0 updated, 0 unchanged"
        ]

    @pytest.mark.parametrize(
        ("name", "content", "problem"),
        [
            ("shop.json", '{"stores": [', "is not JSON: parse error: premature EOF"),
            ("shop.json", "", "is not JSON"),
            ("shop.json", '{"stores": [{"name": NaN}]}', "is not JSON"),
            ("shop.json", b'{"stores": [{"name": "\xff"}]}', "is not JSON: it is not UTF-8"),
            ("shop.json", '{"stores": []} {}', "is not JSON"),
            ("shop.txt.gz", '{"stores": []', "is not JSON"),
        ],
    )
    def test_a_file_that_is_no_json_is_reported(self, files: ShopFiles, name, content, problem):
        with pytest.raises(CommandError, match=problem):
            files.run("load_shop", files.write(content, name))

    @pytest.mark.parametrize(
        ("name", "damage", "problem"),
        [
            ("nowhere.gz", None, "No such file"),
            ("cut.gz", lambda packed: packed[:-30], "ended before the end-of-stream marker"),
            ("bad.gz", lambda packed: packed[:30] + b"\xff" * 8 + packed[38:], "invalid"),
        ],
    )
    def test_a_file_that_is_not_there_or_damaged_is_reported(self, files: ShopFiles, name, damage, problem):
        path = files.directory / name
        if damage:
            packed = Path(files.write({"product_categories": [{"name": f"n{n}"} for n in range(500)]}, "whole.gz"))
            path.write_bytes(damage(packed.read_bytes()))
        with pytest.raises(CommandError, match=problem):
            files.run("load_shop", str(path))
