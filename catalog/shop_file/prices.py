"""Prices in the shop file: of variants, of price lists and of shipping options."""

from collections.abc import Collection, Hashable, Iterable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from django.db import models

from catalog.models import Price, PriceRule, PriceSet
from catalog.products.product_details import checked_amount
from catalog.rule_attributes import OF_BUYERS, REGION, Kinds, price_rule_fault
from catalog.shop_file.rules import rules
from catalog.states import RuleOperator
from kit.editing.changes import Changes
from kit.editing.children import Children, Key
from kit.errors import InvalidData
from kit.shop_file.problems import Problems
from kit.shop_file.references import Named
from kit.shop_file.values import Amount, Entry, Integer, Text, Value, written
from kit.values.json import JSON, JSONObject
from shop.models import Region
from shop.shop_file.currencies import CurrencyCode
from shop.shop_file.targets import REGIONS


def price_fields(kinds: Kinds) -> Mapping[str, Value]:
    """The fields of a price. kinds: the attributes that its rules may name."""
    return {
        "currency_code": CurrencyCode(required=True),
        "amount": Amount(required=True),
        "min_quantity": Integer(nullable=True),
        "max_quantity": Integer(nullable=True),
        "region": Named(target=REGIONS, nullable=True),
        "rules": rules(
            kinds,
            operators=tuple(RuleOperator.values),
            value=Text(required=True),
            fault=partial(price_rule_fault, kinds),
        ),
    }


PRICE = price_fields(OF_BUYERS)
"""The fields of a variant's price."""

Rule = tuple[str, str, str]
"""Attribute, operator, value."""


class Prices(Children[Price]):
    """The prices of price sets outside price lists. Their key is the currency, the quantities and the rules."""

    model = Price
    parent = "price_set_id"
    key: tuple[str, ...] = ("currency_id", "min_quantity", "max_quantity")
    """The last element of a key is the set of rules, which are rows of their own."""

    def __init__(self, parents: Collection[Hashable]) -> None:
        self.rules: dict[str, set[Rule]] = {}
        self._new_rules = Changes(PriceRule)
        if parents:
            rules = PriceRule.objects.not_deleted().filter(price__in=self.stored(parents))
            for price, *rule in rules.values_list("price_id", "attribute", "operator", "value"):
                self.rules.setdefault(price, set()).add((rule[0], rule[1], rule[2]))
        super().__init__(parents)

    def stored(self, parents: Collection[Hashable]) -> models.QuerySet[Price]:
        return super().stored(parents).filter(price_list=None)

    def key_of(self, row: Price) -> Key:
        return (*super().key_of(row), frozenset(self.rules.get(row.pk, ())))

    def put(self, parent: Hashable, key: Key, attributes: Mapping[str, object]) -> bool:
        is_new = key not in self.of(parent)
        changes = super().put(parent, key, attributes)
        if is_new:
            self._add_rules(self.of(parent)[key], key[-1])
        return changes

    def write(self) -> None:
        super().write()
        self._new_rules.write()

    def _add_rules(self, price: Price, rules: Any) -> None:
        for attribute, operator, value in sorted(rules):
            self._new_rules.make(price_id=price.pk, attribute=attribute, operator=operator, value=value)


class OwnPrices(Prices):
    """The prices of rows with a price set, which a row gets with its first price.

    The load locks the rows, or the rows that they belong to: see catalog/prices/price_sets.py.
    """

    def __init__(self, owners: Iterable[Any]) -> None:
        """`owners`: the rows that are stored."""
        super().__init__([row.price_set_id for row in owners if row.price_set_id])
        self._price_sets = Changes(PriceSet)

    def of_owner(self, owner: Any) -> Iterable[Price]:
        """The prices of one row."""
        return self.of(owner.price_set_id).values()

    def replace_all(
        self, owner: Any | None, wanted: Mapping[Key, Mapping[str, object]] | None, attributes: dict[str, object]
    ) -> bool:
        """Replace the prices of the row, None for a new one. Returns whether anything changes.

        `wanted`: None for no change. The id of a new price set is put into the row's `attributes`.
        """
        price_set = owner.price_set_id if owner else None
        if wanted and price_set is None:
            price_set = attributes["price_set_id"] = self._price_sets.make().pk
        return price_set is not None and wanted is not None and self.replace(price_set, wanted)

    def write(self) -> None:
        self._price_sets.write()
        super().write()


def wanted_prices(prices: Iterable[Entry], problems: Problems) -> dict[Key, dict[str, object]]:
    """The prices by key, as Prices takes them. Reports repeated prices and invalid amounts."""
    wanted: dict[Key, dict[str, object]] = {}
    places: dict[Hashable, str] = {}
    for price in prices:
        key = price_key(price, problems)
        if places.setdefault(key, price.path) != price.path:
            problems.add(price.path, f"has the same currency, quantities and rules as {places[key]}")
        wanted[key] = {"amount": payable(price, problems)}
    return wanted


def price_key(price: Entry, problems: Problems) -> Key:
    """The currency, quantities and rules of a price. Reports invalid ones."""
    given = price.given
    least, most = given.get("min_quantity"), given.get("max_quantity")
    if least is not None and most is not None and least > most:
        problems.add(f"{price.path}.max_quantity", f"is below the min_quantity of {least}")
    return given["currency_code"], least, most, _rules(price, problems)


def payable(price: Entry, problems: Problems) -> Decimal | None:
    """The amount, checked against its currency; None after reporting a problem."""
    try:
        return checked_amount(price.given["amount"], price.given["currency_code"])
    except InvalidData as error:
        problems.add(f"{price.path}.amount", error.message)
        return None


def _rules(price: Entry, problems: Problems) -> frozenset[Rule]:
    rules: dict[tuple[str, str], Rule] = {}
    region = price.given.get("region")
    if region is not None:
        rules[REGION, RuleOperator.EQUAL] = (REGION, RuleOperator.EQUAL.value, region)
    for rule in price.given.get("rules", ()):
        attribute, operator = rule.given["attribute"], rule.given["operator"]
        if (attribute, operator) in rules:
            problems.add(rule.path, "has the same attribute and operator as another rule of the price")
        rules[attribute, operator] = (attribute, operator, rule.given["value"])
    return frozenset(rules.values())


def dumped_price(price: Price, rules: Iterable[Rule], regions: Mapping[str, str]) -> JSONObject:
    """The price as an object of the file. `regions`: names by id, without deleted regions."""
    dumped: JSONObject = {"currency_code": price.currency_id, "amount": written(price.amount)}
    other_rules: list[JSON] = []
    if price.min_quantity is not None:
        dumped["min_quantity"] = price.min_quantity
    if price.max_quantity is not None:
        dumped["max_quantity"] = price.max_quantity
    for attribute, operator, value in sorted(rules):
        if (attribute, operator) == (REGION, RuleOperator.EQUAL) and value in regions:
            dumped["region"] = regions[value]
        else:
            other_rules.append({"attribute": attribute, "operator": operator, "value": value})
    return {**dumped, "rules": other_rules} if other_rules else dumped


def region_names() -> dict[str, str]:
    """The names of the regions by id."""
    return dict(Region.objects.not_deleted().values_list("pk", "name"))
