"""The prices of shipping options, as programs send them: with a region or a currency, and a list of rules."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from catalog.prices.price_editing import PRICES, RuleKey
from catalog.prices.price_terms import Rules, replace_prices, rules_of, stored_prices
from catalog.rule_attributes import REGION, price_rule_fault
from catalog.states import RuleOperator
from fulfillment.models import ShippingOption
from fulfillment.options.rule_attributes import OF_CARTS
from kit.domain.missing_row import missing
from kit.editing.parts import Part, PartWriter, Values
from kit.editing.states import Fault
from kit.errors import InvalidData
from shop.models import Region

_IN_REGION = (REGION, RuleOperator.EQUAL.value)
_REPEATED = ("", "Another price of the option has the same currency and rules")


def replace_option_prices(writer: PartWriter[ShippingOption]) -> None:
    """Prices have a `currency_code`, or a `region_id` whose currency they are in, an `amount` and `rules`.

    One with an `id` is a stored price, which keeps what is not given. Raises RowsRefused.
    """
    given, parts, faults = writer.parts(PRICES), list[Part](), list[Fault]()
    regions = {part.values["region_id"] for part in given if "region_id" in part.values}
    found = Region.objects.not_deleted().filter(pk__in=regions).values_list("pk", "currency_id") if regions else ()
    currencies, stored = dict(found), stored_prices(writer)
    for part in given:
        try:
            values = _values(part.values, currencies, rules_of(stored.get(part.values.get("id", ""))))
            parts.append(replace(part, values=values))
        except InvalidData as refusal:
            faults.append(part.fault("", refusal))
    replace_prices(writer, parts, stored, faults, repeated=_REPEATED)


def _values(given: Values, currencies: Mapping[str, str], stored: Rules) -> Values:
    """The values for a PriceState. currencies: by region. stored: the rules of the price."""
    region, currency, rules = given.get("region_id"), given.get("currency_code", "").lower(), given.get("rules")
    if region and region not in currencies:
        raise InvalidData(missing("Region", region, field="region_id"))
    if region and currency not in ("", currencies[region]):
        raise InvalidData(f"The currency of the region is {currencies[region]}, not '{currency}'")
    if "id" not in given and not (region or currency):
        raise InvalidData("Field 'currency_code' or 'region_id' is required")
    if "id" not in given and "amount" not in given:
        raise InvalidData("Field 'amount' is required")
    values: Values = {name: given[name] for name in ("id", "amount") if name in given}
    changes: dict[RuleKey, str | None] = {}
    if rules is not None:
        changes = {**dict.fromkeys(key for key in stored if key != _IN_REGION), **_rules(rules)}
    if region or currency:
        changes.setdefault(_IN_REGION, region)
        values["currency_id"] = currencies[region] if region else currency
    return {**values, "rules": changes}


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
