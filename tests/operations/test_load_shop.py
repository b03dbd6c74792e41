import io
import json
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError

from apikeys.models import ApiKey
from catalog.models import ProductCategory
from commerce.shop.models import SalesChannel, Store
from commerce.staff.models import User
from tests.catalog.trees import faults
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
        mine = SalesChannel.objects.get()
        files.load({"sales_channels": [{"id": "sc_OTHER", "name": mine.name, "description": "Ours"}]})
        assert list(SalesChannel.objects.values_list("pk", "description")) == [(mine.pk, "Ours")]

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
            ("shop.json", b'{"stores": [{"name": "\xff"}]}', "is not JSON: lexical error: invalid bytes in UTF8"),
            ("shop.json", '{"stores": []} {}', "is not JSON"),
            ("shop.txt.gz", '{"stores": []', "is not JSON"),
        ],
    )
    def test_a_file_that_is_no_json_is_told(self, files: ShopFiles, name, content, problem):
        with pytest.raises(CommandError, match=problem):
            files.run("load_shop", files.write(content, name))

    def test_a_file_that_is_not_there_or_not_packed_is_told(self, files: ShopFiles):
        files.write({}, "plain.json")
        (files.directory / "plain.gz").write_bytes(b"{}")
        for name, problem in [("nowhere.json", "No such file"), ("plain.gz", "Not a gzipped file")]:
            with pytest.raises(CommandError, match=problem):
                files.run("load_shop", str(files.directory / name))


