"""Which rates apply to goods in a case: a second implementation, independent of the shop's code."""

from typing import Any

from tests.carts.money.cases import Case

Rate = dict[str, Any]


def applicable(case: Case, **goods: str | None) -> list[str]:
    """goods: what a rule can name: product, product_type, shipping_option. That of the country comes first."""
    country = _candidate(case, None, goods)
    province = _candidate(case, case["place"]["province"], goods) if case["place"]["province"] else None
    if country and province and province["is_combinable"]:
        return [country["rate"], province["rate"]]
    if country and province and province["is_default"] and not country["is_default"]:
        return [country["rate"]]
    found = province or country
    return [found["rate"]] if found else [case["region_rate"]] if "region_rate" in case else []


def applicable_by_line(case: Case, index: int) -> list[str]:
    line = case["lines"][index]
    return [] if line["is_giftcard"] else applicable(case, product=line["product"], product_type=line["type"])


def applicable_by_method(case: Case, index: int) -> list[str]:
    return applicable(case, shipping_option=case["shipping"][index]["option"])


def _candidate(case: Case, province: str | None, goods: dict[str, str | None]) -> Rate | None:
    place = (case["place"]["country"], province)
    rates = [rate for rate in case["tax_rates"] if (rate["country_code"], rate["province"]) == place]
    rules = [{"reference": kind, "reference_id": goods.get(kind)} for kind in KINDS]
    by_rule = [rate for rule in rules for rate in rates if rule in rate["rules"]]
    return next(iter([*by_rule, *(rate for rate in rates if rate["is_default"])]), None)


KINDS = ("product", "product_type", "shipping_option")
