"""GET /store/product-categories: ancestors, descendants, deleted rows; and one category by its id."""

import pytest

from catalog.categories import category_tree
from catalog.models import ProductCategory
from kit.domain.actor import SYSTEM
from kit.values.timestamps import isoformat
from tests.conftest import MakeOnce
from tests.contract.callers import Caller, invalid, refusal
from tests.contract.shelves import NAMES, PATH, names, outline, stock, tree

pytestmark = pytest.mark.django_db

OWN = "id name description handle rank parent_category_id metadata created_at updated_at deleted_at"
UP, DOWN = "include_ancestors_tree=true", "include_descendants_tree=true"


@pytest.fixture(scope="module", autouse=True)
def shelf(make_once: MakeOnce) -> dict[str, ProductCategory]:
    return make_once(stock)


def trees(store: Caller, query: str) -> list[str]:
    return [tree(category) for category in store.get(PATH, query).json()["product_categories"]]


def chains(store: Caller, query: str) -> list[str]:
    found = []
    for category in store.get(PATH, query).json()["product_categories"]:
        chain = [category]
        while chain[-1].get("parent_category"):
            chain.append(chain[-1]["parent_category"])
        found.append("<".join(link["name"] for link in chain))
    return found


@pytest.mark.parametrize(
    "flag",
    [
        DOWN,
        "include_descendants_tree=TRUE",
        f"{DOWN}&fields=name,*category_children",
        f"{DOWN}&fields=name,category_children.name",
    ],
)
def test_descendants_to_any_depth_in_the_order_of_ranks(
    flag: str, store: Caller, shelf: dict[str, ProductCategory]
) -> None:
    category_tree.move(actor=SYSTEM, category_id=shelf["Vegetables"].pk, rank=0)
    assert trees(store, f"{flag}&parent_category_id=null") == [
        "Food(Vegetables Fruit(Apples Pears))",
        "Drinks(Juice_A 100% Juice)",
    ]


def test_overlapping_branches_each_have_their_own_tree(store: Caller) -> None:
    assert trees(store, DOWN)[:3] == ["Food(Fruit(Apples Pears) Vegetables)", "Fruit(Apples Pears)", "Apples"]


@pytest.mark.parametrize("flag", [UP, f"{UP}&fields=name,*parent_category", f"{UP}&fields=name,parent_category.name"])
def test_ancestors_up_to_the_root(flag: str, store: Caller) -> None:
    assert chains(store, flag)[:4] == ["Food", "Fruit<Food", "Apples<Fruit<Food", "Pears<Fruit<Food"]


def test_both_at_once(store: Caller) -> None:
    query = f"{UP}&{DOWN}&name=Fruit"
    assert (trees(store, query), chains(store, query)) == (["Fruit(Apples Pears)"], ["Fruit<Food"])


def test_what_a_level_of_a_tree_holds(store: Caller, shelf: dict[str, ProductCategory]) -> None:
    (fruit,) = store.get(PATH, f"{UP}&{DOWN}&name=Fruit").json()["product_categories"]
    assert outline(fruit) == f"{OWN} parent_category({OWN} parent_category) category_children({OWN} category_children)"
    assert fruit["parent_category"]["parent_category"] is None
    assert fruit["category_children"][0]["category_children"] == []
    (fruit,) = store.get(PATH, f"{DOWN}&name=Fruit&fields=category_children.parent_category").json()[
        "product_categories"
    ]
    assert outline(fruit) == "id category_children(id parent_category(id) category_children)"


@pytest.mark.parametrize(
    "query", ["include_ancestors_tree=false&include_descendants_tree=False", "include_ancestors_tree=FALSE"]
)
def test_without_the_flags_relations_go_one_level(query: str, store: Caller) -> None:
    assert store.get(PATH, query).content == store.get(PATH).content


def test_flags_need_their_field(store: Caller) -> None:
    assert store.get(PATH, f"{UP}&{DOWN}&fields=name").content == store.get(PATH, "fields=name").content


