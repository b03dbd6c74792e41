"""The terms of a price, in which two of one variant, option or list must differ: currency, quantities and rules."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import prefetch_related_objects

from catalog.models import Price
from catalog.prices.price_editing import PRICES, RuleKey
from catalog.states import RuleOperator
from kit.editing.parts import Part, PartWriter
from kit.editing.states import Fault
from kit.errors import InvalidData

Rules = Mapping[RuleKey, str]
RuleChanges = Mapping[RuleKey, str | None]
"""As PriceState takes them: None removes a rule, and others stay."""


class Terms(NamedTuple):
    """What a price is for, besides its variant or option."""

    currency_id: str | None
    min_quantity: int | None
    max_quantity: int | None
    rules: frozenset[tuple[RuleKey, str]]


def rules_of(price: Price | None) -> Rules:
    """The values of a stored price's rules by attribute and operator; none for a new price."""
    rules = price.rules.all() if price else ()
    return {(rule.attribute, rule.operator): rule.value for rule in rules if rule.deleted_at is None}


def terms_of(price: Price) -> Terms:
    """The terms of a stored price."""
    return Terms(price.currency_id, price.min_quantity, price.max_quantity, frozenset(rules_of(price).items()))


def new_terms(price: Price | None, changes: Mapping[str, Any]) -> Terms:
    """The terms of a price, new if None, after these changes, which are values of a PriceState."""
    currency, least, most = (changes.get(name, getattr(price, name, None)) for name in Terms._fields[:3])
    rules = {**rules_of(price), **changes.get("rules", {})}
    return Terms(currency, least, most, frozenset((key, one) for key, one in rules.items() if one is not None))


def equal_rules(price: Price | None, values: Mapping[str, str]) -> RuleChanges:
    """Changes that replace the rules of a price, new if None, by `attribute eq value`."""
    return {**dict.fromkeys(rules_of(price)), **{(name, RuleOperator.EQUAL.value): one for name, one in values.items()}}


def stored_prices(writer: PartWriter[Any]) -> dict[str, Price]:
    """The prices that the writer is to replace, by id, with their rules. Two statements, if there are any."""
    stored = writer.stored(PRICES)
    prefetch_related_objects([*stored.values()], "rules")
    return stored


def replace_prices(
    writer: PartWriter[Any],
    parts: Sequence[Part],
    stored: Mapping[str, Price],
    faults: Sequence[Fault],
    *,
    repeated: tuple[str, str],
) -> None:
    """Make these the only prices of their rows. Raises RowsRefused.

    parts: with values of PriceState. faults: found in other prices. repeated: the field and the message of the fault of
    a price with the terms of an earlier one.
    """
    seen, found, (field, message) = set[tuple[int, Terms]](), [*faults], repeated
    for part in parts:
        key = (part.index, new_terms(stored.get(part.values.get("id", "")), part.values))
        if key in seen:
            found.append(part.fault(field, InvalidData(message)))
        seen.add(key)
    writer.refuse(found)
    writer.replace(PRICES, parts, stored)
