import pytest

from catalog.categories import category_tree
from catalog.errors import CategoryNotFound, HandleTaken, MoveIntoOwnBranch, TreeTooDeep
from catalog.models import MAX_DEPTH, ProductCategory
from kit.domain.actor import SYSTEM
from tests.catalog.trees import LONG_AGO, age, chain_of, fresh, outline, touched
from tests.factories.catalog import CategoryFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("whole_tree")]


class TestUpdate:
    def test_only_what_is_given_changes(self):
        category = CategoryFactory(name="Tea", description="Leaves", metadata={"a": 1})
        age()
        category_tree.update(actor=SYSTEM, category_id=category.pk, name="Teas")
        after = fresh(category)
        assert (after.name, after.handle, after.description, after.metadata) == ("Teas", "tea", "Leaves", {"a": 1})
        assert after.updated_at > LONG_AGO

    def test_values_that_are_there_already_leave_updated_at_alone(self):
        category = CategoryFactory(name="Tea", metadata={"a": 1})
        age()
        category_tree.update(
            actor=SYSTEM, category_id=category.pk, name="Tea", handle="tea", is_active=True, metadata={"a": 1}
        )
        assert touched() == set()

    def test_true_is_not_one(self):
        category = CategoryFactory(metadata={"a": 1})
        category_tree.update(actor=SYSTEM, category_id=category.pk, metadata={"a": True})
        assert fresh(category).metadata["a"] is True

    @pytest.mark.parametrize(
        ("given", "kept"),
        [
            ({"b": 2}, {"a": {"x": 1}, "b": 2}),
            ({"a": ""}, {}),
            ({"a": None}, {"a": None}),
            ({"a": {"y": 2}}, {"a": {"y": 2}}),
            ({}, {}),
            (None, None),
        ],
    )
    def test_metadata_is_merged(self, given, kept):
        category = CategoryFactory(metadata={"a": {"x": 1}})
        category_tree.update(actor=SYSTEM, category_id=category.pk, metadata=given)
        assert fresh(category).metadata == kept

    def test_a_handle_that_another_has_is_refused(self):
        CategoryFactory(name="Tea")
        coffee = CategoryFactory(name="Coffee")
        with pytest.raises(HandleTaken):
            category_tree.update(actor=SYSTEM, category_id=coffee.pk, handle="tea")
        assert fresh(coffee).handle == "coffee"

    @pytest.mark.parametrize("flag", [{"is_active": False}, {"is_internal": True}])
    def test_hiding_hides_the_branch_and_touches_the_category_alone(self, flag):
        top, middle, leaf = chain_of(3)
        beside = CategoryFactory()
        age()
        category_tree.update(actor=SYSTEM, category_id=middle.pk, **flag)
        assert [fresh(row).is_visible for row in (top, middle, leaf, beside)] == [True, False, False, True]
        assert touched() == {middle.name}

    def test_showing_shows_the_branch_down_to_those_hidden_by_themselves(self):
        top, middle, leaf = chain_of(3)
        twig = CategoryFactory(parent=top)
        category_tree.update(actor=SYSTEM, category_id=middle.pk, is_internal=True)
        category_tree.update(actor=SYSTEM, category_id=top.pk, is_active=False)
        category_tree.update(actor=SYSTEM, category_id=top.pk, is_active=True)
        assert [fresh(row).is_visible for row in (top, middle, leaf, twig)] == [True, False, False, True]
        category_tree.update(actor=SYSTEM, category_id=middle.pk, is_internal=False)
        assert [fresh(row).is_visible for row in (top, middle, leaf, twig)] == [True, True, True, True]

    @pytest.mark.parametrize("category_id", ["pcat_unknown", "pcat_\0"])
    def test_an_unknown_category_is_not_found(self, category_id):
        with pytest.raises(CategoryNotFound):
            category_tree.update(actor=SYSTEM, category_id=category_id, name="Tea")


