import random
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.categories import category_tree
from catalog.models import MAX_DEPTH, ProductCategory
from kit.domain.actor import SYSTEM
from tests.catalog.trees import faults, outline
from tests.factories.catalog import CategoryFactory
from tests.operations.shop_file_runs import ShopFiles, everything
from tests.shared_data import TAXONOMY, needs

LONG_AGO = datetime(2020, 2, 2, tzinfo=UTC)


def by_handle(handle: str) -> ProductCategory:
    return ProductCategory.objects.get(handle=handle)


@pytest.mark.django_db
class TestPlacement:
    @pytest.fixture(autouse=True)
    def whole_tree(self):
        yield
        assert faults() == []

    def load(self, files: ShopFiles, *objects: dict) -> str:
        """Load the categories twice; the second time must find nothing to do. The first time's counts."""
        (counts,) = files.load({"product_categories": objects})
        before = everything()
        assert files.load({"product_categories": objects})[0].endswith(f" {len(objects)} unchanged")
        assert everything() == before
        return counts.removeprefix("product_categories: ")

    def test_parents_may_come_in_any_order(self, files: ShopFiles):
        chain = [{"handle": f"c{number}", "name": f"C{number}", "parent": f"c{number - 1}"} for number in range(1, 8)]
        objects = [*reversed(chain), {"handle": "c0", "name": "C0"}]
        self.load(files, *objects)
        assert by_handle("c7").depth == 7

    def test_ranks_are_taken_from_the_file_and_else_from_its_order(self, files: ShopFiles):
        self.load(files, {"name": "b"}, {"name": "c"}, {"name": "a", "rank": 0}, {"name": "z", "rank": 900})
        assert outline() == ["a", "b", "c", "z"]

    def test_ranks_count_whatever_the_order_of_the_file(self, files: ShopFiles):
        self.load(files, {"name": "c", "rank": 2}, {"name": "a", "rank": 0}, {"name": "b", "rank": 1})
        assert outline() == ["a", "b", "c"]

    def test_newcomers_without_a_rank_are_last_in_the_order_of_the_file(self, files: ShopFiles):
        for name in "abc":
            CategoryFactory(name=name)
        CategoryFactory(name="moved", parent=CategoryFactory(name="d"))
        self.load(files, {"name": "new"}, {"handle": "moved", "parent": None}, {"name": "newer"})
        assert outline() == ["a", "b", "c", "d", "new", "moved", "newer"]

    def test_a_deleted_row_keeps_the_rank_it_had(self, files: ShopFiles):
        last = [CategoryFactory(name=name) for name in "abc"][-1]
        category_tree.delete(actor=SYSTEM, category_id=last.pk)
        self.load(files, {"name": "new"}, {"id": last.pk, "description": "Gone"})
        assert by_handle("c").rank == 2

    def test_of_equal_ranks_the_first_in_the_file_goes_first(self, files: ShopFiles):
        self.load(files, {"name": "a", "rank": 1}, {"name": "b", "rank": 1}, {"name": "c", "rank": 1}, {"name": "d"})
        assert outline() == ["d", "a", "b", "c"]

    def test_siblings_that_the_file_does_not_name_make_room_and_are_touched_for_it(self, files: ShopFiles):
        for name in "abc":
            CategoryFactory(name=name)
        ProductCategory.objects.update(updated_at=LONG_AGO)
        assert self.load(files, {"name": "new", "rank": 1}) == "1 created, 0 updated, 0 unchanged"
        assert outline() == ["a", "new", "b", "c"]
        assert {row.name for row in ProductCategory.objects.filter(updated_at=LONG_AGO)} == {"a"}

    def test_an_object_without_a_rank_keeps_its_place_among_its_like(self, files: ShopFiles):
        for name in "abcd":
            CategoryFactory(name=name)
        objects = {"name": "d"}, {"name": "a"}, {"name": "c", "rank": 0}
        assert self.load(files, *objects) == "0 created, 2 updated, 1 unchanged"
        assert outline() == ["c", "a", "b", "d"]

    def test_a_moved_row_takes_its_branch_along_and_its_old_siblings_close_ranks(self, files: ShopFiles):
        a, b = CategoryFactory(name="a"), CategoryFactory(name="b")
        child = CategoryFactory(name="child", parent=a)
        CategoryFactory(name="leaf", parent=child)
        ProductCategory.objects.update(updated_at=LONG_AGO)
        assert self.load(files, {"handle": "a", "parent": "b"}) == "0 created, 1 updated, 0 unchanged"
        assert (outline(), outline(b)) == (["b"], ["a"])
        assert by_handle("leaf").path.startswith(f"{b.pk}.{a.pk}.{child.pk}.")
        assert {row.name for row in ProductCategory.objects.exclude(updated_at=LONG_AGO)} == {"a", "b"}

    def test_a_parent_of_null_makes_a_root_and_one_left_out_is_kept(self, files: ShopFiles):
        top = CategoryFactory(name="top")
        for name in ("stays", "leaves"):
            CategoryFactory(name=name, parent=top)
        self.load(files, {"handle": "stays", "description": "!"}, {"handle": "leaves", "parent": None})
        assert (outline(), outline(top)) == (["top", "leaves"], ["stays"])

    def test_hiding_hides_the_branch_and_touches_the_category_alone(self, files: ShopFiles):
        top = CategoryFactory(name="top")
        CategoryFactory(name="child", parent=top)
        ProductCategory.objects.update(updated_at=LONG_AGO)
        self.load(files, {"handle": "top", "is_internal": True})
        assert not by_handle("child").is_visible
        assert by_handle("child").updated_at == LONG_AGO
        self.load(files, {"handle": "top", "is_internal": False}, {"handle": "child", "is_active": False})
        assert (by_handle("top").is_visible, by_handle("child").is_visible) == (True, False)

    def test_the_living_below_a_deleted_category_are_in_a_deleted_branch(self, files: ShopFiles):
        gone = {"name": "gone", "deleted_at": "2026-01-01T00:00:00Z"}
        self.load(files, gone, {"name": "child", "parent": "gone"}, {"name": "other"})
        assert by_handle("child").in_deleted_branch
        assert (by_handle("gone").rank, by_handle("other").rank) == (0, 0)
        self.load(files, {"id": by_handle("gone").pk, "deleted_at": None})
        assert not by_handle("child").in_deleted_branch

    def test_one_with_children_is_deleted_and_restored_as_on_the_admin_site(self, files: ShopFiles):
        self.load(files, {"name": "Tea"}, {"name": "Green", "parent": "tea"})
        gone = {"handle": "tea", "deleted_at": "2026-01-01T00:00:00Z"}
        tea, green = by_handle("tea").pk, by_handle("green").pk
        assert files.refused({"product_categories": [gone]}) == [
            "product_categories[0].deleted_at: has children: delete or move them, too"
        ]
        self.load(files, gone, {"handle": "green", "parent": None})
        self.load(files, {"id": tea, "deleted_at": None}, {"handle": "green", "parent": "tea"})
        self.load(files, gone, {"handle": "green", "deleted_at": "2026-01-01T00:00:00Z"})
        assert files.refused({"product_categories": [{"id": green, "deleted_at": None}]}) == [
            "product_categories[0].deleted_at: is below 'tea', which is deleted"
        ]
        self.load(files, {"id": tea, "deleted_at": None}, {"id": green, "deleted_at": None})
        assert not by_handle("green").in_deleted_branch

    def test_an_object_with_a_date_of_deletion_deletes_the_living_category(self, files: ShopFiles):
        for name in "abc":
            CategoryFactory(name=name)
        self.load(files, {"handle": "b", "deleted_at": "2026-01-01T00:00:00Z"})
        assert outline() == ["a", "c"]

    def test_one_with_an_id_of_its_own_is_another_than_the_living(self, files: ShopFiles):
        CategoryFactory(name="tea")
        self.load(files, {"id": "pcat_G", "name": "tea", "deleted_at": "2026-01-01T00:00:00Z"})
        assert outline() == ["tea"]
        assert ProductCategory.objects.get(deleted_at=None).pk != "pcat_G"

    def test_of_deleted_namesakes_the_one_deleted_then_is_meant_else_the_last(self, files: ShopFiles):
        moments = [f"2026-0{month}-01T00:00:00Z" for month in (3, 1, 2)]
        for number, moment in enumerate(moments):
            self.load(files, {"id": f"pcat_{number}", "name": "tea", "deleted_at": moment})
        self.load(files, {"handle": "tea", "description": "second", "deleted_at": moments[2]})
        self.load(files, {"handle": "tea", "description": "last", "deleted_at": "2026-09-01T00:00:00Z"})
        self.load(files, {"name": "child", "parent": "tea"})
        rows = ProductCategory.objects.filter(handle="tea").order_by("pk").values_list("pk", "description")
        assert list(rows) == [("pcat_0", "last"), ("pcat_1", ""), ("pcat_2", "second")]
        assert by_handle("child").parent_category_id == "pcat_0"

    def test_an_object_without_one_makes_a_new_category_beside_a_deleted_one(self, files: ShopFiles):
        category_tree.delete(actor=SYSTEM, category_id=CategoryFactory(name="tea").pk)
        assert self.load(files, {"name": "tea"}) == "1 created, 0 updated, 0 unchanged"
        assert ProductCategory.objects.filter(handle="tea").count() == 2

    def test_two_rows_may_pass_a_handle_on(self, files: ShopFiles):
        self.load(files, {"id": "pcat_1", "name": "one"}, {"id": "pcat_2", "name": "two"})
        self.load(files, {"id": "pcat_1", "handle": "old"}, {"id": "pcat_2", "handle": "one"})
        assert by_handle("one").pk == "pcat_2"

    def test_the_handle_is_that_of_the_name_and_a_later_name_keeps_it(self, files: ShopFiles):
        self.load(files, {"name": "Čaj & káva"})
        category = by_handle("čaj-káva")
        self.load(files, {"id": category.pk, "name": "Tea"})
        assert by_handle("čaj-káva").name == "Tea"

    @pytest.mark.parametrize("is_shuffled", [False, True])
    def test_a_forest_of_thousands(self, files: ShopFiles, is_shuffled):
        chance = random.Random(7)  # noqa: S311 - the same shape each time
        objects = [
            {"name": f"n{number}", "parent": f"n{chance.randrange(number // 2, number)}" if number > 5 else None}
            for number in range(2500)
        ]
        if is_shuffled:
            chance.shuffle(objects)
        self.load(files, *objects)


