"""The SQL that counts orders by combination, for the triggers, the recount and the checks."""

COUNTS = "orders_ordercount"
ORDERS = "orders_order"
COUNTED = (
    "status",
    "payment_status",
    "fulfillment_status",
    "region_id",
    "sales_channel_id",
    "currency_code",
    "customer_id",
)
"""The columns of orders and of their counts."""
COLUMNS = ", ".join(COUNTED)


def combination(row: str = "") -> str:
    """The values of an order's combination. row: the order's name in the statement, with a dot."""
    *values, customer = [f"{row}{column}" for column in COUNTED]
    return f"{', '.join(values)}, CASE WHEN {customer} IS NOT NULL THEN '' END AS customer_id"


def appended(changes: str) -> str:
    """The statement that appends the sums of these changes. changes: a query for combinations with their `number`."""
    return (
        f"INSERT INTO {COUNTS} ({COLUMNS}, number) SELECT {COLUMNS}, sum(number) FROM ({changes}) AS change "  # noqa: S608 - names of our own
        f"GROUP BY {COLUMNS} HAVING sum(number) <> 0"
    )


EVERY_ORDER = f"SELECT {combination()}, 1 AS number FROM {ORDERS} WHERE deleted_at IS NULL"  # noqa: S608 - names of our own
