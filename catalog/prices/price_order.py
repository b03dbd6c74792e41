"""The order of products by their lowest calculated price.

This implements the rules of price_selection.py in SQL, for tens of thousands of products at once. A property test
compares both (tests/properties/test_price_order.py). Where the best price of each variant is its lowest one, the
product's stored lowest prices are read (catalog/prices/lowest_prices), else all its prices.
"""

from collections.abc import Mapping
from typing import Any

import orjson
from django.db import connection

from catalog.models import StalePrice
from catalog.prices import price_parameters
from catalog.prices.lowest_prices.queries import FOR_ONE, STALE
from catalog.prices.lowest_prices.queries import TABLE as LOWEST
from catalog.prices.price_candidates import load_active_lists
from catalog.prices.price_context import PriceContext
from catalog.prices.price_selection import is_open
from catalog.states import PriceListType
from kit.reads.computed_orders import Values
from kit.values.json import JSONObject
from kit.values.timestamps import now

MOST_MARKS = 2000
"""With more marks of stale prices, no stored price is read."""

_RANK = 2 * 10**15
"""More than any amount, in 1/10,000 of a major unit."""
_PLACE = f"({10**18} + (999 - rules) * {_RANK} + amount)"
"""The place of a price, in 19 digits. The lowest place is the best: more rules come first, then a lower amount."""

_VARIANTS_OF = (
    "SELECT variant.product_id, variant.id, variant.price_set_id "
    "FROM {products} JOIN catalog_productvariant AS variant ON variant.product_id = key WHERE {condition}"
)
_NOT_DELETED, _DELETED = "variant.deleted_at IS NULL", "variant.deleted_at IS NOT NULL"
_LISTS, _HELD = "id text, rules int, is_override bool", "attribute text, value text"

_STORED = f"""
        stored AS MATERIALIZED (
            SELECT matching.key, MIN(lowest.amount) AS amount,
                MAX(CASE WHEN lowest.is_ruled OR list.is_override IS TRUE THEN 1 ELSE 0 END) AS is_ruled,
                MIN(list.rules) AS fewest, MAX(list.rules) AS most
            FROM matching
            JOIN {LOWEST} AS lowest ON lowest.product_id = matching.key AND lowest.currency_code = %s
            LEFT JOIN list ON list.id = lowest.price_list_id
            WHERE lowest.price_list_id = '' OR list.id IS NOT NULL
            GROUP BY matching.key
        ),
        to_compute (key) AS MATERIALIZED (
            SELECT key FROM stored WHERE is_ruled = 1 OR fewest < most
            UNION
            SELECT key FROM matching WHERE key IN ({STALE})
        )"""  # noqa: S608 - constants only
"""The lowest amounts that are stored, and the products whose amounts must be computed.

Prices of sales that have equally many rules compete by their amounts alone.
"""


def calculated_amounts(context: Mapping[str, Any], with_deleted: bool) -> Values | None:
    """See ComputedOrder.values: the lowest calculated amount among the variants of each product, in 1/10,000.

    context: see price_parameters.requested. Rules of variants' prices compare texts only (rule_attributes.OF_BUYERS).
    """
    prices = price_parameters.requested(context).context
    if prices is None:
        return None
    tables = f"WITH list AS MATERIALIZED {_rows_of(_LISTS)}, held AS MATERIALIZED {_rows_of(_HELD)},"
    given = (_json(_open_lists(prices)), _json(_held(prices)))
    currency = prices.currency_code
    condition = "true" if with_deleted else _NOT_DELETED
    if StalePrice.objects.all()[MOST_MARKS : MOST_MARKS + 1].exists():
        variants = _VARIANTS_OF.format(products="matching", condition=condition)
        return f"{tables} {_computed(variants)}", (*given, currency)
    products = "to_compute"
    if connection.vendor == "postgresql":  # it expects few rows in an array, and then reads no table as a whole
        products = "(SELECT unnest(ARRAY(SELECT key FROM to_compute)) AS key) AS few"
    variants = _VARIANTS_OF.format(products=products, condition=condition)
    others = "key NOT IN (SELECT key FROM to_compute)"
    stored = f"SELECT key AS product_id, amount FROM stored WHERE {others}"  # noqa: S608 - constants only
    if with_deleted:  # the prices of deleted variants are not stored
        deleted = _VARIANTS_OF.format(products="matching", condition=f"{_DELETED} AND {others}")
        lowest = _computed(f"{variants} UNION ALL {deleted}", f"{stored} UNION ALL")
    else:
        lowest = f"{_computed(variants)} UNION ALL {stored}"
    return f"{tables} {_STORED}, {lowest}", (*given, currency, currency)


