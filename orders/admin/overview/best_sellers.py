"""The products that sold best in the last thirty days, on the overview."""

from kit.admin.inlines.page_table import PageTable
from kit.admin.lists.amounts import shown
from kit.admin.lists.row_link import row_link
from kit.admin.pages.dashboard import Panel, panel
from kit.admin.sections import Section
from kit.domain.actor import Actor
from orders.reports.sales.best_sellers import BestSeller, best_sellers
from orders.reports.sales.periods import last_days

DAYS = 30
NUMBER = 10


@panel("orders.view_order")
def best_sellers_panel(actor: Actor) -> Panel:
    """A table of products with units and revenue."""
    found = best_sellers(actor, since=last_days(DAYS)[0], number=NUMBER)
    headers = ("Product", "Units", "Revenue")
    return Panel(
        section=Section.ORDERS,
        title=f"Best sellers of the last {DAYS} days",
        rank=2,
        template="admin/table_panel.html",
        content=PageTable("Best sellers", headers, [_row(each, actor) for each in found], amounts=headers[1:]),
    )


def _row(sold: BestSeller, actor: Actor) -> tuple[str, str, str]:
    is_open = sold.is_there and actor.may("catalog.view_product")
    title = row_link("catalog_product_change", sold.product_id, sold.title) if is_open else sold.title
    revenue = ", ".join(shown(amount, code) for code, amount in sold.revenue.items())
    return title, f"{sold.units:,}", revenue
