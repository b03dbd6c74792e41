"""Buttons on a promotion's page that make a batch of codes, and download all of them."""

from functools import partial

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from unfold.widgets import UnfoldAdminTextInputWidget

from carts.models import Promotion
from carts.promotions.code_batches import (
    LONGEST,
    LONGEST_PREFIX,
    MOST_AT_ONCE,
    SHORTEST,
    USUAL,
    create_codes,
    csv_lines,
)
from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.actions.row_action import row_action
from kit.admin.actions.tickets import TICKET
from kit.admin.base_admin import BaseAdmin
from kit.admin.buttons import Button, is_not_deleted
from kit.admin.forms.amount_fields import CountField
from kit.admin.request_actor import may_all, request_actor
from kit.errors import DomainError
from kit.safety.idempotency.replay import Answer, fingerprint, run_once
from kit.values.csv_format import CsvFormat
from kit.values.ids import new_ulid

_FILE = CsvFormat(for_spreadsheets=True)
_NAMED = "Customers can then no longer enter {code}: it becomes the name of these codes."


class CodesForm(forms.Form):
    """How many codes, and what they look like."""

    count = CountField(
        min_value=1, max_value=MOST_AT_ONCE, label="Number of codes", help_text=f"At most {MOST_AT_ONCE:,}."
    )
    beginning = forms.CharField(  # `prefix` is a form's own
        required=False,
        label="Prefix",
        max_length=LONGEST_PREFIX,
        widget=UnfoldAdminTextInputWidget,
        help_text="What each code begins with, such as SPRING-.",
    )
    length = CountField(
        min_value=SHORTEST,
        max_value=LONGEST,
        initial=USUAL,
        label="Random letters",
        help_text="After the prefix, and never 0 or O, 1 or I.",
    )
    usage_limit = CountField(
        required=False, min_value=1, initial=1, label="Uses of each code", help_text="Empty means without limit."
    )


@row_action(description="Make codes", icon="password")
def make_codes(screen: BaseAdmin[Promotion], request: HttpRequest, object_id: str) -> HttpResponse:
    """The form; a form that is submitted twice makes its codes once."""
    row = _row(screen, request, object_id)
    form = CodesForm(request.POST if is_confirmed(request) else None)
    if form.is_valid():
        try:
            run_once(
                actor=request_actor(request).mark,
                key=f"promotion codes {request.POST.get(TICKET) or new_ulid()}"[:255],
                fingerprint=fingerprint("POST", request.path, "", b""),
                work=partial(_made, request, row, form),
            )
        except DomainError as refusal:
            form.add_error(None, refusal.message)
        else:
            done = f"{form.cleaned_data['count']} codes were made for {row}."
            screen.message_user(request, done, messages.SUCCESS)
            return redirect(screen.address(row.pk))
    nothing, note = Promotion.objects.none(), "" if row.has_codes else _NAMED.format(code=row.code)
    question = f"Make codes for {row}"
    return ask(
        screen, request, nothing, action="", question=question, note=note, form=form, button="Make", is_once=True
    )


def _made(request: HttpRequest, row: Promotion, form: CodesForm) -> Answer:
    given = {("prefix" if name == "beginning" else name): value for name, value in form.cleaned_data.items()}
    create_codes(actor=request_actor(request), promotion_id=row.pk, **given)
    return Answer(200, b"")


@row_action(description="Download codes", icon="download")
def download_codes(screen: BaseAdmin[Promotion], request: HttpRequest, object_id: str) -> HttpResponseBase:
    """All codes with their uses, for spreadsheets."""
    row = _row(screen, request, object_id)
    response = StreamingHttpResponse(csv_lines(row.pk, _FILE), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="codes-{row.pk}.csv"'
    response["Cache-Control"] = "no-store"
    return response


def _row(screen: BaseAdmin[Promotion], request: HttpRequest, object_id: str) -> Promotion:
    row = screen.get_object_or_404(request, object_id)
    if not is_not_deleted(row):
        raise Http404
    return row


CODE_BUTTONS = (
    Button(
        make_codes,
        may_all("carts.view_promotion", "carts.add_promotioncode"),
        lambda row: is_not_deleted(row) and not row.is_automatic,
    ),
    Button(
        download_codes,
        may_all("carts.view_promotion", "carts.view_promotioncode"),
        lambda row: is_not_deleted(row) and row.has_codes,
    ),
)
