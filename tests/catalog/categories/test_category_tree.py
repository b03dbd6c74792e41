from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.categories import category_tree
from catalog.errors import (
    CategoryHasChildren,
    CategoryNotDeleted,
    CategoryNotFound,
    HandleRequired,
    HandleTaken,
    ParentCategoryDeleted,
    ParentCategoryNotFound,
    TreeTooDeep,
)
from catalog.models import MAX_DEPTH, ProductCategory
from kit.domain.actor import ANONYMOUS, SYSTEM, Actor
from kit.errors import Forbidden, InvalidData
from tests.catalog.trees import LONG_AGO, age, chain_of, fresh, outline, touched
from tests.factories.actors import staff_actor
from tests.factories.catalog import CategoryFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("whole_tree")]


class TestCreate:
    def test_a_root_has_its_own_id_as_path_and_shows(self):
        category = category_tree.create(actor=SYSTEM, name="Tea")
        assert (category.path, category.rank, category.is_visible) == (category.pk, 0, True)
        assert category.pk.startswith("pcat_")

    def test_a_child_is_the_last_of_its_parent_unless_a_rank_is_given(self):
        tea = CategoryFactory(name="Tea")
        for name, rank in [("Green", None), ("Black", None), ("White", 0), ("Oolong", 2), ("Herbal", 99)]:
            CategoryFactory(name=name, parent=tea, rank=rank)
        assert outline(tea) == ["White", "Green", "Oolong", "Black", "Herbal"]

    def test_the_handle_is_made_of_the_name_in_any_script(self):
        names = ["Tea & Coffee", "Čaj a káva", "Чай", "お茶 用品"]
        handles = [category_tree.create(actor=SYSTEM, name=name).handle for name in names]
        assert handles == ["tea-coffee", "čaj-a-káva", "чай", "お茶-用品"]

    def test_a_given_handle_is_kept_as_it_is(self):
        assert category_tree.create(actor=SYSTEM, name="★", handle="stars_~1.0").handle == "stars_~1.0"

    def test_a_handle_that_urls_cannot_hold_is_refused(self):
        with pytest.raises(InvalidData, match=r"Value for field 'handle' must consist of .*, got: 'a/b'"):
            category_tree.create(actor=SYSTEM, name="Tea", handle="a/b")
        category = category_tree.create(actor=SYSTEM, name="Tea")
        ProductCategory.objects.filter(pk=category.pk).update(handle="Old Tea")
        category_tree.update(actor=SYSTEM, category_id=category.pk, handle="Old Tea", name="Old tea")
        with pytest.raises(InvalidData, match="field 'handle'"):
            category_tree.update(actor=SYSTEM, category_id=category.pk, handle="Old  Tea")

    def test_a_name_without_letters_needs_a_handle(self):
        with pytest.raises(HandleRequired, match="'handle' is required"):
            category_tree.create(actor=SYSTEM, name="★ ☆")

    def test_a_handle_made_of_a_name_that_unfolds_fits_its_column(self):
        assert len(category_tree.create(actor=SYSTEM, name="ﷺ" * 255).handle) == 255

    def test_a_taken_handle_is_refused_by_name_and_nothing_moves(self):
        CategoryFactory(name="Tea")
        CategoryFactory(name="Coffee")
        with pytest.raises(HandleTaken, match="handle: tea already exists"):
            category_tree.create(actor=SYSTEM, name="TEA", rank=0)
        assert outline() == ["Tea", "Coffee"]

    def test_the_handle_of_a_deleted_category_is_free(self):
        gone = CategoryFactory(name="Tea")
        category_tree.delete(actor=SYSTEM, category_id=gone.pk)
        assert category_tree.create(actor=SYSTEM, name="Tea").handle == "tea"

    def test_a_child_of_a_hidden_category_is_hidden(self):
        hidden = CategoryFactory(is_active=False)
        assert not category_tree.create(actor=SYSTEM, name="Tea", parent_id=hidden.pk).is_visible

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("name", "a\0b"),
            ("name", "x" * 256),
            ("name", "  "),
            ("name", "\ud800"),
            ("handle", "a\0b"),
            ("handle", "x" * 256),
            ("handle", ""),
            ("description", "a\0b"),
            ("metadata", {"a": [{"b": "\0"}]}),
            ("metadata", {"\0": 1}),
            ("metadata", {"a": float("nan")}),
            ("metadata", {"a": 2**63}),
            ("rank", -1),
        ],
    )
    def test_a_bad_value_is_refused_by_the_name_of_its_field(self, field, value):
        with pytest.raises(InvalidData, match=f"field '{field}'"):
            category_tree.create(actor=SYSTEM, **{"name": "Tea", field: value})
        assert not ProductCategory.objects.exists()

    def test_metadata_nested_without_end_is_refused(self):
        endless: dict[str, object] = {}
        for _ in range(100):
            endless = {"a": endless}
        with pytest.raises(InvalidData, match="'metadata' is nested deeper than 32 levels"):
            category_tree.create(actor=SYSTEM, name="Tea", metadata=endless)

    @pytest.mark.parametrize("parent_id", ["pcat_unknown", "pcat_\0", ""])
    def test_an_unknown_parent_is_refused(self, parent_id):
        with pytest.raises(ParentCategoryNotFound):
            category_tree.create(actor=SYSTEM, name="Tea", parent_id=parent_id)

    def test_a_deleted_parent_is_unknown(self):
        gone = CategoryFactory()
        category_tree.delete(actor=SYSTEM, category_id=gone.pk)
        with pytest.raises(ParentCategoryNotFound):
            category_tree.create(actor=SYSTEM, name="Tea", parent_id=gone.pk)

    def test_the_tree_ends_at_its_deepest_level(self):
        deepest = chain_of(MAX_DEPTH + 1)[-1]
        assert deepest.depth == MAX_DEPTH
        with pytest.raises(TreeTooDeep, match="at most 32 levels below a root"):
            category_tree.create(actor=SYSTEM, name="One too many", parent_id=deepest.pk)


