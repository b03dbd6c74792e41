"""Links with a product's former handle still lead to it."""

from collections.abc import Iterable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apikeys.issuance import IssuedKey
from catalog.categories import category_tree
from catalog.models import FormerProductHandle, Product
from catalog.products import labels
from catalog.products.product_editing import details
from catalog.states import ProductStatus
from kit.domain.actor import SYSTEM
from shop.models import SalesChannel
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.catalog import CategoryFactory
from tests.factories.products import ProductCollectionFactory, ProductFactory
from tests.factories.shop import SalesChannelFactory
from tests.kit.graphql.calls import ask

pytestmark = pytest.mark.django_db


def rename(product: Product, handle: str, **others: object) -> None:
    details.VERBS.put(actor=SYSTEM, states=[details.VERBS.state(id=product.pk, handle=handle, **others)])


def handles(store: Caller, query: str) -> list[str]:
    """The present handles of the products that the store lists."""
    response = store.get("/store/products", f"fields=handle&{query}").json()
    assert response["count"] == len(response["products"])
    return [product["handle"] for product in response["products"]]


def remembered() -> set[tuple[str, str]]:
    return set(FormerProductHandle.objects.values_list("handle", "owner__title"))


def tea(handle: str = "old", **others: object) -> Product:
    return ProductFactory(title="Tea", handle=handle, **others)


def test_a_former_handle_finds_the_product_with_its_present_one(store: Caller) -> None:
    product = tea()
    rename(product, "newer")
    rename(product, "newest")
    for query in (
        "handle=old",
        "handle[]=old",
        "handle[]=newer&handle[]=nothing",
        "$and[0][handle]=old",
        "handle=newest",
    ):
        assert handles(store, query) == ["newest"]
    assert handles(store, "handle=nothing") == []


def test_several_handles_find_each_product_once(store: Caller) -> None:
    product = tea()
    rename(product, "new")
    ProductFactory(handle="coffee")
    for query, found in {
        "handle[]=coffee&handle[]=old": ["coffee", "new"],
        "handle[]=old&handle[]=new": ["new"],
        "$or[0][handle]=old&$or[1][handle]=coffee": ["coffee", "new"],
        "$or[0][handle]=old&$or[1][title]=Tea": ["new"],
        "$or[0][handle][]=old&$or[0][title]=Coffee&$or[1][handle]=nothing": [],
    }.items():
        assert handles(store, f"order=handle&{query}") == found


def test_pages_and_counts_agree(store: Caller) -> None:
    rename(tea(), "new")
    for page, found in {"limit=0": 0, "limit=1": 1, "limit=1&offset=1": 0, "limit=1&offset=9": 0}.items():
        response = store.get("/store/products", f"handle=old&{page}").json()
        assert (len(response["products"]), response["count"]) == (found, 1)


def test_other_filters_and_searches_still_decide(store: Caller) -> None:
    collection = ProductCollectionFactory()
    rename(tea(collection=collection), "new")
    for query, found in {
        f"handle=old&collection_id={collection.pk}": ["new"],
        "handle=old&collection_id=pcol_another": [],
        "handle=old&q=tea": ["new"],
        "handle=old&q=coffee": [],
        "handle=old&order=-title": ["new"],
        "handle=old&currency_code=usd&order=variants.calculated_price": ["new"],
        "q=old": [],
    }.items():
        assert handles(store, query) == found


def test_graphql_finds_the_same(store: Caller) -> None:
    rename(tea(), "new")
    document = '{ one: products(handle: "old") { products { handle } count } none: products(handle: "x") { count } }'
    assert ask(store, document).json()["data"] == {
        "one": {"products": [{"handle": "new"}], "count": 1},
        "none": {"count": 0},
    }
    assert ask(store, '{ products(handle: ["old"]) { count } }').json()["data"] == {"products": {"count": 1}}


def test_the_present_handle_of_another_product_wins(store: Caller) -> None:
    rename(tea(), "new")
    collection = ProductCollectionFactory()
    coffee = ProductFactory(title="Coffee", handle="old", collection=collection)
    assert handles(store, "handle=old") == ["old"]
    assert handles(store, "handle[]=old&handle[]=new&order=handle") == ["new", "old"]
    assert handles(store, "handle=old&collection_id=null") == []  # the handle is taken, whatever else is asked
    assert handles(store, "$or[0][handle]=old&$or[1][title]=Milk") == ["old"]
    details.VERBS.delete(actor=SYSTEM, ids=[coffee.pk])
    assert handles(store, "handle=old") == ["new"]
    assert handles(store, "handle=old&with_deleted=true") == ["old"]
    details.VERBS.restore(actor=SYSTEM, ids=[coffee.pk])
    assert handles(store, "handle=old") == ["old"]


