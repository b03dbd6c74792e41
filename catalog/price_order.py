"""The order of products by their lowest calculated price.

This implements the rules of price_selection.py in SQL, for tens of thousands of products at once. A property test
compares both (tests/properties/test_price_order.py).
"""

from collections.abc import Mapping
from typing import Any

import orjson
from django.db import connection

from catalog import price_parameters
from catalog.price_candidates import load_active_lists
from catalog.price_context import PriceContext
from catalog.price_selection import is_open
from catalog.states import PriceListType
from commerce.kit.core.json import JSONObject
from commerce.kit.core.timestamps import now
from commerce.kit.projection.computed_orders import Values

_RANK = 2 * 10**15
"""More than any amount, in 1/10,000 of a major unit. A price's place among others is 19 digits, the lowest first: for
each rule less that it has, one more of these, and its amount."""
_PLACE = f"({10**18} + (999 - rules) * {_RANK} + amount)"

_LISTS, _HELD = "id text, rules int, is_override bool", "attribute text, value text"


def calculated_amounts(context: Mapping[str, Any], with_deleted: bool) -> Values | None:
    """See ComputedOrder.values: the lowest calculated amount among the variants of each product, in 1/10,000.

    context: see price_parameters.context_of. Rules of variants' prices compare texts only (rule_attributes.OF_BUYERS).
    """
    prices = price_parameters.context_of(context)
    if prices is None:
        return None
    not_deleted = "" if with_deleted else "AND variant.deleted_at IS NULL"
    # The planner knows how many prices there are, but not how many of them apply: it joins them first.
    text = f"""
        WITH offered AS MATERIALIZED (
            SELECT variant.product_id, variant.id AS variant_id, price.id AS price_id, price.amount, price.price_list_id
            FROM matching
            JOIN catalog_productvariant AS variant ON variant.product_id = matching.key {not_deleted}
            JOIN catalog_price AS price ON price.price_set_id = variant.price_set_id
            WHERE price.currency_code = %s AND price.deleted_at IS NULL
                AND (price.min_quantity IS NULL OR price.min_quantity <= 1)
        )
        SELECT product_id, MIN(CASE
            WHEN base IS NULL OR is_override OR listed <= base THEN listed ELSE base
        END) FROM (
            SELECT product_id, {_amount("base")} AS base, {_amount("CAST(substr(listed, 1, 19) AS bigint)")} AS listed,
                substr(listed, length(listed)) = 'o' AS is_override
            FROM (
                SELECT MIN(product_id) AS product_id,
                    MIN({_PLACE}) FILTER (WHERE price_list_id IS NULL) AS base,
                    MIN(CAST({_PLACE} AS text) || price_id || CASE WHEN is_override THEN ' o' ELSE ' s' END)
                        FILTER (WHERE price_list_id IS NOT NULL) AS listed
                FROM (
                    SELECT offered.*, list.is_override, COALESCE(ruled.rules, 0) + COALESCE(list.rules, 0) AS rules
                    FROM offered
                    LEFT JOIN {_rows_of(_LISTS)} AS list ON list.id = offered.price_list_id
                    LEFT JOIN (
                        SELECT rule.price_id, COUNT(*) AS rules, COUNT(held.attribute) AS kept
                        FROM offered
                        JOIN catalog_pricerule AS rule ON rule.price_id = offered.price_id AND rule.deleted_at IS NULL
                        LEFT JOIN {_rows_of(_HELD)} AS held
                            ON held.attribute = rule.attribute AND held.value = rule.value
                        GROUP BY rule.price_id
                    ) AS ruled ON ruled.price_id = offered.price_id
                    WHERE (offered.price_list_id IS NULL OR list.id IS NOT NULL)
                        AND (ruled.price_id IS NULL OR ruled.kept = ruled.rules)
                ) AS candidate GROUP BY variant_id
            ) AS chosen
        ) AS priced GROUP BY product_id"""  # noqa: S608 - constants only
    return text, (prices.currency_code, _json(_open_lists(prices)), _json(_held(prices)))


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
