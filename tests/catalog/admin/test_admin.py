"""The screens of the category tree."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from catalog.categories import category_tree
from catalog.models import ProductCategory
from kit.admin.history.conflicts import BUSY
from kit.domain.actor import SYSTEM
from kit.errors import Conflict
from tests.catalog.trees import faults, outline
from tests.factories.catalog import CategoryFactory
from tests.kit.admin.forms import save
from tests.kit.admin.visits import history, refusals, reported, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

LIST = "/admin/catalog/productcategory/"
ADD = f"{LIST}add/"
NEW = {"name": "Tea", "handle": "", "description": "", "parent_category": "", "rank": "", "metadata": ""}


@pytest.fixture(autouse=True)
def whole_tree():
    """Whatever a test does, the tree is whole after it."""
    yield
    assert faults() == []


def form_of(category: ProductCategory) -> str:
    return f"{LIST}{category.pk}/change/"


def filled(category: ProductCategory, **changes: Any) -> dict[str, Any]:
    """The category's form as a browser sends it, with the changes; None is a box that is not ticked."""
    values = {
        "name": category.name,
        "handle": category.handle,
        "description": category.description,
        "parent_category": category.parent_category_id or "",
        "rank": category.rank,
        "is_active": "on" if category.is_active else None,
        "is_internal": "on" if category.is_internal else None,
        "metadata": json.dumps(category.metadata),
        **changes,
    }
    return {name: value for name, value in values.items() if value is not None}


def listed(client: Client, query: str = "") -> list[str]:
    """The names on the page, as they stand there."""
    page = client.get(f"{LIST}{query}").content.decode()
    cells = re.findall(r'<th class="field-name_in_tree.*?</th>', page, re.DOTALL)
    return [re.sub(r"<.*?>", "", cell).strip() for cell in cells]


def fresh(category: ProductCategory) -> ProductCategory:
    return ProductCategory.objects.get(pk=category.pk)


def a_tree() -> dict[str, ProductCategory]:
    tea = CategoryFactory(name="Tea")
    coffee = CategoryFactory(name="Coffee")
    green = CategoryFactory(name="Green", parent=tea)
    black = CategoryFactory(name="Black", parent=tea)
    loose = CategoryFactory(name="Loose", parent=green)
    return {"tea": tea, "coffee": coffee, "green": green, "black": black, "loose": loose}


class TestList:
    def test_it_is_in_the_order_of_the_tree_and_indented(self):
        a_tree()
        page = superuser().get(LIST).content.decode()
        assert listed(superuser()) == ["Tea", "Green", "Loose", "Black", "Coffee"]
        assert re.findall(r"padding-left: ([\d.]+)rem", page) == ["0.0", "1.25", "2.5", "1.25", "0.0"]

    def test_siblings_stand_by_rank_and_not_by_age(self):
        tree = a_tree()
        category_tree.move(actor=SYSTEM, category_id=tree["coffee"].pk, rank=0)
        category_tree.move(actor=SYSTEM, category_id=tree["black"].pk, rank=0)
        assert listed(superuser()) == ["Coffee", "Tea", "Black", "Green", "Loose"]

    def test_pages_follow_each_other_in_that_order(self):
        last, first = CategoryFactory(name="Last"), CategoryFactory(name="First")
        for number in range(60):
            CategoryFactory(name=f"Shelf {number:02}", parent=first)
        category_tree.move(actor=SYSTEM, category_id=last.pk, rank=1)
        client = superuser()
        assert listed(client) == ["First", "Last"]  # too many to unfold unasked
        assert listed(client, "?closed=") == ["First", *(f"Shelf {number:02}" for number in range(49))]
        assert listed(client, "?closed=&p=2") == [*(f"Shelf {number:02}" for number in range(49, 60)), "Last"]

    def test_what_is_searched_for_is_reported_with_what_is_above_it(self):
        a_tree()
        assert listed(superuser(), "?q=oo") == ["Tea / Green / Loose"]

    def test_a_column_sorts(self):
        a_tree()
        assert listed(superuser(), "?o=2") == ["Tea / Black", "Coffee", "Tea / Green", "Tea / Green / Loose", "Tea"]

    @pytest.mark.parametrize(
        ("query", "names"),
        [
            ("?is_active__exact=0", ["Resting"]),
            ("?is_internal__exact=1", ["Staff only"]),
            ("?is_visible__exact=1", ["Open"]),
            ("?is_visible__exact=0", ["Resting", "Resting / Below", "Staff only"]),
            ("?deleted=yes", ["Gone"]),
            ("", ["Open", "Resting", "Below", "Staff only"]),
        ],
    )
    def test_filters(self, query, names):
        CategoryFactory(name="Open")
        CategoryFactory(name="Below", parent=CategoryFactory(name="Resting", is_active=False))
        CategoryFactory(name="Staff only", is_internal=True)
        category_tree.delete(actor=SYSTEM, category_id=CategoryFactory(name="Gone").pk)
        assert listed(superuser(), query) == names

    def test_it_says_why_the_store_does_not_show_a_category(self):
        CategoryFactory(name="Below", parent=CategoryFactory(is_active=False))
        CategoryFactory(is_internal=True)
        CategoryFactory()
        page = superuser().get(LIST).content.decode()
        states = re.findall(r"\b(visible|inactive|internal|hidden by its parent)\n\s*</span>", page)
        assert states == ["inactive", "hidden by its parent", "internal", "visible"]