def test_deleted_products_do_not_hide_that_a_handle_is_a_former_one(store: Caller) -> None:
    rename(tea(), "new")
    details.VERBS.delete(actor=SYSTEM, ids=[ProductFactory(handle="coffee").pk])
    ProductFactory(handle="coffee")
    query = "handle[]=coffee&handle[]=old&with_deleted=true&order=handle"
    assert handles(store, query) == ["coffee", "coffee", "new"]


def test_the_product_that_had_a_handle_last_keeps_it(store: Caller) -> None:
    rename(tea(), "tea")
    rename(ProductFactory(title="Coffee", handle="old"), "coffee")
    assert handles(store, "handle=old") == ["coffee"]
    assert remembered() == {("old", "Coffee")}


def test_a_product_takes_its_old_handle_back(store: Caller) -> None:
    product = tea()
    rename(product, "new")
    rename(product, "old")
    assert remembered() == {("new", "Tea")}
    assert [handles(store, f"handle={one}") for one in ("old", "new")] == [["old"], ["old"]]


def test_handles_of_deleted_products_lead_nowhere_until_they_are_restored(store: Caller) -> None:
    product = tea()
    rename(product, "new")
    details.VERBS.delete(actor=SYSTEM, ids=[product.pk])
    assert handles(store, "handle=old") == []
    details.VERBS.restore(actor=SYSTEM, ids=[product.pk])
    assert handles(store, "handle=old") == ["new"]


def test_drafts_and_products_of_other_channels_are_not_found() -> None:
    own, other = SalesChannelFactory(), SalesChannelFactory()
    product = tea(sales_channels=[own])
    rename(product, "new")
    caller, stranger = storefront(publishable_key(own)), storefront(publishable_key(other))
    assert (handles(caller, "handle=old"), handles(stranger, "handle=old")) == (["new"], [])
    rename(product, "new", status=ProductStatus.DRAFT)
    assert handles(caller, "handle=old") == []


def test_a_handle_that_another_product_has_out_of_sight_leads_where_it_did(store: Caller) -> None:
    rename(tea(), "new")
    draft = ProductFactory(handle="old", status=ProductStatus.DRAFT)
    elsewhere: SalesChannel = SalesChannelFactory()
    assert handles(store, "handle=old") == ["new"]
    key: IssuedKey = publishable_key(elsewhere)
    assert handles(storefront(key), "handle=old") == []
    rename(draft, "old", status=ProductStatus.PUBLISHED)
    assert handles(store, "handle=old") == ["old"]


def test_a_draft_takes_no_link_from_another_product(store: Caller) -> None:
    rename(tea(), "tea")
    draft = ProductFactory(title="Draft", handle="old", status=ProductStatus.DRAFT)
    rename(draft, "coffee", status=ProductStatus.PUBLISHED)
    assert handles(store, "handle=old") == ["tea"]


def test_a_published_product_that_becomes_a_draft_first_keeps_its_links(store: Caller) -> None:
    product = tea()
    rename(product, "old", status=ProductStatus.DRAFT)
    rename(product, "new")
    rename(product, "new", status=ProductStatus.PUBLISHED)
    assert handles(store, "handle=old") == ["new"]


def test_former_handles_can_be_given_and_forgotten(store: Caller) -> None:
    product, other = tea("new"), ProductFactory(title="Coffee", handle="coffee")
    details.VERBS.put(actor=SYSTEM, states=[details.VERBS.state(id=product.pk, former_handles=["a", "b", "new"])])
    (edited,) = details.VERBS.put(actor=SYSTEM, states=[details.VERBS.state(id=other.pk, former_handles=["b"])])
    assert edited.is_changed
    assert remembered() == {("a", "Tea"), ("b", "Coffee")}
    assert (handles(store, "handle=a"), handles(store, "handle=b")) == (["new"], ["coffee"])
    details.VERBS.put(actor=SYSTEM, states=[details.VERBS.state(id=product.pk, former_handles=[], handle="newest")])
    assert remembered() == {("b", "Coffee"), ("new", "Tea")}
    (same,) = details.VERBS.put(actor=SYSTEM, states=[details.VERBS.state(id=other.pk, former_handles=["b"])])
    assert not same.is_changed


