"""The prices of variants outside price lists, as programs send them: the given ones replace the stored ones."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from catalog.models import Price, ProductVariant
from catalog.prices.price_editing import COLUMNS, PRICES
from catalog.prices.price_terms import equal_rules, new_terms, replace_prices, stored_prices, terms_of
from catalog.rule_attributes import buyer_rules_problem
from kit.editing.parts import Part, PartWriter, Values
from kit.editing.states import Fault
from kit.errors import InvalidData

_REPEATED = ("currency_code", "Another price is for the same currency, quantities and rules")


def replace_base_prices(writer: PartWriter[ProductVariant]) -> None:
    """A price without an id is the stored one with the same terms, if there is one. Raises RowsRefused."""
    stored, parts, faults = stored_prices(writer), list[Part](), list[Fault]()
    ids = {(row.price_set_id, terms_of(row)): key for key, row in stored.items()}
    for part in writer.parts(PRICES):
        if problem := buyer_rules_problem(part.values.get("rules", {}), each=str):
            faults.append(part.fault("rules", InvalidData(problem)))
            continue
        values = _values(part.values, stored)
        key = ids.get((writer.key(PRICES, part), new_terms(None, values)))
        parts.append(replace(part, values=values if key is None else {"id": key, **values}))
    replace_prices(writer, parts, stored, faults, repeated=_REPEATED)


def _values(given: Mapping[str, Any], stored: Mapping[str, Price]) -> Values:
    """The values for a PriceState."""
    values = {name: given[name] for name in ("id", *COLUMNS) if name in given}
    if "currency_code" in given:
        values["currency_id"] = given["currency_code"].lower()
    if "rules" in given:
        values["rules"] = equal_rules(stored.get(given.get("id", "")), given["rules"])
    return values
