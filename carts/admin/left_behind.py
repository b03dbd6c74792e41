"""Carts that were left behind: a filter of their list, and a panel of the overview."""

from collections import defaultdict
from datetime import timedelta
from decimal import Decimal

from django.contrib.admin import SimpleListFilter
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from carts.models import Cart
from carts.models.carts import WITH_EMAIL
from commerce.kit.admin.amounts import shown
from commerce.kit.admin.dashboard import MOST_COUNTED, Panel, figure_of, panel
from commerce.kit.admin.sections import Section
from commerce.kit.core.actor import Actor
from commerce.kit.core.timestamps import now

QUIET = timedelta(hours=1)
OLDEST = timedelta(days=30)


def left_behind() -> Q:
    """Carts of the last 30 days with an e-mail address and goods that nobody has changed for an hour."""
    moment = now()
    return WITH_EMAIL & Q(created_at__gte=moment - OLDEST, updated_at__lt=moment - QUIET, item_total__gt=0)


class LeftBehindFilter(SimpleListFilter):
    """Carts that were left behind."""

    title = "left behind"
    parameter_name = "left"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("yes", "Yes")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Cart]) -> QuerySet[Cart]:
        return queryset.filter(left_behind()) if self.value() == "yes" else queryset


@panel
def left_behind_panel(actor: Actor) -> Panel | None:
    """How many carts were left behind, and what they are worth; of very many, the newest. One statement."""
    if not actor.may("carts.view_cart"):
        return None
    newest = Cart.objects.visible_to(actor).filter(left_behind()).order_by("-created_at")[: MOST_COUNTED + 1]
    totals = list(newest.values_list("currency_id", "total"))
    worth: dict[str, Decimal] = defaultdict(Decimal)
    for code, total in totals[:MOST_COUNTED]:
        worth[code] += total
    sums = ", ".join(shown(total, code) for code, total in sorted(worth.items()))
    address = f"{reverse('admin:carts_cart_changelist')}?{LeftBehindFilter.parameter_name}=yes"
    return Panel(
        section=Section.CUSTOMERS,
        title="Carts left behind",
        rank=4,
        figures=(figure_of(len(totals), "with an e-mail address", address),),
        note=sums and f"{f'The newest {MOST_COUNTED:,}' if len(totals) > MOST_COUNTED else 'They'} are worth {sums}.",
    )
