"""The shop of a case, as a shop file, and which cases a shop can express.

Rates for certain goods and rates that are added to others are not in the file: cases of exempt customers add them.
"""

from decimal import Decimal
from typing import Any

from catalog.models import ProductType
from tests.carts.money.cases import Case
from tests.factories.taxes import tax_rate

CHANNEL = "Default Sales Channel"
EMAIL, TAX_NUMBER = "ann@example.com", "GB 123 4567 73"
CUSTOMER = {"email": EMAIL, "password": "steeped leaves", "tax_number": TAX_NUMBER}
ADDRESS = {"address_1": "1 Elm Street", "city": "Town", "postal_code": "10001"}


def is_expressed(case: Case) -> bool:
    """Whether its customer is exempt, or all but gift cards have the one default rate of the case's place."""
    lines = zip(case["lines"], case["expected"]["lines"], strict=True)
    taxed = [*(expected for line, expected in lines if not line["is_giftcard"]), *case["expected"]["methods"]]
    return case["exempt"] or all([tax["rate"] for tax in each["tax_lines"]] == [rate_of(case)] for each in taxed)


def rate_of(case: Case) -> str:
    """The rate of the case's place: its province's default, else its country's, else the region's own."""
    place = case["place"]
    defaults = {
        (rate["country_code"], rate["province"]): str(rate["rate"]) for rate in case["tax_rates"] if rate["is_default"]
    }
    of_country = defaults.get((place["country"], None), case.get("region_rate", "0"))
    return defaults.get((place["country"], place["province"]), of_country)


def shop_of(case: Case) -> dict[str, Any]:
    """The shop: a region with its rates, the goods of the lines, codes P0, P1 … and options s1 and `free`."""
    prices, place, code = case["prices"], case["place"], case["currency"]
    defaults = [rate for rate in case["tax_rates"] if rate["is_default"] and not rate["is_combinable"]]
    return {
        "currencies": [{"code": code, "is_tax_inclusive": prices["currency_is_tax_inclusive"]}],
        "regions": [
            {
                "name": "Here",
                "currency_code": code,
                "countries": sorted({place["country"], *(rate["country_code"] for rate in defaults)}),
                "tax_rate": _number(case.get("region_rate", "0")),
                "is_tax_inclusive": prices["region_is_tax_inclusive"],
                "payment_providers": ["pp_system_default"],
                "tax_rates": [
                    {
                        "country_code": rate["country_code"],
                        "rate": _number(rate["rate"]),
                        **({"province": rate["province"]} if rate["province"] else {}),
                    }
                    for rate in defaults
                ],
            }
        ],
        "customers": [{**CUSTOMER, "is_tax_exempt": case["exempt"]}],
        "stock_locations": [{"name": "Warehouse", "sales_channels": [CHANNEL]}],
        "product_types": [{"value": value} for value in sorted({line["type"] for line in case["lines"]} - {None})],
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


def add_rates(case: Case) -> None:
    """The rates of the case that the shop file leaves out."""
    for rate in case["tax_rates"]:
        rules = [rule["reference_id"] for rule in rate["rules"]]
        if rules or rate["is_combinable"]:
            tax_rate(
                rate["country_code"],
                rate["rate"],
                rate["province"],
                types=ProductType.objects.filter(value__in=rules),
                is_default=rate["is_default"],
                is_combinable=rate["is_combinable"],
            )


FREE = {"option": "free", "amount": "0", "is_tax_inclusive": None, "free_from": None}
"""The option for a case without shipping; goods are not bought without any."""


def _product(index: int, case: Case) -> dict[str, Any]:
    line = case["lines"][index]
    return {
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
