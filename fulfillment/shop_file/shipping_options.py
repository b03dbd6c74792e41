"""The shipping options of service zones, with their types, prices and rules."""

import json
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import models

from catalog.shop_file.prices import OwnPrices, dumped_price, wanted_prices
from fulfillment.editing.option_types import OptionTypes
from fulfillment.models import ShippingOption, ShippingOptionRule
from fulfillment.shop_file.option_fields import OPTION_ID
from kit.editing.children import Children, Key
from kit.shop_file.named_children import NamedChildren
from kit.shop_file.problems import Problems
from kit.shop_file.values import Entry
from kit.values.ids import new_id
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat

COLUMNS = ("name", "price_type", "data", "metadata")
REFERENCES = ("provider", "shipping_profile")


class OptionRows(NamedChildren[ShippingOption]):
    """Shipping options of service zones."""

    model = ShippingOption
    parent = "service_zone_id"

    def stored(self, parents: Collection[Hashable]) -> models.QuerySet[ShippingOption]:
        return super().stored(parents).select_related("shipping_profile")


class OptionRules(Children[ShippingOptionRule]):
    """Rules of shipping options. All fields of one are its key, the value as JSON text."""

    model = ShippingOptionRule
    parent = "shipping_option_id"
    key = ("attribute", "operator")

    def key_of(self, row: ShippingOptionRule) -> Key:
        return (*super().key_of(row), json.dumps(row.value))


@dataclass(frozen=True)
class ParsedOption:
    """A shipping option of the file, checked; `row` is None for a new one, `prices` if the file has none."""

    entry: Entry
    row: ShippingOption | None
    prices: Mapping[Key, Mapping[str, object]] | None
    rules: Mapping[Key, JSONObject]


class ShippingOptions:
    """The shipping options of a batch of service zones. Those that a zone's list does not name stay as they are."""

    def __init__(self, zones: Collection[str], entries: Sequence[Entry], problems: Problems) -> None:
        """`zones`: ids of those that are stored; `entries`: all objects of options."""
        self._problems = problems
        self._rows = OptionRows(zones, entries)
        rows = self._rows.all()
        self._types = OptionTypes(rows)
        self._prices = OwnPrices(rows)
        self._rules = OptionRules([row.pk for row in rows])

    def parse(self, zone: str, entry: Entry) -> ParsedOption:
        """The object of an option of the zone, checked. Reports its problems."""
        row = self._rows.match(zone, entry, self._problems)
        prices = wanted_prices(entry.given["prices"], self._problems) if "prices" in entry.given else None
        return ParsedOption(entry, row, prices, self._wanted_rules(entry))

    def put(self, zone: str, parsed: ParsedOption) -> bool:
        """Add the option to the zone, or update it. Returns whether that changes anything."""
        given, row = parsed.entry.given, parsed.row
        attributes = {name: given[name] for name in COLUMNS if name in given}
        attributes |= {f"{name}_id": given[name] for name in REFERENCES if name in given}
        changes = self._prices.replace_all(row, parsed.prices, attributes)
        changes |= "type" in given and self._put_type(row, given["type"], attributes)
        if row is None and "created_at" in given:
            attributes["created_at"] = given["created_at"]
        pk = row.pk if row else given.get("id") or new_id(OPTION_ID.prefix)
        changes |= self._rows.put(zone, (pk,), attributes)
        if "rules" in given:
            changes |= self._rules.replace(pk, parsed.rules)
        return changes

    def write(self) -> None:
        """Write all changes."""
        for rows in (self._types, self._rows, self._prices, self._rules):
            rows.write()

    def dumped(self, zone: str, regions: Mapping[str, str]) -> Iterator[JSONObject]:
        """The zone's options as objects of the file; `regions`: names by id."""
        for row in self._rows.of(zone).values():
            kind = self._types.rows.get(row.type_id)
            prices = self._prices.of_owner(row)
            profile = row.shipping_profile
            is_nameable = profile is None or profile.deleted_at is None
            yield {
                "id": row.pk,
                "name": row.name,
                "price_type": row.price_type,
                "provider": row.provider_id,
                **({"shipping_profile": profile.name if profile else None} if is_nameable else {}),
                "type": {"label": kind.label, "description": kind.description, "code": kind.code} if kind else None,
                "data": row.data,
                "prices": [dumped_price(price, self._prices.rules.get(price.pk, ()), regions) for price in prices],
                "rules": [
                    {"attribute": rule.attribute, "operator": rule.operator, "value": rule.value}
                    for rule in self._rules.of(row.pk).values()
                ],
                "metadata": row.metadata,
                "created_at": isoformat(row.created_at),
            }

    def _wanted_rules(self, entry: Entry) -> dict[Key, JSONObject]:
        wanted: dict[Key, JSONObject] = {}
        for rule in entry.given.get("rules", ()):
            given = rule.given
            key = (given["attribute"], given["operator"], json.dumps(given["value"]))
            if key in wanted:
                self._problems.add(rule.path, "is repeated")
            wanted[key] = {"value": given["value"]}
        return wanted

    def _put_type(self, row: ShippingOption | None, parsed: Entry | None, attributes: dict[str, object]) -> bool:
        texts = None if parsed is None else {"description": "", **parsed.given}
        attributes["type_id"], is_changed = self._types.put(row.type_id if row else None, texts)
        return is_changed