class TestCreation:
    def test_handle_and_rank_may_be_left_to_the_verb(self):
        CategoryFactory(name="Coffee")
        answer = superuser().post(ADD, {**NEW, "is_active": "on"})
        assert (answer.status_code, answer["Location"]) == (302, LIST)
        tea = ProductCategory.objects.get(name="Tea")
        assert (tea.handle, tea.rank, tea.is_active, tea.is_internal, tea.metadata) == ("tea", 1, True, False, None)
        assert history() == [("Tea", 1)]

    def test_a_handle_is_made_fit_for_urls(self):
        superuser().post(ADD, {**NEW, "handle": "Hot Drinks/1"})
        assert ProductCategory.objects.get().handle == "hot-drinks-1"
        answer = superuser().post(ADD, {**NEW, "handle": "/"})
        assert list(answer.context["adminform"].form.errors) == ["handle"]

    def test_every_field_arrives(self):
        parent = CategoryFactory()
        CategoryFactory(parent=parent)
        given = {
            **NEW,
            "handle": "fine-tea",
            "description": "Leaves.",
            "parent_category": parent.pk,
            "rank": "0",
            "is_internal": "on",
            "metadata": '{"colour": "green"}',
        }
        superuser().post(ADD, given)
        tea = ProductCategory.objects.get(name="Tea")
        assert (tea.handle, tea.description, tea.parent_category, tea.rank) == ("fine-tea", "Leaves.", parent, 0)
        assert (tea.is_active, tea.is_internal, tea.metadata) == (False, True, {"colour": "green"})

    def test_a_refusal_stands_above_the_form_and_nothing_is_made(self):
        CategoryFactory(name="Tea", handle="tea")
        answer = superuser().post(ADD, {**NEW, "description": "kept"})
        assert refusals(answer) == ["Product category with handle: tea already exists"]
        assert b"kept" in answer.content
        assert (ProductCategory.objects.count(), history()) == (1, [])

    @pytest.mark.parametrize("metadata", ["[1]", '"text"', "7", "{", "[" * 100_000, '{"a":' * 50_000])
    def test_metadata_is_an_object_or_nothing(self, metadata):
        answer = superuser().post(ADD, {**NEW, "metadata": metadata})
        assert answer.status_code == 200
        assert list(answer.context["adminform"].form.errors) == ["metadata"]
        assert not ProductCategory.objects.exists()