def test_handles_are_remembered_by_few_statements() -> None:
    products = [tea(f"old-{number}") for number in range(20)]
    for number, drafts in ((2, products[:2]), (20, products)):
        states = [details.VERBS.state(id=each.pk, handle=f"new-{number}-{each.handle}") for each in drafts]
        with CaptureQueriesContext(connection) as ran:
            details.VERBS.put(actor=SYSTEM, states=states)
        assert len(_about_former(ran)) == 2
    with CaptureQueriesContext(connection) as ran:
        details.VERBS.put(actor=SYSTEM, states=[details.VERBS.state(id=products[0].pk, title="Another")])
    assert _about_former(ran) == []


def _about_former(ran: Iterable[dict[str, str]]) -> list[str]:
    return [each["sql"] for each in ran if "former" in each["sql"]]


def test_collections_and_categories_are_found_by_theirs(store: Caller) -> None:
    collection = ProductCollectionFactory(handle="old")
    labels.COLLECTIONS.put(actor=SYSTEM, states=[labels.COLLECTIONS.state(id=collection.pk, handle="new")])
    category = CategoryFactory(handle="old")
    category_tree.update(actor=SYSTEM, category_id=category.pk, handle="new")
    CategoryFactory(handle="other")
    for path in ("collections", "product-categories"):
        for query, found in {"handle=old": ["new"], "handle=new": ["new"], "handle=x": []}.items():
            answer = store.get(f"/store/{path}", f"fields=handle&{query}").json()
            assert [row["handle"] for row in answer[path.replace("-", "_")]] == found
    document = '{ collections(handle: "old") { count } productCategories(handle: "old") { count } }'
    assert ask(store, document).json()["data"] == {"collections": {"count": 1}, "productCategories": {"count": 1}}


def test_a_hidden_category_takes_no_link_and_forgets_none(store: Caller) -> None:
    shown, hidden = CategoryFactory(handle="old"), CategoryFactory(handle="new", is_active=False)
    category_tree.update(actor=SYSTEM, category_id=shown.pk, handle="tea")
    category_tree.update(actor=SYSTEM, category_id=hidden.pk, handle="old")
    assert store.get("/store/product-categories", "handle=old").json()["count"] == 1
    category_tree.update(actor=SYSTEM, category_id=hidden.pk, handle="newer")
    answer = store.get("/store/product-categories", "fields=handle&handle=old").json()
    assert [row["handle"] for row in answer["product_categories"]] == ["tea"]
    category_tree.update(actor=SYSTEM, category_id=shown.pk, former_handles=[])
    assert store.get("/store/product-categories", "handle=old").json()["count"] == 0


@pytest.mark.parametrize("path", ["products", "collections", "product-categories"])
def test_texts_for_search_engines_are_answered_on_request(store: Caller, path: str) -> None:
    texts = {"seo_title": "Teas | Quayside", "seo_description": "Green teas."}
    product = ProductFactory(
        collection=ProductCollectionFactory(**texts), categories=[CategoryFactory(**texts)], **texts
    )
    for fields in ("", "fields=*collection,*categories,*products"):
        assert "seo_title" not in store.get(f"/store/{path}", fields).content.decode()
    (row,) = store.get(f"/store/{path}", "fields=seo_title,seo_description").json()[path.replace("-", "_")]
    assert {name: row[name] for name in texts} == texts
    below = store.get(f"/store/products/{product.pk}", "fields=collection.seo_title,categories.seo_title").json()
    assert below["product"]["collection"]["seo_title"] == texts["seo_title"]
    assert below["product"]["categories"][0]["seo_title"] == texts["seo_title"]


def test_graphql_has_texts_for_search_engines(store: Caller) -> None:
    ProductFactory(seo_title="Teas")
    answer = ask(store, "{ products { products { seoTitle seoDescription } } }").json()
    assert answer["data"]["products"]["products"] == [{"seoTitle": "Teas", "seoDescription": None}]
