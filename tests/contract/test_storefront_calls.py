"""What Medusa's public storefronts and SDK send while a visitor browses, and what they read of the answers."""

from typing import Any

import pytest

from tests.catalog.browsing import FRESH, Browsing, build
from tests.contract.callers import Caller

pytestmark = pytest.mark.django_db

COUNTRY = {"iso_2": str, "display_name": str}
REGION = {"id": str, "countries": [COUNTRY]}
OPTION_VALUE = {"id": str, "value": str}
PRICE = {
    "calculated_amount": (int, float),
    "original_amount": (int, float),
    "currency_code": str,
    "calculated_price": {"price_list_type": (str, type(None))},
}
CARD = {
    "id": str,
    "handle": str,
    "title": str,
    "thumbnail": str,
    "images": [{"url": str}],
    "variants": [{"calculated_price": PRICE}],
}
PRODUCT = {
    **CARD,
    "description": str,
    "created_at": str,
    "collection_id": str,
    **dict.fromkeys(("material", "origin_country", "weight", "length", "width", "height"), (str, float, type(None))),
    "type": {"value": str},
    "collection": {"title": str, "handle": str},
    "tags": [{"id": str}],
    "images": [{"id": str, "url": str}],
    "options": [{"id": str, "title": str, "values": [OPTION_VALUE]}],
    "metadata": dict,
    "variants": [
        {
            "id": str,
            "sku": str,
            "manage_inventory": bool,
            "allow_backorder": bool,
            "inventory_quantity": int,
            "images": [{"id": str}],
            "options": [{"option_id": str, "value": str}],
            "calculated_price": PRICE,
        }
    ],
}
PARENT = {"id": str, "name": str, "handle": str}
CHILD = {"id": str, "name": str, "handle": str}
COLLECTION = {"id": str, "title": str, "handle": str}
CATALOGUE = (
    "fields=%2Avariants.calculated_price%2C%2Bvariants.inventory_quantity%2C%2Avariants.images%2C"
    "%2Bmetadata%2C%2Btags%2C"
)
CATALOGUE_OF_THE_SECOND = CATALOGUE.replace("%2C%2Bmetadata", "%2C%2Avariants.options%2C%2Bmetadata")
CALLS: dict[str, tuple[str, str, Any]] = {
    "middleware and menu": ("/store/regions", "", {"regions": [REGION]}),
    "one region": ("/store/regions/{region}", "", {"region": REGION}),
    "footer: collections": (
        "/store/collections",
        "fields=%2Aproducts&limit=100&offset=0",
        {"collections": [{**COLLECTION, "products": [{"id": str}]}]},
    ),
    "footer: categories": (
        "/store/product-categories",
        (
            "fields=%2Acategory_children%2C%20%2Aproducts%2C%20%2Aparent_category%2C%20"
            "%2Aparent_category.parent_category&limit=100"
        ),
        {"product_categories": [CHILD]},
    ),
    "home: collections": (
        "/store/collections",
        "fields=id%2C%20handle%2C%20title&limit=100&offset=0",
        {"collections": [COLLECTION]},
    ),
    "home: a rail": (
        "/store/products",
        "limit=12&offset=0&region_id={region}&fields=%2Avariants.calculated_price&collection_id={collection}",
        {"products": [CARD], "count": int},
    ),
    "catalogue": (
        "/store/products",
        f"limit=100&offset=0&region_id={{region}}&{CATALOGUE}&order=created_at",
        {"products": [PRODUCT], "count": int},
    ),
    "catalogue of the second": (
        "/store/products",
        f"limit=100&offset=0&region_id={{region}}&{CATALOGUE_OF_THE_SECOND}&order=created_at",
        {"products": [PRODUCT], "count": int},
    ),
    "option filter": (
        "/store/products",
        f"limit=100&offset=0&region_id={{region}}&{CATALOGUE}&option_value_id%5B0%5D={{option_value}}",
        {"products": [PRODUCT], "count": int},
    ),
    "category page": (
        "/store/product-categories",
        "fields=%2Acategory_children%2C%20%2Aproducts&handle={category_handle}",
        {
            "product_categories": [
                {**CHILD, "description": str, "category_children": [CHILD], "products": [{"id": str}]}
            ]
        },
    ),
    "category's products": (
        "/store/products",
        f"limit=100&offset=0&region_id={{region}}&{CATALOGUE}&category_id%5B0%5D={{category}}&order=created_at",
        {"products": [PRODUCT]},
    ),
    "collection page": (
        "/store/collections",
        "handle={collection_handle}&fields=%2Aproducts",
        {"collections": [{**COLLECTION, "products": [{"id": str}]}]},
    ),
    "collection's products": (
        "/store/products",
        f"limit=100&offset=0&region_id={{region}}&{CATALOGUE}&collection_id%5B0%5D={{collection}}&order=created_at",
        {"products": [PRODUCT]},
    ),
    "static params": (
        "/store/products",
        "limit=100&offset=0&region_id={region}&fields=handle",
        {"products": [{"handle": str}]},
    ),
    "product page": (
        "/store/products",
        f"limit=12&offset=0&region_id={{region}}&{CATALOGUE}&handle={{handle}}",
        {"products": [PRODUCT]},
    ),
    "fresh price and stock": (
        "/store/products",
        f"limit=12&offset=0&region_id={{region}}&{CATALOGUE}&id%5B0%5D={{product}}",
        {"products": [PRODUCT]},
    ),
    "related products": (
        "/store/products",
        (
            f"limit=12&offset=0&region_id={{region}}&{CATALOGUE}&collection_id%5B0%5D={{collection}}&tag_id%5B0%5D={{tag}}"
            "&is_giftcard=false"
        ),
        {"products": [PRODUCT]},
    ),
    "written, called nowhere: a collection": ("/store/collections/{collection}", "", {"collection": COLLECTION}),
    "written, called nowhere: a variant": (
        "/store/product-variants/{variant}",
        "fields=%2Aimages",
        {"variant": {"images": [{"id": str}]}},
    ),
}


