"""Requests that strangers send to stop the shop, as they go over the wire."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import orjson

from tests.bench.accounts import PASSWORD, emails

_WORDS = ("aa", "bb", "cc", "bu", "ul", "lk", "pr", "od")
_CATALOGUE = quote("*variants.calculated_price,+variants.inventory_quantity,*variants.images,+metadata,+tags,")
_CATEGORIES = quote("*category_children, *products, *parent_category, *parent_category.parent_category")


@dataclass(frozen=True, slots=True)
class Attack:
    """mode: of tests.bench.attackers. connections: how many at a time."""

    name: str
    mode: str
    connections: int
    texts: list[str]


def get(path: str, key: str) -> str:
    return f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-publishable-api-key: {key}\r\n\r\n"


def post(path: str, key: str, body: Any) -> str:
    text = orjson.dumps(body).decode()
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-publishable-api-key: {key}\r\nx-graphql-request: true"
    return f"{head}\r\ncontent-type: application/json\r\ncontent-length: {len(text)}\r\n\r\n{text}"


def most_expensive(key: str, *, region_id: str) -> list[str]:
    """The most expensive requests that are known."""
    alternatives = "&".join(f"$or[{turn}][q]={word}" for turn, word in enumerate(_WORDS[:5]))
    aliases = " ".join(f'a{turn}: products(q: "{word}") {{ count }}' for turn, word in enumerate(_WORDS))
    return [
        get(f"/store/products?q={'+'.join(_WORDS)}&limit=1&fields=id", key),
        get(f"/store/products?{alternatives}&limit=1&fields=id", key),
        post("/graphql", key, {"query": f"{{ {aliases} }}"}),
        get("/store/products?offset=30000&limit=100&order=title&fields=id,title", key),
        get(f"/store/products?limit=1000&fields={_CATALOGUE}", key),
        get(f"/store/products?order=variants.calculated_price&limit=1&fields=id&region_id={region_id}", key),
        get("/store/products?order=collection.title&offset=30000&limit=1&fields=id", key),
        get("/store/product-variants?order=upc&limit=1&fields=id", key),
    ]


def long_pages(key: str, *, region_id: str) -> list[str]:
    """Pages of many rows with their relations, which storefronts read, too."""
    product = "id title variants { sku options { value } images { url } } images { url } options { values { value } }"
    several = " ".join(f"a{turn}: products(limit: 100) {{ products {{ {product} }} }}" for turn in range(3))
    return [
        get(f"/store/products?limit=100&region_id={region_id}&fields={_CATALOGUE}%2Aoptions.values,%2Aimages", key),
        get("/store/collections?limit=100&fields=%2Aproducts.variants.options,%2Aproducts.images", key),
        get("/store/product-categories?limit=100&fields=%2Aproducts.variants&include_descendants_tree=true", key),
        post("/graphql", key, {"query": f"{{ {several} }}"}),
    ]


def page(key: str, facts: Mapping[str, Any]) -> list[str]:
    """What a storefront asks for one of its pages."""
    paths = [
        "/store/regions",
        "/store/regions",
        "/store/customers/me?fields=*orders",
        "/store/collections?fields=id%2C%20handle%2C%20title&limit=100&offset=0",
        f"/store/product-categories?fields={_CATEGORIES}&limit=10",
        f"/store/products?limit=100&offset=0&fields={_CATALOGUE}&order=created_at&region_id={facts['region_id']}",
        f"/store/products?limit=12&offset=0&fields={_CATALOGUE}&region_id={facts['region_id']}",
    ]
    return [get(path, key) for path in paths]


def logins(key: str, of: Sequence[str], *, password: str = PASSWORD) -> list[str]:
    """A login for each email."""
    return [post("/auth/customer/emailpass", key, {"email": email, "password": password}) for email in of]


def large_carts(key: str, *, variants: Sequence[str], region_id: str) -> list[str]:
    """A cart with a line of each variant."""
    items = [{"variant_id": variant, "quantity": 1} for variant in variants]
    return [post("/store/carts", key, {"region_id": region_id, "items": items})]


def refused_bodies(key: str) -> list[str]:
    """900 KB of lists, which are no metadata."""
    return [post("/store/carts", key, {"metadata": [[[1]]] * 150_000})]


def attacks(facts: Mapping[str, Any]) -> list[Attack]:
    """All attacks on a shop with this data. facts: those of tests.bench.shop_data, and ids of 1,000 `variants`."""
    key, region_id = facts["publishable"], facts["region_id"]
    expensive = most_expensive(key, region_id=region_id)
    half_head = "GET /store/regions HTTP/1.1\r\nhost: 127.0.0.1\r\nx-half"
    half_body = "POST /auth/customer/emailpass HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 500\r\n\r\n{"
    return [
        Attack("carts of 1,000 items", "ask", 16, large_carts(key, variants=facts["variants"], region_id=region_id)),
        Attack("900 KB of lists, refused", "ask", 16, refused_bodies(key)),
        Attack("32 searches", "ask", 32, expensive[:2]),
        Attack("32 GraphQL documents", "ask", 32, expensive[2:3]),
        Attack("32 pages of 1,000 products", "ask", 32, [get("/store/products?limit=1000", key)]),
        Attack("32 of the most expensive requests", "ask", 32, expensive),
        Attack("the same, hung up", "leave", 32, expensive),
        Attack("32 long pages", "ask", 32, long_pages(key, region_id=region_id)),
        Attack("2,000 half heads", "stay", 2000, [half_head]),
        Attack("200 half bodies", "stay", 200, [half_body]),
        Attack("200 bodies, a byte a second", "drip", 200, [half_body]),
        Attack(
            "200 logins, unknown emails", "once", 200, logins(key, [f"nobody{turn}@example.com" for turn in range(200)])
        ),
        Attack("200 logins, current hashes", "once", 200, logins(key, emails("new"))),
        Attack("200 logins, old hashes", "once", 200, logins(key, emails("old"))),
        Attack("guesses at one account", "once", 200, logins(key, ["new0@example.com"] * 200, password="a guess")),
        Attack("100 storefront pages", "once", 700, page(key, facts)),
    ]