@pytest.mark.django_db
class TestRefusals:
    def test_a_ring_is_reported_at_each_of_its_members_and_nowhere_else(self, files: ShopFiles):
        objects = [
            {"name": "below", "parent": "a"},
            {"name": "a", "parent": "c"},
            {"name": "b", "parent": "a"},
            {"name": "c", "parent": "b"},
        ]
        assert sorted(files.refused({"product_categories": objects})) == [
            f"product_categories[{index}]: is below itself" for index in (1, 2, 3)
        ]

    def test_a_ring_through_a_row_that_the_file_does_not_name(self, files: ShopFiles):
        top = CategoryFactory(name="top")
        CategoryFactory(name="leaf", parent=CategoryFactory(name="middle", parent=top))
        problems = files.refused({"product_categories": [{"handle": "top", "parent": "leaf"}]})
        assert "product_categories[0]: is below itself" in problems

    def test_a_branch_too_deep_is_reported_where_it_begins_to_be(self, files: ShopFiles):
        objects = [
            {"name": f"n{depth}", "parent": f"n{depth - 1}" if depth else None} for depth in range(MAX_DEPTH + 3)
        ]
        assert files.refused({"product_categories": objects}) == [
            f"product_categories[{MAX_DEPTH + 1}]: is more than {MAX_DEPTH} levels below a root category"
        ]

    def test_a_row_that_the_file_moves_too_deep_is_reported_by_its_handle(self, files: ShopFiles):
        branch = CategoryFactory(name="branch")
        CategoryFactory(name="leaf", parent=branch)
        objects = [{"name": f"n{depth}", "parent": f"n{depth - 1}" if depth else None} for depth in range(MAX_DEPTH)]
        problems = files.refused(
            {"product_categories": [*objects, {"handle": "branch", "parent": f"n{MAX_DEPTH - 1}"}]}
        )
        assert problems == [f"product_categories 'leaf': is more than {MAX_DEPTH} levels below a root category"]