class TestChange:
    def test_only_what_was_changed_changes(self):
        tree = a_tree()
        before = fresh(tree["tea"])
        answer = save(superuser(), form_of(before), filled(before, name="Teas", is_active=None))
        assert answer.status_code == 302
        after = fresh(before)
        assert (after.name, after.is_active, after.is_visible) == ("Teas", False, False)
        assert (after.handle, after.rank, after.parent_category) == ("tea", 0, None)
        assert not fresh(tree["loose"]).is_visible
        assert history() == [("Teas", 2)]

    def test_an_unchanged_form_leaves_the_category_alone(self):
        tea = CategoryFactory(metadata={"colour": "green"})
        superuser().post(form_of(tea), filled(tea))
        assert fresh(tea).updated_at == tea.updated_at

    def test_another_parent_moves_the_branch_to_its_end(self):
        tree = a_tree()
        CategoryFactory(name="Arabica", parent=tree["coffee"])
        save(superuser(), form_of(tree["green"]), filled(tree["green"], parent_category=tree["coffee"].pk))
        assert outline(tree["coffee"]) == ["Arabica", "Green"]
        assert outline(tree["green"]) == ["Loose"]

    def test_another_parent_and_rank_together(self):
        tree = a_tree()
        CategoryFactory(name="Arabica", parent=tree["coffee"])
        changes = {"parent_category": tree["coffee"].pk, "rank": 0}
        save(superuser(), form_of(tree["black"]), filled(tree["black"], **changes))
        assert outline(tree["coffee"]) == ["Black", "Arabica"]

    def test_another_rank_moves_among_siblings(self):
        tree = a_tree()
        save(superuser(), form_of(tree["black"]), filled(tree["black"], rank=0))
        assert outline(tree["tea"]) == ["Black", "Green"]

    def test_no_parent_makes_a_root(self):
        tree = a_tree()
        save(superuser(), form_of(tree["green"]), filled(tree["green"], parent_category=""))
        assert outline() == ["Tea", "Coffee", "Green"]

    def test_a_refused_move_takes_the_rest_of_the_form_back(self):
        tree = a_tree()
        changes = {"name": "Teas", "parent_category": tree["loose"].pk}
        answer = save(superuser(), form_of(tree["tea"]), filled(tree["tea"], **changes))
        assert "cannot be moved below itself" in refusals(answer)[0]
        assert b'value="Teas"' in answer.content
        assert (fresh(tree["tea"]).name, history()) == ("Tea", [])

    def test_the_metadata_becomes_what_the_form_says(self):
        tea = CategoryFactory(metadata={"colour": "green", "grade": 2})
        save(superuser(), form_of(tea), filled(tea, metadata='{"grade": 3}'))
        assert fresh(tea).metadata == {"grade": 3}
        save(superuser(), form_of(tea), filled(fresh(tea), metadata=""))
        assert fresh(tea).metadata is None

    def test_the_present_parent_is_reported_with_what_is_above_it(self):
        tree = a_tree()
        assert b"Tea / Green" in superuser().get(form_of(tree["loose"])).content

    def test_a_lost_race_is_reported_and_changes_nothing(self, monkeypatch):
        def loses(**_: Any) -> None:
            raise Conflict

        tea = CategoryFactory(name="Tea")
        monkeypatch.setattr(category_tree, "move", loses)
        answer = save(superuser(), form_of(tea), filled(tea, name="Teas"))
        assert refusals(answer) == [BUSY]
        assert fresh(tea).name == "Tea"


