"""The prices of shipping options, as programs send them: with a region or a currency, and a list of rules."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from catalog.models import Price
from catalog.prices import price_editing
from catalog.prices.price_editing import RuleKey
from catalog.prices.price_reduction import rules_of
from catalog.rule_attributes import REGION, price_rule_fault
from catalog.states import RuleOperator
from fulfillment.models import ShippingOption
from fulfillment.options.rule_attributes import OF_CARTS
from kit.domain.missing_row import missing
from kit.editing.parts import Parts, Values, parts_of, refuse
from kit.errors import InvalidData
from shop.models import Region

PRICES = Parts("prices", price_editing.VERBS, "price_set_id", key="price_set_id", names={"currency": "currency_code"})
_IN_REGION = (REGION, RuleOperator.EQUAL.value)


def with_prices(states: Sequence[Any]) -> list[Any]:
    """The states of options with their prices as the verbs of prices take them. Two statements, if there are any.

    A price has a `currency_code`, or a `region_id` whose currency it is in, an `amount` and `rules`. One with an `id`
    is a stored price, which keeps what is not given. Raises RowsRefused.
    """
    parts = parts_of(states, PRICES.name)
    regions = {part.values["region_id"] for part in parts if "region_id" in part.values}
    found = Region.objects.not_deleted().filter(pk__in=regions).values_list("pk", "currency_id") if regions else ()
    currencies, stored = dict(found), _stored([part.values["id"] for part in parts if "id" in part.values])
    prices: dict[int, list[Values]] = {part.index: [] for part in parts}
    faults, seen = [], set()
    for part in parts:
        try:
            before, kept = stored.get(part.values.get("id", ""), ("", {}))
            price = _price(part.values, currencies, kept)
        except InvalidData as refusal:
            faults.append(part.fault("", refusal))
            continue
        rules = {name: value for name, value in {**kept, **price["rules"]}.items() if value is not None}
        key = (part.index, price.get("currency_id", before), frozenset(rules.items()))
        if key in seen:
            faults.append(part.fault("", InvalidData("Another price of the option has the same currency and rules")))
        seen.add(key)
        prices[part.index].append(price)
    refuse(ShippingOption, faults)
    return [replace(state, prices=prices[index]) if index in prices else state for index, state in enumerate(states)]


def _price(given: Values, currencies: Mapping[str, str], stored: Mapping[RuleKey, str | None]) -> Values:
    region, currency, rules = given.get("region_id"), given.get("currency_code", "").lower(), given.get("rules")
    if region and region not in currencies:
        raise InvalidData(missing("Region", region, field="region_id"))
    if region and currency not in ("", currencies[region]):
        raise InvalidData(f"The currency of the region is {currencies[region]}, not '{currency}'")
    if "id" not in given and not (region or currency):
        raise InvalidData("Field 'currency_code' or 'region_id' is required")
    if "id" not in given and "amount" not in given:
        raise InvalidData("Field 'amount' is required")
    price: Values = {name: given[name] for name in ("id", "amount") if name in given}
    wanted: dict[RuleKey, str | None] = {}
    if rules is not None:
        wanted = {**dict.fromkeys(key for key in stored if key != _IN_REGION), **_rules(rules)}
    if region or currency:
        wanted.setdefault(_IN_REGION, region)
        price["currency_id"] = currencies[region] if region else currency
    return {**price, "rules": wanted}


def _rules(rules: Sequence[Values]) -> dict[RuleKey, str]:
    for rule in rules:
        if rule["attribute"] not in OF_CARTS:
            raise InvalidData(f"'{rule['attribute']}' is none of the attributes {', '.join(OF_CARTS)}")
        if problem := price_rule_fault(OF_CARTS, rule["attribute"], rule["operator"], rule["value"]):
            raise InvalidData(f"Field '{problem[0]}' of a rule {problem[1]}")
    wanted = {(rule["attribute"], rule["operator"]): rule["value"] for rule in rules}
    if len(wanted) < len(rules):
        raise InvalidData("Two rules have the same attribute and operator")
    return wanted


def _stored(prices: Sequence[str]) -> dict[str, tuple[str, dict[RuleKey, str | None]]]:
    """The currency and the rules of each. Two statements, if there are any."""
    rows = Price.objects.not_deleted().filter(pk__in=prices).prefetch_related("rules") if prices else ()
    return {row.pk: (row.currency_id, rules_of(row)) for row in rows}