@pytest.fixture
def shop() -> Browsing:
    return build()


@pytest.mark.parametrize("call", CALLS)
def test_a_browsing_step_is_served_as_it_is_sent(call: str, store: Caller, shop: Browsing) -> None:
    path, query, read = CALLS[call]
    response = store.get(path.format_map(shop.names), query.format_map(shop.names))
    assert response.status_code == 200, response.content
    assert faults(read, response.json()) == []


def faults(read: Any, answer: Any, path: str = "") -> list[str]:
    """Where the answer lacks what is read of it: a type, an object, or a list with at least one element, all alike."""
    if isinstance(read, dict):
        if not isinstance(answer, dict):
            return [f"{path}: no object"]
        return [
            fault
            for name, below in read.items()
            for fault in (
                faults(below, answer[name], f"{path}.{name}") if name in answer else [f"{path}.{name}: absent"]
            )
        ]
    if isinstance(read, list):
        if not isinstance(answer, list) or not answer:
            return [f"{path}: no list of some"]
        return [fault for item in answer for fault in faults(read[0], item, f"{path}[]")]
    return [] if isinstance(answer, read) else [f"{path}: {answer!r}"]


def test_a_variant_can_be_chosen_by_its_options(store: Caller, shop: Browsing) -> None:
    (product,) = store.get("/store/products", f"{CATALOGUE}&handle={shop.names['handle']}").json()["products"]
    offered = {(option["id"], value["value"]) for option in product["options"] for value in option["values"]}
    chosen = [{(value["option_id"], value["value"]) for value in variant["options"]} for variant in product["variants"]]
    assert all(values <= offered for values in chosen)
    assert len({frozenset(values) for values in chosen}) == len(chosen) == 2


def test_the_option_menu_of_shared_options_is_empty(store: Caller, shop: Browsing) -> None:
    listed = store.get("/store/product-options", "is_exclusive=false&fields=%2Avalues").json()
    assert (listed["product_options"], listed["count"]) == ([], 0)
    assert store.get("/store/product-options", "is_exclusive=true&fields=%2Avalues").json()["count"] == 1


def test_fresh_stock_is_reported(store: Caller, shop: Browsing) -> None:
    (product,) = store.get("/store/products", f"{CATALOGUE}&handle={shop.names['handle']}").json()["products"]
    assert [variant["inventory_quantity"] for variant in product["variants"]] == FRESH


def test_a_browser_of_an_allowed_origin_may_ask_for_options(store: Caller, settings: Any) -> None:
    settings.CORS_ALLOWED_ORIGINS = ["https://shop.example"]
    response = store.send(
        "OPTIONS",
        "/store/product-options",
        Origin="https://shop.example",
        Access_Control_Request_Method="GET",
        Access_Control_Request_Headers="content-type,x-publishable-api-key,x-medusa-locale,authorization",
    )
    assert response["Access-Control-Allow-Origin"] == "https://shop.example"
    allowed = response["Access-Control-Allow-Headers"]
    assert {"content-type", "x-publishable-api-key", "x-medusa-locale", "authorization"} <= set(allowed.split(", "))