def test_pages_of_trees_are_counted_by_their_own_rows(store: Caller) -> None:
    whole = store.get(PATH, f"{DOWN}&limit=2&fields=name,category_children.id").json()
    assert (len(whole["product_categories"]), whole["count"]) == (2, 8)


class TestDeletedRows:
    @pytest.fixture(autouse=True)
    def deleted(self, shelf: dict[str, ProductCategory]) -> None:
        for name in ("Pears", "Drinks"):
            for child in ProductCategory.objects.not_deleted().filter(parent_category=shelf[name]):
                category_tree.delete(actor=SYSTEM, category_id=child.pk)
            category_tree.delete(actor=SYSTEM, category_id=shelf[name].pk)

    LIVING = [*NAMES[:3], "Vegetables"]

    @pytest.mark.parametrize("query", ["", "&with_deleted=false", "&with_deleted=FALSE"])
    def test_they_are_left_out(self, query: str, store: Caller) -> None:
        assert names(store.get(PATH, f"fields=name{query}")) == self.LIVING
        assert trees(store, f"{DOWN}&name=Food{query}") == ["Food(Fruit(Apples) Vegetables)"]

    def test_they_are_added_where_asked_for(self, store: Caller, shelf: dict[str, ProductCategory]) -> None:
        assert names(store.get(PATH, "fields=name&with_deleted=true")) == NAMES
        assert trees(store, f"{DOWN}&name=Food&with_deleted=true") == ["Food(Fruit(Apples Pears) Vegetables)"]
        assert chains(store, f"{UP}&name=Juice_A&with_deleted=true") == ["Juice_A<Drinks"]
        (pears,) = store.get(PATH, "with_deleted=true&name=Pears").json()["product_categories"]
        deleted = ProductCategory.objects.get(pk=shelf["Pears"].pk)
        assert pears["deleted_at"] == isoformat(deleted.deleted_at)

    def test_they_are_not_found_by_id(self, store: Caller, shelf: dict[str, ProductCategory]) -> None:
        assert refusal(store.get(f"{PATH}/{shelf['Pears'].pk}"))[0] == 404
        assert refusal(store.get(f"{PATH}/{shelf['Pears'].pk}", "with_deleted=true"))[0] == 400


class TestOneById:
    def test_with_its_fields_and_trees(self, store: Caller, shelf: dict[str, ProductCategory]) -> None:
        path = f"{PATH}/{shelf['Fruit'].pk}"
        (listed,) = store.get(PATH, f"name=Fruit&{UP}&{DOWN}").json()["product_categories"]
        assert store.get(path, f"{UP}&{DOWN}").json() == {"product_category": listed}
        assert store.get(path, "fields=name").json() == {"product_category": {"id": shelf["Fruit"].pk, "name": "Fruit"}}

    def test_an_unknown_one_is_not_found(self, store: Caller, shelf: dict[str, ProductCategory]) -> None:
        for key in (
            "pcat_nobody",
            shelf["Fruit"].pk.lower(),
            shelf["Fruit"].pk[:-1],
            f"{shelf['Fruit'].pk}x",
            "x" * 300,
        ):
            response = store.get(f"{PATH}/{key}")
            assert refusal(response) == (404, f"Product category with id: {key[:100]} was not found")
            assert response.json()["type"] == "not_found"

    @pytest.mark.parametrize(
        "query", ["limit=1", "offset=1", "order=id", "q=a", "id=a", "with_deleted=true", "$or[0][id]=a"]
    )
    def test_it_takes_no_other_parameter(self, query: str, store: Caller, shelf: dict[str, ProductCategory]) -> None:
        named = query.partition("=")[0].partition("[")[0]
        assert refusal(store.get(f"{PATH}/{shelf['Fruit'].pk}", query)) == invalid(f"Unrecognized fields: '{named}'")

    def test_a_bad_flag_is_refused(self, store: Caller, shelf: dict[str, ProductCategory]) -> None:
        assert refusal(store.get(f"{PATH}/{shelf['Fruit'].pk}", "include_ancestors_tree=1")) == invalid(
            "Expected type: 'boolean' for field 'include_ancestors_tree', got: '1'"
        )