class TestRefusals:
    @pytest.mark.parametrize(
        ("shop", "problem"),
        [
            ([], "the file: expected an object whose keys are the sections"),
            ('"a"', "the file: expected an object whose keys are the sections"),
            ({"stores": {}}, "stores: expected a list of objects"),
            ({"stores": None}, "stores: expected a list of objects"),
            ({"sales_chanels": []}, "sales_chanels: is not a key of the format"),
            ({"products": []}, "products: is not built yet; leave it out, or name others by --only"),
            ('{"stores": [], "stores": []}', "stores: is there twice"),
            ('{"users": ' + "[" * 100 + "]" * 100 + "}", "users: is nested deeper than 64 levels"),
        ],
    )
    def test_a_file_of_another_shape(self, files: ShopFiles, shop, problem):
        assert files.refused(shop) == [problem]

    @pytest.mark.parametrize(
        ("key", "given", "problem"),
        [
            ("users", 5, ": expected an object, got 5"),
            ("users", [], ": expected an object, got a list"),
            ("users", {}, ".email: is required"),
            ("users", {"email": None}, ".email: expected a text, got null"),
            ("users", {"email": "ann"}, ".email: 'ann' is not an e-mail address"),
            ("users", {"email": "a@b.cz", "is_superuser": "yes"}, '.is_superuser: expected true or false, got "yes"'),
            ("users", {"email": "a@b.cz", "password": ""}, ".password: must not be blank"),
            (
                "users",
                {"email": "a@b.cz", "last_name": "x" * 151},
                ".last_name: too long, expected at most: '150' characters",
            ),
            ("users", {"email": "a@b.cz", "id": "usr_1"}, '.id: expected an id that begins with user_, got "usr_1"'),
            (
                "users",
                {"email": "a@b.cz", "id": "user_a.b"},
                '.id: expected an id that begins with user_, got "user_a.b"',
            ),
            ("users", {"email": "a@b.cz", "updated_at": 1}, ".updated_at: unknown field"),
            ("users", {"email": "a@b.cz", "created_at": "2026-01-31"}, f'.created_at: {A_MOMENT}, got "2026-01-31"'),
            ("users", {"email": "a@b.cz", "created_at": 1.5}, f".created_at: {A_MOMENT}, got 1.5"),
            (
                "users",
                {"email": "a@b.cz", "created_at": "0001-01-01T00:00:00+14:00"},
                f'.created_at: {A_MOMENT}, got "0001-01-01T00:00:00+14:00"',
            ),
            ("sales_channels", {"name": "a\0b"}, ".name: must not contain NUL characters"),
            ("sales_channels", {"name": " "}, ".name: must not be blank"),
            ("sales_channels", {"description": "x"}, ".name: is required"),
            (
                "stores",
                {"name": "S", "default_region": "Europe"},
                ".default_region: regions are not built yet; leave the field out",
            ),
            (
                "stores",
                {"name": "S", "default_sales_channel": "Moon"},
                ".default_sales_channel: there is no sales channel 'Moon'",
            ),
            ("product_categories", {"name": "Tea", "rank": -1}, ".rank: expected a whole number from 0 up, got -1"),
            ("product_categories", {"name": "Tea", "rank": 1.0}, ".rank: expected a whole number from 0 up, got 1.0"),
            ("product_categories", {"name": "Tea", "rank": True}, ".rank: expected a whole number from 0 up, got true"),
            (
                "product_categories",
                {"name": "Tea", "rank": 2**31},
                ".rank: expected a whole number from 0 up, got 2147483648",
            ),
            ("product_categories", {"name": "Tea", "metadata": []}, ".metadata: expected an object, got a list"),
            (
                "product_categories",
                {"name": "Tea", "metadata": {"a": "\0"}},
                ".metadata: must not contain NUL characters",
            ),
            (
                "product_categories",
                {"name": "Tea", "metadata": {"a": 10**30}},
                ".metadata: holds a number beyond 64 bits",
            ),
            ("product_categories", {"name": "★"}, ".handle: is required: the name has no letters to make one of"),
            ("product_categories", {"handle": "tea"}, ".name: is required"),
            (
                "product_categories",
                {"name": "Tea", "parent": "coffee"},
                ".parent: there is no product category 'coffee'",
            ),
            ("product_categories", {"name": "Tea", "parent": "tea"}, ": stands below itself"),
        ],
    )
    def test_a_bad_value_by_its_path(self, files: ShopFiles, key, given, problem):
        assert files.refused({key: [given]}) == [f"{key}[0]{problem}"]

    def test_a_number_too_large_for_a_float(self, files: ShopFiles):
        text = '{"product_categories": [{"name": "Tea", "metadata": {"a": 1e400}}]}'
        assert files.refused(text) == ["product_categories[0].metadata: holds a number beyond 64 bits"]

    def test_one_bad_value_among_good_ones_loads_nothing(self, files: ShopFiles):
        assert files.refused({**SHOP, "users": [*SHOP["users"], {"email": 1}]}) == [
            "users[1].email: expected a text, got 1"
        ]

    def test_the_first_twenty_of_many_are_told_and_all_are_counted(self, files: ShopFiles):
        problems = files.refused({"sales_channels": [{"name": number} for number in range(2000)]})
        assert problems[:20] == [
            f"sales_channels[{number}].name: expected a text, got {number}" for number in range(20)
        ]
        assert problems[20:] == ["… and 1980 more"]

    def test_a_long_value_is_told_shortened(self, files: ShopFiles):
        (problem,) = files.refused({"sales_channels": [{"name": "Web", "is_disabled": "x" * 1000}]})
        assert len(problem) < 150

    def test_who_refers_to_a_bad_object_has_no_problem_of_its_own(self, files: ShopFiles):
        shop = {
            "users": [{"email": "ann@example.com", "first_name": 1}],
            "sales_channels": [{"name": "Web", "is_disabled": 1}],
            "stores": [{"name": "Shop", "default_sales_channel": "Web"}],
            "api_keys": [
                {"title": "Web", "type": "publishable", "sales_channels": ["Web"]},
                {"title": "Importer", "type": "secret", "created_by": "ann@example.com"},
            ],
            "product_categories": [{"name": "Tea", "rank": "first"}, {"name": "Green tea", "parent": "tea"}],
        }
        assert [line.partition(":")[0] for line in files.refused(shop)] == [
            "users[0].first_name",
            "sales_channels[0].is_disabled",
            "product_categories[0].rank",
        ]

    @pytest.mark.parametrize(
        ("key", "objects", "problem"),
        [
            ("users", [{"email": "a@b.cz"}, {"email": "A@b.cz"}], "users[1]: 'a@b.cz' is already at users[0]"),
            (
                "sales_channels",
                [{"name": "A", "id": "sc_1"}, {"name": "B", "id": "sc_1"}],
                "sales_channels[1]: 'sc_1' is already at sales_channels[0]",
            ),
            (
                "product_categories",
                [{"name": "Tea"}, {"name": "tea"}],
                "product_categories[1]: 'tea' is already at product_categories[0]",
            ),
            ("stores", [{"name": "A"}, {"name": "B"}], "stores[1]: there is exactly one store"),
        ],
    )
    def test_an_object_that_is_there_twice(self, files: ShopFiles, key, objects, problem):
        assert files.refused({key: objects}) == [problem]

    def test_an_object_that_is_there_twice_far_apart(self, files: ShopFiles):
        objects = [{"name": f"Channel {number}"} for number in range(1500)] + [{"name": "Channel 3"}]
        assert files.refused({"sales_channels": objects}) == [
            "sales_channels[1500]: 'Channel 3' is already at sales_channels[3]"
        ]

    @pytest.mark.parametrize(("key", "prefix"), [("sales_channels", "sc"), ("product_categories", "pcat")])
    def test_a_natural_key_that_another_row_has(self, files: ShopFiles, key, prefix):
        files.load({key: [{"id": f"{prefix}_1", "name": "one"}, {"id": f"{prefix}_2", "name": "two"}]})
        field = "name" if prefix == "sc" else "handle"
        assert files.refused({key: [{"id": f"{prefix}_1", field: "two"}]}) == [
            f"{key}[0].{field}: 'two' is that of {prefix}_2"
        ]

    def test_the_id_of_a_deleted_channel(self, files: ShopFiles):
        SalesChannel.objects.create(id="sc_GONE", name="Gone", deleted_at=LONG_AGO)
        assert files.refused({"sales_channels": [{"id": "sc_GONE", "name": "Back"}]}) == [
            "sales_channels[0].id: is that of a deleted row"
        ]
