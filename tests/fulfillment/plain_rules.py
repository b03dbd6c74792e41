"""Which ways of shipping a cart may choose from and what they cost, computed again, slowly, one rule after the other.

Everything is a plain dict; an option has its zone's areas, its rules and prices.
"""

from decimal import Decimal
from typing import Any

Plain = dict[str, Any]


def offered(options: list[Plain], cart: Plain, *, is_return: bool) -> dict[str, int | None]:
    """Amounts by name; None for what a provider prices."""
    return {
        option["name"]: amount
        for option in options
        if reaches(option, cart) and carries(option, cart) and allows(option, cart, is_return=is_return)
        for amount in amounts(option, cart)
    }


def reaches(option: Plain, cart: Plain) -> bool:
    address = cart["address"]
    if not address.get("country_code"):
        return any(area["country_id"] in cart["countries"] for area in option["areas"])
    return any(covers(area, address) for area in option["areas"])


def covers(area: Plain, address: Plain) -> bool:
    if area["country_id"] != address["country_code"]:
        return False
    reported = {
        "province": (area.get("province_code"), address.get("province")),
        "city": (area.get("city"), address.get("city")),
    }
    if area["type"] == "country":
        return True
    if area["type"] == "province":
        return bool(address.get("province")) and reported["province"][0].lower() == reported["province"][1].lower()
    if any(wanted and known and wanted.lower() != known.lower() for wanted, known in reported.values()):
        return False
    if area["type"] == "city":
        return bool(address.get("city"))
    expression, code = area["postal_expression"], (address.get("postal_code") or "").replace(" ", "").lower()
    if not code:
        return False
    if "prefix" in expression:
        return code.startswith(expression["prefix"])
    beginning = code[: len(expression["from"])]
    return expression["from"] <= beginning <= expression["to"]


def carries(option: Plain, cart: Plain) -> bool:
    if option["profile"] is None or not cart["lines"]:
        return True
    shipped = [line for line in cart["lines"] if line["ships"]] or cart["lines"]
    return any(line["profile"] == option["profile"] for line in shipped)


def allows(option: Plain, cart: Plain, *, is_return: bool) -> bool:
    known = {"is_return": str(is_return).lower(), "enabled_in_store": "true", "item_total": item_total(cart)}
    for attribute, operator, value in option["rules"]:
        if operator in ("eq", "in"):
            wanted = value if isinstance(value, list) else [value]
            held = any(alike(known.get(attribute), one) for one in wanted)
        elif operator in ("ne", "nin"):
            wanted = value if isinstance(value, list) else [value]
            held = not any(alike(known.get(attribute), one) for one in wanted)
        else:
            held = stands(known.get(attribute), operator, value)
        if not held:
            return False
    return True


def alike(known: Any, value: str) -> bool:
    if known is None:
        return False
    if isinstance(known, Decimal):
        return value.isdecimal() and Decimal(value) == known
    return bool(known.lower() == value.lower())


def stands(known: Any, operator: str, value: str) -> bool:
    if not isinstance(known, Decimal):
        return False
    bound = Decimal(value)
    return {"gt": known > bound, "gte": known >= bound, "lt": known < bound, "lte": known <= bound}[operator]


def amounts(option: Plain, cart: Plain) -> list[int | None]:
    """One or none."""
    if option["price_type"] == "calculated":
        return [None]
    holding = [
        price
        for price in option["prices"]
        if price["currency_code"] == "usd" and (price["from"] is None or item_total(cart) >= price["from"])
    ]
    ranked = sorted(holding, key=lambda price: (price["from"] is None, price["amount"]))
    return [price["amount"] for price in ranked[:1]]


def item_total(cart: Plain) -> Decimal:
    return sum((Decimal(line["price"] * line["quantity"]) for line in cart["lines"] if line["ships"]), Decimal(0))
