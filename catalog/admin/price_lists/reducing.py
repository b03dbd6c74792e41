"""Reducing the prices of a list from its page: at once where one batch does, else by a job."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html

from catalog.admin.price_lists.price_list_form import described
from catalog.models import PriceList
from catalog.prices.reductions import jobs
from catalog.prices.reductions.reducing import BATCH, reduce_next, variants
from catalog.prices.reductions.reduction import Reduction, reductions_of
from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.actions.row_action import row_action
from kit.admin.actions.verb_actions import page_of_job
from kit.admin.buttons import Button, is_not_deleted
from kit.admin.history.conflicts import reason_of
from kit.admin.request_actor import may_all, request_actor
from kit.errors import DomainError, InvalidData

PERMISSIONS = ("catalog.change_pricelist", "catalog.add_price", "catalog.change_price", "catalog.delete_price")
_NOTE = (
    "Adds the prices of new products, follows regular prices that have changed, and removes the prices of products "
    "that no longer belong here. Prices that were changed by hand stay."
)


def reduce_prices(screen: Any, request: HttpRequest, price_list_id: str, only: Reduction | None = None) -> str | None:
    """Reduce the prices and say how many, or start the job and return its page. only: as `reduce_next` takes it.

    Raises InvalidData if there is no price for that reduction, RowsRefused, Forbidden.
    """
    actor, price_list = request_actor(request), PriceList.objects.get(pk=price_list_id)
    if variants(price_list, only)[: BATCH + 1].count() > BATCH:
        page = page_of_job(request, jobs.start(actor=actor, price_list=price_list, only=only))
        screen.message_user(request, format_html('A <a href="{}" class="underline">job</a> reduces the prices.', page))
        return page
    counts = reduce_next(actor=actor, price_list_id=price_list_id, only=only).counts
    if only and not any(counts):
        raise InvalidData("These products have no prices to reduce.")
    screen.message_user(request, f"{counts}.", messages.SUCCESS)
    return None


@row_action(description="Repeat reductions", icon="replay")
def repeat(screen: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    """Ask, then bring the list's prices up to date with its reductions."""
    row = screen.get_object_or_404(request, object_id)
    if not is_confirmed(request):
        points = [(text, "") for text in described(reductions_of(row))]
        question = "Bring the reduced prices up to date?"
        rows = screen.get_queryset(request).filter(pk=row.pk)
        return ask(screen, request, rows, action="", question=question, note=_NOTE, points=points, button="Repeat")
    try:
        page = reduce_prices(screen, request, row.pk)
    except DomainError as refusal:
        screen.message_user(request, reason_of(refusal), messages.ERROR)
        page = None
    else:
        screen.log_change(request, row, "Reductions repeated.")
    return redirect(page or screen.address(row.pk))


REPEAT = Button(repeat, may_all(*PERMISSIONS), lambda row: is_not_deleted(row) and bool(row.reductions))
