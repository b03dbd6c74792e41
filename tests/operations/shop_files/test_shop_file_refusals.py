import pytest

from shop.models import SalesChannel
from tests.catalog.trees import LONG_AGO
from tests.operations.shop_file_runs import ShopFiles

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db]

A_MOMENT = "expected a date and time like 2026-01-31T12:00:00Z"


class TestRefusals:
    @pytest.mark.parametrize(
        ("shop", "problem"),
        [
            ([], "the file: expected an object whose keys are the sections"),
            ('"a"', "the file: expected an object whose keys are the sections"),
            ({"stores": {}}, "stores: expected a list of objects"),
            ({"stores": None}, "stores: expected a list of objects"),
            ({"sales_chanels": []}, "sales_chanels: is not a key of the format"),
            ('{"stores": [], "stores": []}', "stores: is repeated"),
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
            ("users", {"email": "ann"}, ".email: 'ann' is not an email address"),
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
            (
                "users",
                {"email": "a@b.cz", "id": "user_" + "a" * 60},
                f'.id: expected an id that begins with user_, got "user_{"a" * 54}…',
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
                ".default_region: there is no region 'Europe'",
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
            ("product_categories", {"name": "★"}, ".handle: is required: none can be derived from the name"),
            ("product_categories", {"handle": "tea"}, ".name: is required"),
            (
                "product_categories",
                {"name": "Tea", "parent": "coffee"},
                ".parent: there is no product category 'coffee'",
            ),
            ("product_categories", {"name": "Tea", "parent": "tea"}, ": is below itself"),
        ],
    )
    def test_a_bad_value_by_its_path(self, files: ShopFiles, key, given, problem):
        assert files.refused({key: [given]}) == [f"{key}[0]{problem}"]

    def test_a_number_too_large_for_a_float(self, files: ShopFiles):
        text = '{"product_categories": [{"name": "Tea", "metadata": {"a": 1e400}}]}'
        assert files.refused(text) == ["product_categories[0].metadata: holds a number beyond 64 bits"]

    def test_one_bad_value_among_good_ones_loads_nothing(self, files: ShopFiles):
        shop = {"product_categories": [{"name": "Tea"}], "users": [{"email": "ann@example.com"}, {"email": 1}]}
        assert files.refused(shop) == ["users[1].email: expected a text, got 1"]

    def test_the_first_twenty_of_many_are_reported_and_all_are_counted(self, files: ShopFiles):
        problems = files.refused({"sales_channels": [{"name": number} for number in range(2000)]})
        assert problems[:20] == [
            f"sales_channels[{number}].name: expected a text, got {number}" for number in range(20)
        ]
        assert problems[20:] == ["… and 1980 more"]

    def test_a_long_value_is_reported_shortened(self, files: ShopFiles):
        (problem,) = files.refused({"sales_channels": [{"name": "Web", "is_disabled": "x" * 1000}]})
        assert len(problem) < 150

    def test_a_key_has_a_title_of_one_line(self, files: ShopFiles):
        shop = {"api_keys": [{"title": "Web\nroot", "type": "publishable"}]}
        assert files.refused(shop) == ["api_keys[0].title: must not contain control characters"]

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
            ("users", [{"email": "a@b.cz"}, {"email": "A@b.cz"}], "users[1]: 'a@b.cz' already appears at users[0]"),
            (
                "sales_channels",
                [{"name": "A", "id": "sc_1"}, {"name": "B", "id": "sc_1"}],
                "sales_channels[1]: 'sc_1' already appears at sales_channels[0]",
            ),
            (
                "product_categories",
                [{"name": "Tea"}, {"name": "tea"}],
                (
                    "product_categories[1]: 'tea' would have the same handle as 'Tea' (product_categories[0]): "
                    "give each its `handle`"
                ),
            ),
            ("stores", [{"name": "A"}, {"name": "B"}], "stores[1]: there is exactly one store"),
        ],
    )
    def test_an_object_that_is_there_twice(self, files: ShopFiles, key, objects, problem):
        assert files.refused({key: objects}) == [problem]

    def test_an_object_that_is_there_twice_far_apart(self, files: ShopFiles):
        objects = [{"name": f"Channel {number}"} for number in range(1500)] + [{"name": "Channel 3"}]
        assert files.refused({"sales_channels": objects}) == [
            "sales_channels[1500]: 'Channel 3' already appears at sales_channels[3]"
        ]

    @pytest.mark.parametrize(("key", "prefix"), [("sales_channels", "sc"), ("product_categories", "pcat")])
    def test_a_natural_key_that_another_row_has(self, files: ShopFiles, key, prefix):
        files.load({key: [{"id": f"{prefix}_1", "name": "one"}, {"id": f"{prefix}_2", "name": "two"}]})
        field = "name" if prefix == "sc" else "handle"
        assert files.refused({key: [{"id": f"{prefix}_1", field: "two"}]}) == [
            f"{key}[0].{field}: 'two' belongs to {prefix}_2"
        ]

    def test_the_id_of_a_deleted_channel(self, files: ShopFiles):
        SalesChannel.objects.create(id="sc_GONE", name="Gone", deleted_at=LONG_AGO)
        assert files.refused({"sales_channels": [{"id": "sc_GONE", "name": "Back"}]}) == [
            "sales_channels[0].id: belongs to a deleted row"
        ]


def test_of_stock_where_there_is_no_location(files: ShopFiles):
    file = {"products": [{"title": "Cup", "variants": [{"title": "Cup", "inventory_quantity": 1}]}]}
    expected = (
        "products[0].variants[0].inventory_quantity: the shop has no stock locations; name the location by inventory"
    )
    assert files.refused(file) == [expected]
