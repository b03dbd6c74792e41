"""Sales of the last seven days compared with the seven days before, on the overview."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from kit.admin.lists.amounts import shown
from kit.admin.pages.dashboard import Panel, panel
from kit.admin.sections import Section
from kit.domain.actor import Actor
from kit.values.currencies import currency_name
from kit.values.shown_dates import shown_date
from orders.reports.sales.by_day import Sold, sales_by_day
from orders.reports.sales.periods import last_days
from shop.models import Store

WEEK = 7
HEIGHT = 100
"""The height of the highest bar, in units of the plot."""


class Day(NamedTuple):
    """One day and the same weekday a week before. height, before_height: of their bars."""

    weekday: str
    day: str
    orders: int
    amount: str
    height: float
    before_day: str
    before_amount: str
    before_height: float


class Plot(NamedTuple):
    """Sales in one currency. change: `12 % more`; "" without sales in the week before."""

    currency: str
    amount: str
    orders: int
    before_amount: str
    change: str
    days: list[Day]


@panel("orders.view_order")
def sales_panel(actor: Actor) -> Panel:
    """A plot for each currency: first that of the store's default region, then by number of orders."""
    days = last_days(2 * WEEK)
    found = sales_by_day(actor, days)
    default = Store.objects.values_list("default_region__currency", flat=True).get()
    orders = {code: sum(one.orders for one in sold.values()) for code, sold in found.items()}
    codes = sorted(found, key=lambda code: (code != default, -orders[code], code))
    return Panel(
        section=Section.ORDERS,
        title="Sales of the last 7 days",
        rank=1,
        is_wide=True,
        template="overview/sales.html",
        content=[_plot(code, found[code], days) for code in codes],
    )


def _plot(code: str, sold: Mapping[date, Sold], days: Sequence[date]) -> Plot:
    each = [sold.get(day, Sold()) for day in days]
    before, now = each[:WEEK], each[WEEK:]
    scale = HEIGHT / float(max(one.amount for one in each) or 1)
    total, total_before = (sum((one.amount for one in week), Decimal(0)) for week in (now, before))
    return Plot(
        currency=currency_name(code),
        amount=shown(total, code),
        orders=sum(one.orders for one in now),
        before_amount=shown(total_before, code),
        change=_change(total, total_before),
        days=[
            Day(
                weekday=f"{day:%a}",
                day=shown_date(day),
                orders=one.orders,
                amount=shown(one.amount, code),
                height=round(float(one.amount) * scale, 1),
                before_day=shown_date(before_day),
                before_amount=shown(other.amount, code),
                before_height=round(float(other.amount) * scale, 1),
            )
            for day, one, before_day, other in zip(days[WEEK:], now, days[:WEEK], before, strict=True)
        ],
    )


def _change(total: Decimal, before: Decimal) -> str:
    if not before:
        return ""
    percent = round(100 * (total - before) / before)
    return f"{abs(percent)} % {'more' if percent >= 0 else 'less'}"
