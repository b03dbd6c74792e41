"""What is measured of the catalogue as programs maintain it below /admin."""

import orjson

from tests.bench.case import Case, Facts
from tests.bench.product_cases import DATA

LISTED = "id,title,handle,status,*collection,*sales_channels,variants.id,thumbnail"
"""What the official dashboard asks of each product."""
SIZES = ["S", "M", "L", "XL"]


def _shirt(sku: str, sizes: list[str]) -> dict[str, object]:
    return {
        "title": f"Shirt {sku}",
        "options": [{"title": "Size", "values": sizes}],
        "variants": [
            {
                "title": size,
                "sku": f"{sku}-{size}",
                "options": {"Size": size},
                "prices": [{"currency_code": "eur", "amount": 19.99}, {"currency_code": "usd", "amount": 21}],
            }
            for size in sizes
        ],
    }


def _one(facts: Facts, repetition: int) -> Facts:
    return {"body": orjson.dumps(_shirt(f"ONE{repetition}", SIZES)).decode()}


def _hundred(facts: Facts, repetition: int) -> Facts:
    products = [_shirt(f"BATCH{repetition}-{number}", ["S"]) for number in range(100)]
    return {"body": orjson.dumps({"create": products}).decode()}


CASES = [
    Case("20 products in /admin", f"/admin/products?limit=20&fields={LISTED}", DATA, aim_ms=6.0),
    Case(
        "a product with 4 variants in /admin",
        "/admin/products",
        DATA,
        method="POST",
        body="$body",
        own_facts=_one,
        aim_ms=25.0,
    ),
    Case(
        "a batch of 100 products in /admin",
        "/admin/products/batch",
        DATA,
        method="POST",
        body="$body",
        own_facts=_hundred,
        aim_ms=400.0,
    ),
]
