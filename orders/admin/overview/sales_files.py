"""The tables of the sales page as CSV, with all rows."""

from collections.abc import Mapping

from orders.admin.overview.days_files import CURRENCY, DaysFile
from orders.reports.export import cells
from orders.reports.export.columns import Column, columns
from orders.reports.sales.by_channel import sales_by_channel
from orders.reports.sales.by_product import sales_by_product

FILES: Mapping[str, DaysFile] = {
    each.name: each
    for each in (
        DaysFile(
            "channels",
            "sales-channels",
            "Channels as CSV",
            sales_by_channel,
            (
                CURRENCY,
                Column("sales_channel", cells.text, "channel"),
                *columns(cells.number, "orders"),
                Column("sales", cells.amount, "amount"),
                *columns(cells.amount, "refunded"),
            ),
        ),
        DaysFile(
            "products",
            "sales-products",
            "Products as CSV",
            sales_by_product,
            (
                CURRENCY,
                *columns(cells.text, "product_id"),
                Column("product", cells.text, "title"),
                *columns(cells.number, "units"),
                Column("sales", cells.amount, "amount"),
            ),
        ),
    )
}
