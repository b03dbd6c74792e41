"""A shop file with names, JSON and ties that each database sorts and stores differently."""

import random
from typing import Any
from urllib.parse import quote

from tests.operations import tea_shop

NAMES = ("Zebra", "apple", "Äpfel", "apple-pie", "apple pie", "Éclair", "zoo", "_under", "10", "9", "ß", "Straße")
CURRENCIES = ("eur", "usd", "jpy")


def rich_shop(seed: int) -> dict[str, Any]:
    """The tea shop with a buyer and more of everything; its default channel and region are not migrate's."""
    dice = random.Random(seed)  # noqa: S311 - a seeded one, so that a failure comes again
    shop = tea_shop.with_a_buyer()
    channels = ["Web", "App", *NAMES]
    shop["sales_channels"] += [{"name": name} for name in NAMES]
    shop["stores"] = [{"name": "Rich & Co", "default_sales_channel": "Éclair", "default_region": "America"}]
    shop["currencies"] = [{"code": "EUR", "is_tax_inclusive": True}, {"code": "chf", "is_tax_inclusive": True}]
    providers = [f"pp_{name}" for name in ("Own", "own", "_own", "own-2", "own_1")]
    shop["payment_providers"] = [{"id": name, "is_enabled": dice.random() < 0.5} for name in providers]
    shop["fulfillment_providers"] = [{"id": name} for name in ("Bike", "bike", "_bike")]
    places = [("us", None), ("us", "us-ny"), ("us", "us-al"), ("ca", "ca-qc"), ("ca", None)]
    shop["regions"].append(
        {
            "name": "Äquator",
            "currency_code": "jpy",
            "countries": ["jp", "ec", "ca"],
            "payment_providers": providers,
            "tax_rates": [
                {"country_code": country, "province": province, "rate": dice.randint(0, 200_000) / 10_000}
                for country, province in dice.sample(places, len(places))
            ],
            "metadata": own_json(dice),
        }
    )
    shop["stock_locations"] += [{"name": name, "sales_channels": some(dice, channels)} for name in NAMES[:4]]
    shop["product_tags"] += [{"value": name, "metadata": own_json(dice)} for name in NAMES]
    shop["product_categories"] += [
        {"name": f"Branch {number}", "handle": f"branch-{number}", "parent": dice.choice(["tea", None])}
        for number in range(9)
    ]
    shop["products"] += [product(dice, number, channels) for number in range(9)]
    shop["price_lists"].append(
        {"title": "Many", "rules": {"region_id": ["x"], "currency_code": ["y", "x"]}, "prices": listed(dice)}
    )
    shop["api_keys"] = [{"title": "Web", "type": "publishable", "sales_channels": some(dice, channels)}]
    shop["customers"].append({"email": "guest@example.com", "metadata": own_json(dice)})
    return shop


def product(dice: random.Random, number: int, channels: list[str]) -> dict[str, Any]:
    sizes = dice.sample(NAMES, 3)
    return {
        "title": f"Product {number}",
        "weight": dice.choice([None, 2, 2.5]),
        "tags": some(dice, NAMES),
        "categories": [f"branch-{one}" for one in some(dice, range(9))],
        "sales_channels": some(dice, channels),
        "images": [f"/media/{quote(one)}.png" for one in some(dice, NAMES)],
        "options": [{"title": "Size", "values": sizes}],
        "metadata": own_json(dice),
        "variants": [
            {
                "title": size,
                "sku": f"P-{number}-{place}",
                "variant_rank": dice.randint(0, 2),
                "options": {"Size": size},
                "inventory": {name: dice.randint(0, 9) for name in some(dice, ["Dock", *NAMES[:4]])},
                "prices": [{"currency_code": code, "amount": dice.randint(1, 99)} for code in some(dice, CURRENCIES)],
                "metadata": own_json(dice),
            }
            for place, size in enumerate(sizes)
        ],
    }


def listed(dice: random.Random) -> list[dict[str, Any]]:
    """Prices of a list, in an order of their own; the first three variants have one each, which are changed later."""
    keys = [(f"P-{number}-{place}", code) for number in range(9) for place in range(3) for code in ("eur", "usd")]
    chosen = dice.sample(keys, 30)
    return [{"sku": sku, "currency_code": code, "amount": dice.randint(1, 99)} for sku, code in chosen]


def own_json(dice: random.Random) -> dict[str, Any]:
    keys = dice.sample(["b", "aa", "a", "B", "ccc", "é"], 4)
    values = (1.0, 2.5, 1e15, {"bb": 1, "a": [{"y": None, "xx": True}]})
    return dict(zip(keys, dice.sample(values, 4), strict=True))


def some(dice: random.Random, words: Any) -> list[Any]:
    return dice.sample(list(words), dice.randint(1, 4) if len(words) >= 4 else 1)