class TestMove:
    @pytest.fixture
    def letters(self) -> dict[str, ProductCategory]:
        return {name: CategoryFactory(name=name) for name in "ABCDE"}

    @pytest.mark.parametrize(
        ("name", "rank", "order", "moved"),
        [
            ("A", 3, "BCDAE", "ABCD"),
            ("D", 0, "DABCE", "ABCD"),
            ("C", 2, "ABCDE", ""),
            ("C", None, "ABCDE", ""),
            ("B", 400, "ACDEB", "BCDE"),
            ("E", 3, "ABCED", "DE"),
        ],
    )
    def test_a_new_rank_moves_those_between_and_touches_no_other(self, letters, name, rank, order, moved):
        age()
        category_tree.move(actor=SYSTEM, category_id=letters[name].pk, rank=rank)
        assert outline() == list(order)
        assert touched() == set(moved)

    def test_a_new_parent_takes_the_branch_along(self, letters):
        child = CategoryFactory(name="child", parent=letters["B"])
        grandchild = CategoryFactory(name="grandchild", parent=child)
        age()
        category_tree.move(actor=SYSTEM, category_id=letters["B"].pk, parent_id=letters["D"].pk)
        assert outline() == ["A", "C", "D", "E"]
        assert outline(letters["D"]) == ["B"]
        assert fresh(grandchild).path == ".".join(row.pk for row in (letters["D"], letters["B"], child, grandchild))
        assert touched() == {"B", "C", "D", "E"}

    def test_parent_and_rank_together(self, letters):
        for name in ("x", "y"):
            CategoryFactory(name=name, parent=letters["A"])
        category_tree.move(actor=SYSTEM, category_id=letters["E"].pk, parent_id=letters["A"].pk, rank=1)
        assert outline(letters["A"]) == ["x", "E", "y"]

    def test_no_parent_makes_a_root(self, letters):
        child = CategoryFactory(name="child", parent=letters["A"])
        category_tree.move(actor=SYSTEM, category_id=child.pk, parent_id=None, rank=1)
        assert outline() == ["A", "child", "B", "C", "D", "E"]

    def test_never_below_itself_or_its_descendants(self):
        top, middle, leaf = chain_of(3)
        for target in (top, middle, leaf):
            with pytest.raises(MoveIntoOwnBranch):
                category_tree.move(actor=SYSTEM, category_id=top.pk, parent_id=target.pk)

    def test_below_a_category_whose_id_begins_alike_is_no_ring(self):
        short = ProductCategory.objects.create(id="pcat_1", name="1", handle="1", path="pcat_1", is_visible=True)
        long = ProductCategory.objects.create(
            id="pcat_12", name="12", handle="12", path="pcat_12", is_visible=True, rank=1
        )
        child = CategoryFactory(parent=long)
        category_tree.move(actor=SYSTEM, category_id=short.pk, parent_id=child.pk)
        assert fresh(short).path == f"pcat_12.{child.pk}.pcat_1"

    def test_visibility_follows_the_new_parent_and_the_old_hides_no_longer(self):
        hidden = CategoryFactory(is_active=False)
        shown, child = chain_of(2)
        category_tree.move(actor=SYSTEM, category_id=shown.pk, parent_id=hidden.pk)
        assert [fresh(row).is_visible for row in (shown, child)] == [False, False]
        category_tree.move(actor=SYSTEM, category_id=shown.pk, parent_id=None)
        assert [fresh(row).is_visible for row in (shown, child)] == [True, True]

    def test_a_branch_may_not_reach_below_the_deepest_level(self):
        branch = chain_of(3)
        deep = chain_of(MAX_DEPTH)
        with pytest.raises(TreeTooDeep):
            category_tree.move(actor=SYSTEM, category_id=branch[0].pk, parent_id=deep[-2].pk)
        category_tree.move(actor=SYSTEM, category_id=branch[0].pk, parent_id=deep[-3].pk)
        assert fresh(branch[-1]).depth == MAX_DEPTH

    def test_a_living_branch_below_a_deleted_category_can_be_saved(self):
        top, child, grandchild = chain_of(3)
        ProductCategory.objects.filter(pk=top.pk).update(deleted_at=LONG_AGO)
        ProductCategory.objects.update(in_deleted_branch=True)
        category_tree.move(actor=SYSTEM, category_id=child.pk, parent_id=None)
        assert [fresh(row).in_deleted_branch for row in (top, child, grandchild)] == [True, False, False]
