"""The SQL that lists products, for the triggers, the repair and the checks."""

from catalog.listings.counts.queries import LINKS, PRODUCTS, shown

TABLE = "catalog_listedproduct"
COPIED = ("created_at", "title", "collection_id")
"""The columns that have the values of the product's."""
_KEY = ("sales_channel_id", "id")


def expected_rows(condition: str = "true", *, products: str = PRODUCTS, links: str = LINKS) -> str:
    """The query for the rows that the table should have.

    condition: on the tables `product` and `link`. products, links: other tables to read these from.
    """
    copied = ", ".join(f"product.{column}" for column in COPIED)
    return (
        f"SELECT link.saleschannel_id AS sales_channel_id, product.id, {copied} "
        f"FROM {products} AS product JOIN {links} AS link ON link.product_id = product.id "
        f"WHERE {shown('product')} AND {condition}"
    )


def upsert(rows: str) -> str:
    """The statement that adds these rows, or updates those that are there."""
    changed = ", ".join(f"{column} = excluded.{column}" for column in COPIED)
    return (
        f"INSERT INTO {TABLE} ({', '.join((*_KEY, *COPIED))}) {rows} "
        f"ON CONFLICT ({', '.join(_KEY)}) DO UPDATE SET {changed}"
    )


def delete(links: str) -> str:
    """The statement that removes the rows of these links. links: a query for sales channels and products."""
    return f"DELETE FROM {TABLE} WHERE (sales_channel_id, id) IN ({links})"


def hidden_links(condition: str) -> str:
    """The query for links of products that the store does not show. condition: as for expected_rows."""
    return (
        f"SELECT link.saleschannel_id, link.product_id FROM {LINKS} AS link "
        f"JOIN {PRODUCTS} AS product ON product.id = link.product_id WHERE NOT {shown('product')} AND {condition}"
    )


def entries_to_lock(which: str) -> str:
    """What SELECT or PERFORM reads to lock search entries. which: the comparison with their products' ids."""
    return f"1 FROM catalog_productsearch WHERE product_id {which} ORDER BY product_id FOR NO KEY UPDATE"


_ROW = ", ".join((*_KEY, *COPIED))
DIFFERENCES = (
    f"SELECT id, sales_channel_id FROM (SELECT {_ROW} FROM ({expected_rows()}) AS expected "
    f"EXCEPT SELECT {_ROW} FROM {TABLE}) AS missing UNION "
    f"SELECT id, sales_channel_id FROM (SELECT {_ROW} FROM {TABLE} "
    f"EXCEPT SELECT {_ROW} FROM ({expected_rows()}) AS expected) AS wrong"
)
"""The query for the rows that are missing or wrong. It returns no rows if the table is right."""
