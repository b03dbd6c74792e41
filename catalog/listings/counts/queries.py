"""The SQL that counts products by sales channel, for the triggers, the recount and the checks."""

TABLE, CHANNEL = "catalog_productcount", "sales_channel_id"
PRODUCTS, LINKS = "catalog_product", "catalog_product_sales_channels"


def shown(product: str) -> str:
    """Whether the store shows the product, which has that name."""
    return f"({product}.status = 'published' AND {product}.deleted_at IS NULL)"


def of_products(changes: str) -> str:
    """The query for the counts that these changes make. changes: a query for products, as `id`, with a `number`."""
    return (
        f"SELECT link.saleschannel_id AS {CHANNEL}, sum(change.number) AS number "
        f"FROM (SELECT id, sum(number) AS number FROM ({changes}) AS each GROUP BY id HAVING sum(number) <> 0) "
        f"AS change JOIN {LINKS} AS link ON link.product_id = change.id "
        "GROUP BY link.saleschannel_id HAVING sum(change.number) <> 0"
    )


def of_links(changes: str) -> str:
    """Like of_products. changes: a query for links, as `product_id` and `saleschannel_id`, with a `number`."""
    return (
        f"SELECT change.saleschannel_id AS {CHANNEL}, sum(change.number) AS number "
        f"FROM ({changes}) AS change JOIN {PRODUCTS} AS product "
        f"ON product.id = change.product_id AND {shown('product')} "
        "GROUP BY change.saleschannel_id HAVING sum(change.number) <> 0"
    )


def appended(counts: str) -> str:
    """The statement that appends these counts."""
    return f"INSERT INTO {TABLE} ({CHANNEL}, number) {counts}"


_EVERY = of_links(f"SELECT product_id, saleschannel_id, 1 AS number FROM {LINKS}")
DIFFERENCES = (
    f"SELECT {CHANNEL}, sum(number) AS number "
    f"FROM ({_EVERY} UNION ALL SELECT {CHANNEL}, -number FROM {TABLE}) AS compared "
    f"GROUP BY {CHANNEL} HAVING sum(number) <> 0"
)
"""The query for what the table lacks: the rows that make it right. None if it is right."""
