"""What the rules of promotions can compare: declared once, for verbs, routes and forms."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import models

from carts import rule_attributes as attributes
from carts.states import Comparison, PromotionTarget, RuleKind
from catalog.models import (
    Product,
    ProductCategory,
    ProductCollection,
    ProductTag,
    ProductType,
    ProductVariant,
)
from customers.models import Customer, CustomerGroup
from kit.domain.hooks import Wired
from shop.models import Country, Currency, Region, SalesChannel


class FieldType(StrEnum):
    """How a form asks for the values: rows to choose, a number, yes or no, or a text."""

    ROWS = "multiselect"
    NUMBER = "number"
    FLAG = "boolean"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Source:
    """The rows that values name by their primary key. label: the column that people know them by."""

    model: type[models.Model]
    label: str

    @property
    def permission(self) -> str:
        """What it takes to see the rows."""
        return f"{self.model._meta.app_label}.view_{self.model._meta.model_name}"

    def rows(self) -> models.QuerySet[Any]:
        """Those that rules can name."""
        rows: models.QuerySet[Any] = self.model._default_manager.filter(deleted_at=None)
        return rows


@dataclass(frozen=True, slots=True)
class RuleAttribute:
    """Something that rules can compare.

    id: in the paths of routes. value: as rules name it. kind: of the rules. target: of the promotions whose target
    rules it is for. source: of values that name rows; "" where SHIPPING_SOURCES has it.
    """

    id: str
    value: str
    label: str
    field_type: FieldType
    kinds: frozenset[RuleKind]
    target: PromotionTarget | None = None
    source: Source | None = None

    @property
    def operators(self) -> tuple[Comparison, ...]:
        """How rules can compare it."""
        return _OPERATORS[self.field_type]

    def rows(self) -> Source | None:
        """The rows that its values name; None for other values."""
        return self.source or SHIPPING_SOURCES.get().get(self.value)

    def fault(self, values: Sequence[str]) -> str | None:
        """What is wrong with the values, apart from rows that do not exist."""
        if self.field_type == FieldType.NUMBER and not (len(values) == 1 and _NUMBER.fullmatch(values[0])):
            return "must be one number, 0 or more, of at most 11 digits and 4 decimals"
        if self.field_type == FieldType.FLAG and list(values) not in (["true"], ["false"]):
            return "must be true or false"
        return None


SHIPPING_SOURCES = Wired[Mapping[str, Source]]("the rows that rules about shipping methods name")
MOST_VALUES = 1000
_NUMBER = re.compile(r"[0-9]{1,11}(\.[0-9]{1,4})?", re.ASCII)
"""Amounts of any currency, as money columns hold them."""
MOST_RULES = 20

_CART = frozenset({RuleKind.RULES})
_GOODS = frozenset({RuleKind.TARGET_RULES, RuleKind.BUY_RULES})
_NAMED = (Comparison.IN, Comparison.EQUAL, Comparison.NOT_EQUAL)
_OPERATORS = {
    FieldType.ROWS: _NAMED,
    FieldType.TEXT: _NAMED,
    FieldType.FLAG: (Comparison.EQUAL,),
    FieldType.NUMBER: (
        Comparison.GREATER_OR_EQUAL,
        Comparison.GREATER,
        Comparison.LESS_OR_EQUAL,
        Comparison.LESS,
    ),
}


def _of_cart(id: str, value: str, label: str, source: Source) -> RuleAttribute:
    return RuleAttribute(id, value, label, FieldType.ROWS, _CART, source=source)


def _number(value: str, label: str) -> RuleAttribute:
    return RuleAttribute(value, value, label, FieldType.NUMBER, _CART)


def _of_goods(id: str, value: str, label: str, source: Source) -> RuleAttribute:
    return RuleAttribute(id, value, label, FieldType.ROWS, _GOODS, PromotionTarget.ITEMS, source)


def _of_shipping(id: str, value: str, label: str) -> RuleAttribute:
    kinds = frozenset({RuleKind.TARGET_RULES})
    return RuleAttribute(id, value, label, FieldType.ROWS, kinds, PromotionTarget.SHIPPING_METHODS)


DECLARED: Sequence[RuleAttribute] = (
    _of_cart("customer_group", attributes.GROUPS, "Customer group", Source(CustomerGroup, "name")),
    _of_cart("customer", attributes.CUSTOMER, "Customer", Source(Customer, "email")),
    _of_cart("region", attributes.REGION, "Region", Source(Region, "name")),
    _of_cart("country", attributes.COUNTRY, "Country", Source(Country, "display_name")),
    RuleAttribute("province", attributes.PROVINCE, "Province", FieldType.TEXT, _CART),
    _of_cart("sales_channel", attributes.CHANNEL, "Sales channel", Source(SalesChannel, "name")),
    _number(attributes.ITEM_TOTAL, "Total of the items"),
    _number(attributes.ORIGINAL_ITEM_TOTAL, "Total of the items before discounts"),
    _number(attributes.ITEM_QUANTITY, "Number of pieces"),
    _number(attributes.TARGET_TOTAL, "Total of the discounted items"),
    _number(attributes.TARGET_QUANTITY, "Number of discounted pieces"),
    RuleAttribute(attributes.IS_FIRST_ORDER, attributes.IS_FIRST_ORDER, "First order", FieldType.FLAG, _CART),
    _of_goods("product", attributes.PRODUCT, "Product", Source(Product, "title")),
    _of_goods("variant", attributes.VARIANT, "Variant", Source(ProductVariant, "title")),
    _of_goods("product_category", attributes.CATEGORY, "Category", Source(ProductCategory, "name")),
    _of_goods("product_collection", attributes.COLLECTION, "Collection", Source(ProductCollection, "title")),
    _of_goods("product_type", attributes.TYPE, "Type", Source(ProductType, "value")),
    _of_goods("product_tag", attributes.TAG, "Tag", Source(ProductTag, "value")),
    _of_shipping("shipping_option", attributes.SHIPPING_OPTION, "Shipping option"),
    _of_shipping("shipping_option_type", attributes.SHIPPING_TYPE, "Type of shipping option"),
)
BY_VALUE = {each.value: each for each in DECLARED}
CURRENCIES = Source(Currency, "name")


def attributes_of(kind: str, target_type: str | None = None) -> list[RuleAttribute]:
    """What rules of that kind can compare, of a promotion with that target; of any, where there is none."""
    return [
        each
        for each in DECLARED
        if kind in each.kinds and (kind != RuleKind.TARGET_RULES or target_type is None or each.target == target_type)
    ]