class TestDeletion:
    def test_children_forbid_it_and_the_page_says_so(self):
        tree = a_tree()
        answer = superuser().post(f"{LIST}{tree['tea'].pk}/delete/", {"post": "yes"})
        assert answer["Location"].startswith(LIST)
        assert reported(answer) == [
            f"Deleting ProductCategory ({tree['tea'].pk}) with category children is not allowed"
        ]
        assert fresh(tree["tea"]).deleted_at is None
        assert history() == []

    def test_a_leaf_is_asked_about_and_then_deleted(self):
        tree, client = a_tree(), superuser()
        address = f"{LIST}{tree['loose'].pk}/delete/"
        assert b"Delete this product category?" in client.get(address).content
        assert fresh(tree["loose"]).deleted_at is None
        client.post(address, {"post": "yes"})
        assert fresh(tree["loose"]).deleted_at is not None
        assert history() == [("Loose", 3)]

    def test_of_many_each_is_deleted_or_refused_by_itself(self):
        tree, client = a_tree(), superuser()
        chosen = {
            "action": "delete_selected",
            "_selected_action": [tree["tea"].pk, tree["black"].pk, tree["coffee"].pk],
        }
        asked = client.post(LIST, chosen)
        assert b"Delete the selected product categories?" in asked.content
        assert history() == []
        done = client.post(LIST, {**chosen, "post": "yes"})
        assert reported(done) == [
            "2 product categories deleted.",
            f"Tea: Deleting ProductCategory ({tree['tea'].pk}) with category children is not allowed",
        ]
        assert history() == [("Coffee", 3), ("Black", 3)]
        assert ProductCategory.objects.not_deleted().count() == 3

    def test_children_are_deleted_before_their_parents(self):
        tree, client = a_tree(), superuser()
        chosen = {"action": "delete_selected", "_selected_action": [row.pk for row in tree.values()], "post": "yes"}
        assert reported(client.post(LIST, chosen)) == [f"{len(tree)} product categories deleted."]
        assert not ProductCategory.objects.not_deleted().exists()

    def test_parents_are_restored_before_their_children(self):
        tree, client = a_tree(), superuser()
        chosen = {"_selected_action": [row.pk for row in tree.values()], "post": "yes"}
        client.post(LIST, {"action": "delete_selected", **chosen})
        client.post(f"{LIST}?deleted=yes", {"action": "restore_selected", **chosen})
        assert ProductCategory.objects.not_deleted().count() == len(tree)

    def test_the_question_before_it_repeats_the_choice(self):
        tree = a_tree()
        chosen = {"action": "delete_selected", "_selected_action": [tree["black"].pk], "select_across": "0"}
        page = superuser().post(LIST, chosen).content.decode()
        repeated = re.findall(r'<input type="hidden" name="(\w+)" value="(.*?)"', page)
        assert ("action", "delete_selected") in repeated
        assert ("_selected_action", tree["black"].pk) in repeated
        assert ("select_across", "0") in repeated
        assert ("post", "yes") in repeated

    def test_a_deleted_category_is_read_only(self):
        tea = CategoryFactory(name="Tea")
        category_tree.delete(actor=SYSTEM, category_id=tea.pk)
        client = superuser()
        page = client.get(form_of(tea)).content
        assert b'name="_save"' not in page
        assert b"/restore/" in page
        assert client.post(form_of(tea), filled(tea, name="Teas")).status_code == 403
        assert client.post(f"{LIST}{tea.pk}/delete/", {"post": "yes"}).status_code == 403


class TestRestoring:
    def test_the_button_asks_and_then_restores(self):
        tea, client = CategoryFactory(name="Tea"), superuser()
        category_tree.delete(actor=SYSTEM, category_id=tea.pk)
        address = f"{LIST}{tea.pk}/restore/"
        assert b"Restore the selected product categories?" in client.get(address).content
        assert fresh(tea).deleted_at is not None
        answer = client.post(address, {"post": "yes"})
        assert answer["Location"].endswith("/change/")
        assert reported(answer) == ["1 product category restored."]
        assert fresh(tea).deleted_at is None
        assert history() == [("Tea", 2)]

    def test_a_living_category_has_no_such_button_and_refuses(self):
        tea, client = CategoryFactory(name="Tea"), superuser()
        assert b"/restore/" not in client.get(form_of(tea)).content
        answer = client.post(f"{LIST}{tea.pk}/restore/", {"post": "yes"})
        assert reported(answer) == [f"Tea: ProductCategory ({tea.pk}) is not deleted"]
        assert history() == []

    def test_many_from_the_list_of_deleted_ones(self):
        tea = CategoryFactory(name="Tea", handle="tea")
        category_tree.delete(actor=SYSTEM, category_id=tea.pk)
        chosen = {"action": "restore_selected", "_selected_action": [tea.pk], "post": "yes"}
        superuser().post(f"{LIST}?deleted=yes", chosen)
        assert fresh(tea).deleted_at is None

    def test_no_such_category_is_not_found(self):
        assert superuser().get(f"{LIST}pcat_none/restore/").status_code == 404