class TestDelete:
    def test_siblings_close_ranks_and_the_row_stays(self):
        first, second, third = (CategoryFactory() for _ in range(3))
        age()
        category_tree.delete(actor=SYSTEM, category_id=second.pk)
        assert outline() == [first.name, third.name]
        assert fresh(second).in_deleted_branch
        assert touched() == {second.name, third.name}

    def test_a_category_with_children_is_refused_and_stays(self):
        top, _ = chain_of(2)
        with pytest.raises(CategoryHasChildren) as refusal:
            category_tree.delete(actor=SYSTEM, category_id=top.pk)
        assert refusal.value.message == f"Deleting ProductCategory ({top.pk}) with category children is not allowed"
        assert fresh(top).deleted_at is None

    def test_deleted_children_do_not_hold_it(self):
        top, child = chain_of(2)
        for row in (child, top):
            category_tree.delete(actor=SYSTEM, category_id=row.pk)
        assert outline() == []

    def test_a_deleted_category_is_not_found_again(self):
        category = CategoryFactory()
        category_tree.delete(actor=SYSTEM, category_id=category.pk)
        with pytest.raises(CategoryNotFound):
            category_tree.delete(actor=SYSTEM, category_id=category.pk)


class TestRestore:
    def test_it_stands_where_it_stood(self):
        names = [CategoryFactory().name for _ in range(3)]
        middle = ProductCategory.objects.get(name=names[1])
        category_tree.delete(actor=SYSTEM, category_id=middle.pk)
        category_tree.restore(actor=SYSTEM, category_id=middle.pk)
        assert outline() == names

    def test_or_at_the_end_where_fewer_are_left(self):
        first, second, third = (CategoryFactory() for _ in range(3))
        for row in (third, first):
            category_tree.delete(actor=SYSTEM, category_id=row.pk)
        category_tree.restore(actor=SYSTEM, category_id=third.pk)
        assert outline() == [second.name, third.name]

    def test_living_descendants_come_back_with_it(self):
        top, child, grandchild = chain_of(3)
        ProductCategory.objects.filter(pk=top.pk).update(deleted_at=LONG_AGO)
        ProductCategory.objects.update(in_deleted_branch=True)
        category_tree.restore(actor=SYSTEM, category_id=top.pk)
        assert [fresh(row).in_deleted_branch for row in (top, child, grandchild)] == [False, False, False]

    def test_not_into_a_deleted_branch(self):
        top, child = chain_of(2)
        for row in (child, top):
            category_tree.delete(actor=SYSTEM, category_id=row.pk)
        with pytest.raises(ParentCategoryDeleted):
            category_tree.restore(actor=SYSTEM, category_id=child.pk)

    def test_not_beside_another_with_its_handle(self):
        gone = CategoryFactory(name="Tea")
        category_tree.delete(actor=SYSTEM, category_id=gone.pk)
        CategoryFactory(name="Tea")
        with pytest.raises(HandleTaken):
            category_tree.restore(actor=SYSTEM, category_id=gone.pk)

    def test_a_living_category_is_refused(self):
        with pytest.raises(CategoryNotDeleted):
            category_tree.restore(actor=SYSTEM, category_id=CategoryFactory().pk)


