"""The prices of shipping options, as a list of each."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from catalog.models import Price, PriceRule
from catalog.prices import price_editing
from catalog.prices.price_editing import RuleKey
from catalog.rule_attributes import REGION, price_rule_fault
from catalog.states import RuleOperator
from fulfillment.editing.parts import Parts, Values
from fulfillment.models import ShippingOption
from fulfillment.options.rule_attributes import OF_CARTS
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.editing.states import Fault, RowsRefused
from kit.errors import InvalidData
from shop.models import Region

PRICES = Parts("prices", price_editing.VERBS, "price_set_id")
Lists = Mapping[int, tuple[str, Sequence[Values]]]
_IN_REGION = (REGION, RuleOperator.EQUAL.value)


def replace_prices(lists: Lists, *, actor: Actor) -> set[int]:
    """Make these the only prices of their price sets, and return the places of those that this changes.

    A price has a `currency_code`, or a `region_id` whose currency it is in, an `amount` and `rules`. One with an `id`
    is a stored price, which keeps what is not given. Raises RowsRefused.
    """
    given = [price for _, wanted in lists.values() for price in wanted]
    regions = {price["region_id"] for price in given if price.get("region_id")}
    currencies = dict(Region.objects.not_deleted().filter(pk__in=regions).values_list("pk", "currency_id"))
    stored = _stored_rules([price["id"] for price in given if price.get("id")])
    faults: list[Fault] = []
    states: dict[int, tuple[str, list[Values]]] = {}
    for index, (price_set, wanted) in lists.items():
        states[index] = (price_set, [])
        for place, price in enumerate(wanted):
            try:
                states[index][1].append(_state(price, currencies, stored.get(price.get("id", ""), {})))
            except InvalidData as refusal:
                refusal.message = f"prices[{place}]: {refusal.message}"
                faults.append(Fault(index, f"prices[{place}]", refusal))
    if faults:
        raise RowsRefused(ShippingOption, faults)
    changed = PRICES.replace(ShippingOption, states, actor=actor)
    _refuse_repeated(lists)
    return changed


def _state(price: Values, currencies: Mapping[str, str], stored: Mapping[RuleKey, str]) -> Values:
    region, currency, rules = price.get("region_id"), price.get("currency_code"), price.get("rules")
    if region and region not in currencies:
        raise InvalidData(missing("Region", region, field="region_id"))
    if region and currency not in (None, currencies[region]):
        raise InvalidData(f"The currency of the region is {currencies[region]}, not '{currency}'")
    if not (region or currency or "id" in price):
        raise InvalidData("Field 'currency_code' or 'region_id' is required")
    if "amount" not in price and "id" not in price:
        raise InvalidData("Field 'amount' is required")
    wanted: dict[RuleKey, str | None] = {}
    if rules is not None:
        wanted = {key: None for key in stored if key != _IN_REGION} | _rules(rules)
    if region or currency:
        wanted.setdefault(_IN_REGION, region)
    state = {name: price[name] for name in ("id", "amount") if name in price}
    return {**state, **({"currency_id": currency or currencies[region]} if region or currency else {}), "rules": wanted}


def _rules(rules: Sequence[Values]) -> dict[RuleKey, str | None]:
    wanted: dict[RuleKey, str | None] = {}
    for rule in rules:
        attribute, operator, value = rule["attribute"], rule["operator"], _text(rule["value"])
        if attribute not in OF_CARTS:
            raise InvalidData(f"Rules of prices cannot compare '{attribute}'; they can compare {', '.join(OF_CARTS)}")
        if problem := price_rule_fault(OF_CARTS, attribute, operator, value):
            raise InvalidData(f"Field '{problem[0]}' of a rule {problem[1]}")
        if (attribute, operator) in wanted:
            raise InvalidData(f"Two rules have the attribute '{attribute}' and the operator '{operator}'")
        wanted[attribute, operator] = value
    return wanted


def _text(value: str | Decimal) -> str:
    return value if isinstance(value, str) else f"{value:f}"


def _stored_rules(prices: Sequence[str]) -> dict[str, dict[RuleKey, str]]:
    found: dict[str, dict[RuleKey, str]] = {}
    rules = PriceRule.objects.not_deleted().filter(price__in=prices) if prices else PriceRule.objects.none()
    for price, attribute, operator, value in rules.values_list("price_id", "attribute", "operator", "value"):
        found.setdefault(price, {})[attribute, operator] = value
    return found


def _refuse_repeated(lists: Lists) -> None:
    """Two prices of an option must differ by their currency, quantities or rules."""
    prices = Price.objects.not_deleted().filter(price_set__in=[price_set for price_set, _ in lists.values()])
    rules = _stored_rules(list(prices.values_list("pk", flat=True)))
    seen: dict[str, set[Any]] = {}
    for key, price_set, *columns in prices.values_list(
        "pk", "price_set_id", "currency_id", "min_quantity", "max_quantity"
    ):
        price = (*columns, frozenset(rules.get(key, {}).items()))
        if price in seen.setdefault(price_set, set()):
            index = next(index for index, (of, _) in lists.items() if of == price_set)
            refusal = InvalidData("Two prices have the same currency, quantities and rules")
            raise RowsRefused(ShippingOption, [Fault(index, "prices", refusal)])
        seen[price_set].add(price)
