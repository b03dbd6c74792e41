"""The shop of a case, as a shop file."""

from decimal import Decimal
from typing import Any

from tests.carts.money.cases import Case

CHANNEL = "Default Sales Channel"
EMAIL, TAX_NUMBER = "ann@example.com", "GB 123 4567 73"
CUSTOMER = {"email": EMAIL, "password": "steeped leaves", "tax_number": TAX_NUMBER}
ADDRESS = {"address_1": "1 Elm Street", "city": "Town", "postal_code": "10001"}


def shop_of(case: Case) -> dict[str, Any]:
    """The shop: a region, tax regions, the goods of the lines, codes P0, P1 … and options s1 and `free`."""
    prices, place, code = case["prices"], case["place"], case["currency"]
    return {
        "currencies": [{"code": code, "is_tax_inclusive": prices["currency_is_tax_inclusive"]}],
        "regions": [
            {
                "name": "Here",
                "currency_code": code,
                "countries": sorted({place["country"], *(rate["country_code"] for rate in case["tax_rates"])}),
                "tax_rate": _number(case.get("region_rate", "0")),
                "is_tax_inclusive": prices["region_is_tax_inclusive"],
                "payment_providers": ["pp_system_default"],
            }
        ],
        "customers": [{**CUSTOMER, "is_tax_exempt": case["exempt"]}],
        "product_types": [{"value": value} for value in sorted(_types(case))],
        "tax_regions": _tax_regions(case),
        "stock_locations": [{"name": "Warehouse", "sales_channels": [CHANNEL]}],
        "products": [_product(index, case) for index in range(len(case["lines"]))],
        "promotions": [_promotion(index, case) for index in range(len(case["promotions"]))],
        "fulfillment_sets": [
            {
                "name": "Parcels",
                "type": "shipping",
                "location": "Warehouse",
                "service_zones": [
                    {
                        "name": "Zone",
                        "geo_zones": [{"type": "country", "country_code": place["country"]}],
                        "shipping_options": [_option(method, case) for method in case["shipping"] or [FREE]],
                    }
                ],
            }
        ],
    }


FREE = {"option": "free", "amount": "0", "is_tax_inclusive": None, "free_from": None}
"""The option for a case without shipping; goods are not bought without any."""


_FIELDS = {"product": "products", "product_type": "product_types", "shipping_option": "shipping_options"}
"""The fields of a rate, by what its rules refer to."""


def _types(case: Case) -> set[str]:
    """The product types of the goods, and of the rates."""
    rules = [rule for rate in case["tax_rates"] for rule in rate["rules"]]
    named = {rule["reference_id"] for rule in rules if rule["reference"] == "product_type"}
    return named | {line["type"] for line in case["lines"] if line["type"]}


def _tax_regions(case: Case) -> list[dict[str, Any]]:
    regions: dict[tuple[str, str | None], list[dict[str, Any]]] = {}
    for rate in case["tax_rates"]:
        of_place = regions.setdefault((rate["country_code"], rate["province"]), [])
        own = {name: rate[name] for name in ("name", "code", "is_default", "is_combinable")}
        of_place.append({**own, "rate": _number(rate["rate"]), **_goods(rate)})
    return [{"country_code": country, "province": province, "rates": of} for (country, province), of in regions.items()]


def _goods(rate: dict[str, Any]) -> dict[str, list[str]]:
    goods: dict[str, list[str]] = {}
    for rule in rate["rules"]:
        goods.setdefault(_FIELDS[rule["reference"]], []).append(rule["reference_id"])
    return goods


def _product(index: int, case: Case) -> dict[str, Any]:
    line = case["lines"][index]
    return {
        **({"type": line["type"]} if line["type"] else {}),
        "title": f"Goods {index}",
        "handle": line["product"],
        "status": "published",
        "discountable": line["is_discountable"],
        "is_giftcard": line["is_giftcard"],
        "type": line["type"],
        "sales_channels": [CHANNEL],
        "options": [{"title": "Size", "values": ["one"]}],
        "variants": [
            {
                "title": "one",
                "sku": f"sku-{index}",
                "options": {"Size": "one"},
                "manage_inventory": False,
                "prices": [_price(line["unit_price"], line["is_tax_inclusive"], case)],
            }
        ],
    }


def _price(amount: str, is_tax_inclusive: bool | None, case: Case) -> dict[str, Any]:
    """A price for the region, or where it is stated otherwise, one for the currency."""
    price = {"currency_code": case["currency"], "amount": _number(amount)}
    if is_tax_inclusive in (None, case["prices"]["region_is_tax_inclusive"]):
        return {**price, "region": "Here"}
    return price


def _promotion(index: int, case: Case) -> dict[str, Any]:
    given = case["promotions"][index]
    return {
        "code": f"P{index}",
        "type": given["type"],
        "target": given["target"],
        "value": _number(given["value"]),
        "product_handles": given["products"],
        **({"currency_code": case["currency"]} if given["type"] == "fixed" else {}),
        **({} if given["is_tax_inclusive"] is None else {"is_tax_inclusive": given["is_tax_inclusive"]}),
    }


def _option(method: dict[str, Any], case: Case) -> dict[str, Any]:
    prices = [_price(method["amount"], method["is_tax_inclusive"], case)]
    if method["free_from"]:
        rule = {"attribute": "item_total", "operator": "gte", "value": method["free_from"]}
        prices.append({**_price("0", method["is_tax_inclusive"], case), "rules": [rule]})
    return {"name": method["option"], "price_type": "flat", "provider": "manual_manual", "prices": prices}


def _number(text: str) -> int | float:
    exact = Decimal(text)
    return int(exact) if exact == int(exact) else float(exact)
