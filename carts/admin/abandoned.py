"""Abandoned carts: a filter of the list of carts, and a panel of the overview."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal

from django.db.models import Q
from django.urls import reverse

from carts.models import Cart
from carts.models.carts import WITH_EMAIL
from kit.admin.lists.amounts import shown
from kit.admin.lists.condition_filter import ConditionFilter
from kit.admin.pages.dashboard import MOST_COUNTED, Panel, figure_of, panel
from kit.admin.sections import Section
from kit.domain.actor import Actor
from kit.values.timestamps import now

QUIET = timedelta(hours=1)
OLDEST = timedelta(days=30)


def abandoned() -> Q:
    """Carts of the last 30 days with items and an email address, unchanged for an hour."""
    moment = now()
    return WITH_EMAIL & Q(
        is_draft=False, created_at__gte=moment - OLDEST, updated_at__lt=moment - QUIET, item_total__gt=0
    )


class AbandonedFilter(ConditionFilter):
    """Abandoned carts."""

    title = parameter_name = "abandoned"

    def conditions(self) -> Mapping[str, Q]:
        return {"yes": abandoned()}


@panel("carts.view_cart")
def abandoned_panel(actor: Actor) -> Panel:
    """The number of abandoned carts and their value, up to MOST_COUNTED of the newest. One statement."""
    newest = Cart.objects.visible_to(actor).filter(abandoned()).order_by("-created_at")[: MOST_COUNTED + 1]
    totals = list(newest.values_list("currency_id", "total"))
    worth: dict[str, Decimal] = defaultdict(Decimal)
    for code, total in totals[:MOST_COUNTED]:
        worth[code] += total
    sums = ", ".join(shown(total, code) for code, total in sorted(worth.items()))
    address = f"{reverse('admin:carts_cart_changelist')}?{AbandonedFilter.parameter_name}=yes"
    return Panel(
        section=Section.CUSTOMERS,
        title="Abandoned carts",
        rank=4,
        figures=(figure_of(len(totals), "with an email address", address),),
        note=sums and f"{f'The newest {MOST_COUNTED:,}' if len(totals) > MOST_COUNTED else 'They'} are worth {sums}.",
    )
