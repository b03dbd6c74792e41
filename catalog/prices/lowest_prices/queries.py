"""The SQL that computes lowest prices, for the recomputation, the checks and the order by price."""

from catalog.prices.lowest_prices.triggers import PRICE, PRICE_SET, PRODUCT
from catalog.prices.lowest_prices.triggers import TABLE as MARKS

TABLE = "catalog_lowestprice"
COLUMNS = ("product_id", "currency_code", "price_list_id", "amount", "is_ruled")
_ROW = ", ".join(COLUMNS)

FOR_ONE = "(price.min_quantity IS NULL OR price.min_quantity <= 1)"
"""Whether the price applies to a single piece."""


def expected_rows(condition: str = "true") -> str:
    """The query for the rows that the table should have. condition: on the table `variant`."""
    return (
        "SELECT variant.product_id, price.currency_code, COALESCE(price.price_list_id, '') AS price_list_id, "
        "MIN(price.amount) AS amount, COUNT(rule.id) > 0 AS is_ruled "
        "FROM catalog_productvariant AS variant "
        "JOIN catalog_price AS price ON price.price_set_id = variant.price_set_id AND price.deleted_at IS NULL "
        "LEFT JOIN catalog_pricerule AS rule ON rule.price_id = price.id AND rule.deleted_at IS NULL "
        f"WHERE variant.deleted_at IS NULL AND {FOR_ONE} AND {condition} "
        "GROUP BY variant.product_id, price.currency_code, COALESCE(price.price_list_id, '')"
    )


def insert(rows: str) -> str:
    """The statement that adds these rows."""
    return f"INSERT INTO {TABLE} ({_ROW}) {rows}"


_OF_PRODUCTS = f"SELECT key AS product_id FROM {MARKS} WHERE kind = '{PRODUCT}'"
_OF_SETS = f"SELECT price_set_id FROM catalog_price JOIN {MARKS} ON key = catalog_price.id AND kind = '{PRICE}'"
STALE = (
    f"{_OF_PRODUCTS} UNION SELECT product_id FROM catalog_productvariant AS variant "
    f"JOIN (SELECT key AS price_set_id FROM {MARKS} WHERE kind = '{PRICE_SET}' UNION ALL {_OF_SETS}) AS changed "
    "ON changed.price_set_id = variant.price_set_id"
)
"""The query for the products whose rows may be wrong, because something is marked."""

DIFFERENCES = (
    f"SELECT product_id AS id FROM ("
    f"SELECT * FROM (SELECT {_ROW} FROM ({expected_rows()}) AS expected EXCEPT SELECT {_ROW} FROM {TABLE}) AS missing "
    f"UNION ALL SELECT * FROM (SELECT {_ROW} FROM {TABLE} EXCEPT SELECT {_ROW} FROM ({expected_rows()}) AS expected) "
    f"AS wrong) AS differing EXCEPT SELECT product_id FROM ({STALE}) AS stale"
)
"""The query for the products with rows that are missing or wrong, but not stale.

After a large load, all products differ and are stale: NOT IN would compare each of them with all stale ones.
"""