def _computed(variants: str, stored: str = "") -> str:
    """The lowest amount of each product, from all prices of these variants and from stored amounts.

    stored: a query for the latter that ends with UNION ALL.
    """
    return f"""
        offered AS MATERIALIZED (
            SELECT variant.product_id, variant.id AS variant_id, price.id AS price_id, price.amount,
                price.price_list_id, (
                    SELECT CASE WHEN COUNT(*) = COUNT(held.attribute) THEN COUNT(*) END
                    FROM catalog_pricerule AS rule
                    LEFT JOIN held ON held.attribute = rule.attribute AND held.value = rule.value
                    WHERE rule.price_id = price.id AND rule.deleted_at IS NULL
                ) AS held_rules
            FROM ({variants}) AS variant
            JOIN catalog_price AS price ON price.price_set_id = variant.price_set_id
            WHERE price.currency_code = %s AND price.deleted_at IS NULL AND {FOR_ONE}
        )
        SELECT product_id, MIN(amount) FROM (
            {stored}
            SELECT product_id,
                CASE WHEN base IS NULL OR is_override OR listed <= base THEN listed ELSE base END AS amount
            FROM (
                SELECT product_id, {_amount("base")} AS base,
                    {_amount("CAST(substr(listed, 1, 19) AS bigint)")} AS listed,
                    substr(listed, length(listed)) = 'o' AS is_override
                FROM (
                    SELECT MIN(product_id) AS product_id,
                        MIN({_PLACE}) FILTER (WHERE price_list_id IS NULL) AS base,
                        MIN(CAST({_PLACE} AS text) || price_id || CASE WHEN is_override THEN ' o' ELSE ' s' END)
                            FILTER (WHERE price_list_id IS NOT NULL) AS listed
                    FROM (
                        SELECT offered.*, list.is_override, held_rules + COALESCE(list.rules, 0) AS rules
                        FROM offered
                        LEFT JOIN list ON list.id = offered.price_list_id
                        WHERE held_rules IS NOT NULL AND (offered.price_list_id IS NULL OR list.id IS NOT NULL)
                    ) AS candidate GROUP BY variant_id
                ) AS chosen
            ) AS of_variant
        ) AS priced GROUP BY product_id"""  # noqa: S608 - constants only


def _open_lists(prices: PriceContext) -> list[JSONObject]:
    moment = now()
    return [
        {"id": terms.id, "rules": len(terms.rules), "is_override": terms.type == PriceListType.OVERRIDE}
        for terms in load_active_lists()
        if is_open(terms, prices.attributes, moment)
    ]


def _held(prices: PriceContext) -> list[JSONObject]:
    """The attributes of the context, a row for each value, as price rules compare them."""
    return [
        {"attribute": attribute, "value": value}
        for attribute, known in prices.attributes.items()
        for value in (known if isinstance(known, tuple) else (str(known),))
    ]


def _json(rows: list[JSONObject]) -> str:
    return orjson.dumps(rows).decode()


def _amount(place: str) -> str:
    """The amount in a place, without the operator `%`, which would be read as a parameter."""
    return f"{place} - {place} / {_RANK} * {_RANK}"


def _rows_of(columns: str) -> str:
    """A parameter of `_json` as a table of these columns."""
    if connection.vendor == "postgresql":
        return f"(SELECT * FROM json_to_recordset(%s::json) AS row ({columns}))"  # noqa: S608 - names of our own
    names = [column.split()[0] for column in columns.split(", ")]
    selected = ", ".join(f"json_extract(value, '$.{name}') AS {name}" for name in names)
    return f"(SELECT {selected} FROM json_each(%s))"  # noqa: S608 - names of our own
