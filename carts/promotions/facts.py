"""What the rules of promotions compare: facts about a cart's goods, shipping methods, customer and place."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from django.db.models import QuerySet, TextField, Value
from django.db.models.functions import Cast

from carts import rule_attributes as attributes
from carts.arithmetic.offers import ActivePromotion, Facts
from carts.promotions.derived import gate_key
from carts.promotions.listed_parameters import places, size_of, values
from catalog.models import Product, ProductCategory
from kit.database import raw_sql
from kit.domain.hooks import Wired

HAS_ORDERED = Wired[Callable[[str], bool]]("whether a customer key has an order that is not canceled")
SHIPPING_TYPES = Wired[Callable[[Sequence[str]], Mapping[str, str]]]("the types of shipping options, by id")

OF_CATALOGUE = (attributes.COLLECTION, attributes.TAG, attributes.CATEGORY)
"""What the lines do not know of their products."""


def catalogue_facts(product_ids: Iterable[str | None]) -> Mapping[str, Facts]:
    """Collection, tags and categories (with those above them) of products. One statement."""
    ids = sorted({product_id for product_id in product_ids if product_id})
    if not ids:
        return {}
    text, parameters = _statement(size_of(ids))
    given = values(ids)
    facts: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    for what, product_id, value in raw_sql.fetch(text, [given.get(each, each) for each in parameters]):
        if value is not None:
            known = facts[product_id].get(what, frozenset())
            facts[product_id][what] = known | set(value.split(".") if what == attributes.CATEGORY else (value,))
    return facts


def _text(value: str) -> Cast:
    """The value as a column; PostgreSQL is told its type, since it prepares the statement without the value."""
    return Cast(Value(value), TextField())


@cache
def _statement(size: int) -> tuple[str, Sequence[object]]:
    """size: of the list of products."""
    ids = places(size)
    products = Product.objects.filter(pk__in=ids).order_by()
    tags = Product.tags.through._default_manager.filter(product__in=ids).order_by()
    paths = ProductCategory.objects.filter(products__in=ids, in_deleted_branch=False).order_by()
    rows: QuerySet[Any, Any] = products.values_list(_text(attributes.COLLECTION), "pk", "collection_id").union(
        tags.values_list(_text(attributes.TAG), "product_id", "producttag_id"),
        paths.values_list(_text(attributes.CATEGORY), "products__pk", "path"),
        all=True,
    )
    return rows.query.sql_with_params()


def gate_keys(facts: Iterable[Facts]) -> set[str]:
    """The keys of the gates that a cart with these facts opens."""
    named = {(attribute, value) for each in facts for attribute, values in each.items() for value in values}
    return {key for attribute, value in named if (key := gate_key(attribute, value))}


def asks(promotions: Iterable[ActivePromotion], attribute: str) -> bool:
    """Whether a rule of one of them is about the attribute."""
    return any(
        rule.attribute == attribute
        for each in promotions
        for rule in (*each.rules, *each.target_rules, *each.buy_rules)
    )