class TestPermissions:
    VIEW, ADD, CHANGE, DELETE = (f"catalog.{verb}_productcategory" for verb in ("view", "add", "change", "delete"))

    def test_without_any_there_is_no_screen(self):
        tea, client = CategoryFactory(), visitor()
        addresses = [LIST, ADD, form_of(tea), f"{LIST}{tea.pk}/delete/", f"{LIST}{tea.pk}/restore/"]
        assert [client.get(address).status_code for address in addresses] == [403] * 5

    def test_to_view_is_only_to_view(self):
        tea, client = CategoryFactory(name="Tea"), visitor(self.VIEW)
        assert listed(client) == ["Tea"]
        assert b'name="_save"' not in client.get(form_of(tea)).content
        assert client.post(ADD, NEW).status_code == 403
        assert client.post(form_of(tea), filled(tea, name="Teas")).status_code == 403
        assert client.post(f"{LIST}{tea.pk}/delete/", {"post": "yes"}).status_code == 403
        chosen = {"action": "delete_selected", "_selected_action": [tea.pk], "post": "yes"}
        client.post(LIST, chosen)
        assert (fresh(tea).name, fresh(tea).deleted_at, history()) == ("Tea", None, [])

    @pytest.mark.parametrize(("permission", "allowed"), [(ADD, 302), (CHANGE, 403), (DELETE, 403)])
    def test_to_add(self, permission, allowed):
        assert visitor(self.VIEW, permission).post(ADD, NEW).status_code == allowed

    @pytest.mark.parametrize(("permission", "allowed"), [(ADD, 403), (CHANGE, 302), (DELETE, 403)])
    def test_to_change(self, permission, allowed):
        tea = CategoryFactory()
        assert save(visitor(self.VIEW, permission), form_of(tea), filled(tea)).status_code == allowed

    @pytest.mark.parametrize(("permission", "allowed"), [(ADD, 403), (CHANGE, 403), (DELETE, 302)])
    def test_to_delete_and_to_restore(self, permission, allowed):
        tea, client = CategoryFactory(), visitor(self.VIEW, permission)
        assert client.post(f"{LIST}{tea.pk}/delete/", {"post": "yes"}).status_code == allowed
        assert client.post(f"{LIST}{tea.pk}/restore/", {"post": "yes"}).status_code == allowed


class TestPicker:
    ADDRESS = "/admin/autocomplete/?app_label=catalog&model_name=productcategory&field_name=parent_category&term="

    def offered(self, term: str) -> list[str]:
        return [result["text"] for result in superuser().get(self.ADDRESS + term).json()["results"]]

    def test_rows_of_one_name_are_distinguished(self):
        tree = a_tree()
        CategoryFactory(name="Loose", handle="loose-black", parent=tree["black"])
        assert self.offered("loose") == ["Tea / Green / Loose", "Tea / Black / Loose"]

    def test_deleted_ones_are_not_offered(self):
        category_tree.delete(actor=SYSTEM, category_id=CategoryFactory(name="Gone").pk)
        assert self.offered("gone") == []

    def test_it_costs_the_same_for_few_and_for_many(self, django_assert_num_queries):
        client = superuser()
        for number in range(3):
            CategoryFactory(name=f"Tea {number}")
        client.get(self.ADDRESS + "tea")
        with django_assert_num_queries(5):
            client.get(self.ADDRESS + "tea")
        for number in range(3, 20):
            CategoryFactory(name=f"Tea {number}")
        with django_assert_num_queries(5):
            client.get(self.ADDRESS + "tea")

    def test_text_that_no_database_holds_finds_nothing(self):
        assert self.offered("%00") == []

    def test_it_demands_the_permission_to_view(self):
        assert visitor().get(self.ADDRESS).status_code == 403