VERBS: dict[str, tuple[str, Callable[[Actor, str], object]]] = {
    "create": ("add", lambda actor, _: category_tree.create(actor=actor, name="Tea")),
    "update": ("change", lambda actor, id: category_tree.update(actor=actor, category_id=id, name="Tea")),
    "move": ("change", lambda actor, id: category_tree.move(actor=actor, category_id=id, rank=0)),
    "delete": ("delete", lambda actor, id: category_tree.delete(actor=actor, category_id=id)),
    "restore": ("delete", lambda actor, id: category_tree.restore(actor=actor, category_id=id)),
}


@pytest.mark.parametrize("verb", VERBS)
class TestPermissions:
    def test_the_permission_of_the_verb_is_demanded(self, verb):
        needed, call = VERBS[verb]
        others = {"add", "change", "delete", "view"} - {needed}
        category = CategoryFactory(name="Coffee")
        for actor in (ANONYMOUS, staff_actor(*(f"catalog.{other}_productcategory" for other in others))):
            with pytest.raises(Forbidden, match=f"'catalog.{needed}_productcategory' is required"):
                call(actor, category.pk)
        assert outline() == ["Coffee"]

    def test_the_permission_suffices(self, verb):
        needed, call = VERBS[verb]
        category = CategoryFactory(is_internal=True)
        if verb == "restore":
            category_tree.delete(actor=SYSTEM, category_id=category.pk)
        call(staff_actor(f"catalog.{needed}_productcategory"), category.pk)


class TestStatements:
    """However many siblings and descendants, a verb takes the same number of statements."""

    def statements(self, width: int) -> dict[str, int]:
        home, target = CategoryFactory(), CategoryFactory()
        for parent in (home, target):
            for _ in range(width):
                CategoryFactory(parent=parent)
        branch = CategoryFactory(parent=home, rank=0)
        for _ in range(width):
            CategoryFactory(parent=CategoryFactory(parent=branch))
        counts = {}
        for name, work in {
            "create": lambda: CategoryFactory(parent=home, rank=0),
            "hide": lambda: category_tree.update(actor=SYSTEM, category_id=branch.pk, is_active=False),
            "show": lambda: category_tree.update(actor=SYSTEM, category_id=branch.pk, is_active=True),
            "rank": lambda: category_tree.move(actor=SYSTEM, category_id=branch.pk, rank=width),
            "move": lambda: category_tree.move(actor=SYSTEM, category_id=branch.pk, parent_id=target.pk, rank=0),
        }.items():
            with CaptureQueriesContext(connection) as captured:
                work()
            counts[name] = len(captured)
        return counts

    def test_few_or_many(self):
        assert self.statements(2) == self.statements(12)