@pytest.mark.django_db
@pytest.mark.parametrize("ranks", [(0, 1, 2), (None, None, None)])
def test_a_file_that_names_parents_first_is_written_once(files: ShopFiles, ranks):
    objects = [{"name": f"n{number}"} for number in range(3)]
    objects += [{"name": f"child{number}", "parent": "n1"} for number in range(3)]
    for one, rank in zip(objects, ranks * 2, strict=True):
        one.update({} if rank is None else {"rank": rank})
    with CaptureQueriesContext(connection) as captured:
        files.load({"product_categories": objects})
    writes = [query["sql"] for query in captured if query["sql"].startswith(("INSERT", "UPDATE"))]
    assert len(writes) == 1
    assert "ON CONFLICT" not in writes[0]
    assert faults() == []


@pytest.mark.django_db
def test_statements_follow_batches_and_not_objects(files: ShopFiles):
    def statements(count: int) -> int:
        objects = [{"name": f"n{number}", "parent": f"n{number // 3}" if number else None} for number in range(count)]
        files.load({"product_categories": objects})
        with CaptureQueriesContext(connection) as captured:
            files.load({"product_categories": objects})
        return len(captured)

    assert statements(10) == statements(900)


@needs(TAXONOMY)
@pytest.mark.django_db
def test_a_real_taxonomy_loads_and_loads_again(files: ShopFiles):
    assert files.run("load_shop", str(TAXONOMY)) == ["product_categories: 5595 created, 0 updated, 0 unchanged"]
    assert faults() == []
    assert ProductCategory.objects.filter(parent_category=None).count() == 21
    before = everything()
    assert files.run("load_shop", str(TAXONOMY)) == ["product_categories: 0 created, 0 updated, 5595 unchanged"]
    assert everything() == before
