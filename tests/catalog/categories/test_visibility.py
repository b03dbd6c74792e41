"""Hidden and deleted categories cannot be reached: not by id, list, search, filter, order, count, relation or tree."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext

from catalog.categories import category_tree
from catalog.models import ProductCategory
from kit.domain.actor import SYSTEM
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.catalog import CategoryFactory
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db

PATH = "/store/product-categories"
TREES = "include_ancestors_tree=true&include_descendants_tree=true"
SECRET = "Secret"
HIDDEN = {
    "inactive": {"is_active": False},
    "internal": {"is_internal": True},
    "both": {"is_active": False, "is_internal": True},
}


@pytest.fixture
def store() -> Caller:
    return storefront(publishable_key())


@pytest.fixture
def root() -> ProductCategory:
    """A visible root with one visible child, and a visible root beside it."""
    root = CategoryFactory(name="Root")
    CategoryFactory(name="Child", parent=root)
    CategoryFactory(name="Beside")
    return root


def hide(how: str, root: ProductCategory) -> list[ProductCategory]:
    """Secret categories: one below the root with one below that, and a root with a child."""
    made = []
    for parent in (root, None):
        top = CategoryFactory(name=f"{SECRET} {how} {parent and parent.name}", description=SECRET, parent=parent)
        below = CategoryFactory(name=f"{SECRET} below {top.name}", description=SECRET, parent=top)
        if how == "deleted":
            category_tree.delete(actor=SYSTEM, category_id=below.pk)
            category_tree.delete(actor=SYSTEM, category_id=top.pk)
        elif how == "below deleted":
            ProductCategory.objects.filter(pk=top.pk).update(deleted_at=top.created_at, in_deleted_branch=True)
            ProductCategory.objects.filter(pk=below.pk).update(in_deleted_branch=True)
        else:
            category_tree.update(actor=SYSTEM, category_id=top.pk, **HIDDEN[how])  # type: ignore[arg-type]
        made += [top, below]
    return [ProductCategory.objects.get(pk=category.pk) for category in made]


QUERIES: dict[str, Callable[[ProductCategory], str]] = {
    "the list": lambda secret: "limit=1000",
    "the list with trees": lambda secret: f"limit=1000&{TREES}",
    "everything four deep": lambda secret: (
        "fields=name,*category_children.category_children.category_children.category_children,"
        "*parent_category.category_children.category_children.parent_category"
    ),
    "trees of children's children": lambda secret: (
        f"{TREES}&fields=name,*category_children.category_children,*parent_category.category_children"
    ),
    "a search for its name": lambda secret: f"q={SECRET}",
    "a search for its handle": lambda secret: f"q={secret.handle}",
    "its id": lambda secret: f"id={secret.pk}",
    "its id in a list": lambda secret: f"id[]={secret.pk}&id[]={secret.pk}x",
    "its name": lambda secret: f"name={secret.name.replace(' ', '+')}",
    "its handle": lambda secret: f"handle={secret.handle}",
    "its description": lambda secret: f"description={SECRET}",
    "its children": lambda secret: f"parent_category_id={secret.pk}",
    "its siblings": lambda secret: f"parent_category_id={secret.parent_category_id or 'null'}",
    "roots and its children": lambda secret: f"$or[0][parent_category_id]=null&$or[1][parent_category_id]={secret.pk}",
    "either it or anything": lambda secret: f"$or[0][id]={secret.pk}&$or[1][created_at][$gt]=1970-01-01",
    "both it and anything": lambda secret: (
        f"$and[0][id]={secret.pk}&$and[1][$or][0][q]=&$and[1][$or][1][id]={secret.pk}"
    ),
    "all but others": lambda secret: "deleted_at[$ne]=1970-01-01&created_at[$nin][]=1970-01-01",
    "ordered by parents": lambda secret: "order=parent_category.name",
    "ordered by ranks": lambda secret: "order=-rank",
}


def answers(store: Caller, secret: ProductCategory, **options: str) -> dict[str, HttpResponse]:
    """Every way to ask for it."""
    extra = options.get("query", "")
    found = {name: store.get(PATH, query(secret) + extra) for name, query in QUERIES.items()}
    for relative in filter(None, [secret.parent_category, *ProductCategory.objects.filter(parent_category=secret)]):
        found[f"by id: {relative.name}"] = store.get(f"{PATH}/{relative.pk}", TREES)
    found["by its own id"] = store.get(f"{PATH}/{secret.pk}", TREES)
    return found


@pytest.mark.parametrize("how", [*HIDDEN, "deleted", "below deleted"])
def test_nothing_of_a_hidden_category_is_reported(how: str, root: ProductCategory, store: Caller) -> None:
    before = store.get(PATH, "limit=1000").json()["count"]
    for secret in hide(how, root):
        for name, response in answers(store, secret).items():
            assert response.status_code in (200, 404), (name, response.content)
            assert SECRET not in response.content.decode(), (name, response.content)
            assert secret.handle not in response.content.decode(), name
            if name != "by its own id":
                assert secret.pk not in response.content.decode(), (name, response.content)
            if response.status_code == 200 and "product_categories" in response.json():
                assert response.json()["count"] <= before
    assert store.get(PATH, "limit=1000").json()["count"] == before


@pytest.mark.parametrize("how", HIDDEN)
def test_asking_for_deleted_rows_shows_no_hidden_ones(how: str, root: ProductCategory, store: Caller) -> None:
    secrets = hide(how, root)
    category_tree.delete(actor=SYSTEM, category_id=secrets[1].pk)
    category_tree.delete(actor=SYSTEM, category_id=secrets[0].pk)
    for secret in secrets:
        for name, query in QUERIES.items():
            response = store.get(PATH, f"{query(secret)}&with_deleted=true")
            assert SECRET not in response.content.decode(), (name, response.content)


@pytest.mark.parametrize("how", ["deleted", "below deleted"])
def test_asking_for_deleted_rows_shows_them_everywhere(how: str, root: ProductCategory, store: Caller) -> None:
    secrets = hide(how, root)
    listed = store.get(PATH, "limit=1000&with_deleted=true").json()
    assert listed["count"] == 3 + len(secrets)
    (whole,) = store.get(PATH, f"name=Root&{TREES}&with_deleted=true").json()["product_categories"]
    assert [child["id"] for child in whole["category_children"]][1:] == [secrets[0].pk]
    assert [child["id"] for child in whole["category_children"][1]["category_children"]] == [secrets[1].pk]
    (below,) = store.get(PATH, f"id={secrets[1].pk}&{TREES}&with_deleted=true").json()["product_categories"]
    assert below["parent_category"]["parent_category"]["name"] == "Root"


@pytest.mark.parametrize("how", HIDDEN)
def test_it_is_found_again_once_it_is_shown(how: str, root: ProductCategory, store: Caller) -> None:
    top, below, *_ = hide(how, root)
    category_tree.update(actor=SYSTEM, category_id=top.pk, is_active=True, is_internal=False)
    assert store.get(f"{PATH}/{top.pk}").status_code == store.get(f"{PATH}/{below.pk}").status_code == 200
    (whole,) = store.get(PATH, "name=Root").json()["product_categories"]
    assert top.pk in [child["id"] for child in whole["category_children"]]


def test_what_is_moved_below_a_hidden_category_is_hidden_with_its_branch(root: ProductCategory, store: Caller) -> None:
    top, *_ = hide("inactive", root)
    child = ProductCategory.objects.get(name="Child")
    leaf = CategoryFactory(name="Leaf", parent=child)
    category_tree.move(actor=SYSTEM, category_id=child.pk, parent_id=top.pk)
    for category in (child, leaf):
        assert store.get(f"{PATH}/{category.pk}").status_code == 404
    assert store.get(PATH, "name=Leaf").json()["count"] == 0
    category_tree.move(actor=SYSTEM, category_id=child.pk, parent_id=None)
    assert store.get(PATH, "name=Leaf").json()["count"] == 1


def test_staff_who_call_the_store_see_no_more_than_others(root: ProductCategory, store: Caller) -> None:
    hide("internal", root)
    seen = store.get(PATH, f"{TREES}&with_deleted=true")
    token = secret_key(UserFactory(is_superuser=True)).token
    for header in (f"Bearer {token}", f"Basic {token}"):
        assert store.get(PATH, f"{TREES}&with_deleted=true", Authorization=header).content == seen.content


def test_a_hidden_category_costs_what_an_unknown_one_costs(root: ProductCategory, store: Caller) -> None:
    top, *_ = hide("inactive", root)

    def cost(id: str) -> list[Any]:
        with CaptureQueriesContext(connection) as captured:
            response = store.get(f"{PATH}/{id}", TREES)
        body = response.content.decode().replace(id, "")
        return [response.status_code, body, len(captured)]

    assert cost(top.pk) == cost("pcat_nobody")
