"""Units of an order's lines that a preview shows as returned, besides those that are."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from kit.reads.plans.rows import json_number
from kit.values.money import major, stored
from orders.models import OrderLineItem
from orders.returns.totals import worth_of_return

_TOTALS = {
    "return_requested_quantity": "return_requested_total",
    "return_dismissed_quantity": "return_dismissed_total",
    "written_off_quantity": "write_off_total",
}


def count_units(order: Mapping[str, Any], units: Mapping[str, int], *counters: str) -> Mapping[str, int]:
    """Count further units of lines by these counters of the shown order. Returns what they are worth, in 1/10,000.

    units: by the lines' ids. Four statements at most.
    """
    if not units:
        return {}
    worth = worth_of_return(list(OrderLineItem.objects.filter(pk__in=units)), units, order["currency_code"])
    for line in order["items"]:
        if line["id"] in units:
            for counter in counters:
                line["detail"][counter] += units[line["id"]]
                total = stored(Decimal(str(line[_TOTALS[counter]]))) + worth[line["id"]]
                line[_TOTALS[counter]] = json_number(major(total))
    return worth
