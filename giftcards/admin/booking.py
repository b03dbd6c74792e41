"""Adjustments by staff, with their history."""

from functools import partial

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from giftcards.admin.adjustment_forms import AdjustmentForm
from giftcards.errors import AlreadyAdjusted
from giftcards.ledger.adjustment import adjust
from giftcards.models import StoreCreditAccount
from kit.admin.history.conflicts import reason_of
from kit.admin.lists.amounts import shown
from kit.admin.request_actor import request_actor
from kit.admin.screens.verb_admin import VerbAdmin
from kit.database.locking import retry_on_conflict
from kit.errors import DomainError


def book(admin: VerbAdmin[StoreCreditAccount], request: HttpRequest, form: AdjustmentForm) -> HttpResponse | None:
    """Book the adjustment and redirect to the account; None if the form has errors or a question to show."""
    if not form.is_valid() or not form.is_confirmed():
        return None
    customer, currency_code = form.owner
    amount = shown(form.cleaned_data["amount"], currency_code)
    try:
        account_id = retry_on_conflict(partial(_adjust, admin, request, form))
        admin.message_user(request, f"Booked: {amount}.", messages.SUCCESS)
    except AlreadyAdjusted as error:
        account_id = StoreCreditAccount.objects.get(customer=customer, currency_id=currency_code).pk
        admin.message_user(request, f"{error.message}. Nothing else was booked.", messages.WARNING)
    except DomainError as refusal:
        form.add_error(None, reason_of(refusal))
        return None
    return redirect(admin.address(account_id))


@transaction.atomic
def _adjust(admin: VerbAdmin[StoreCreditAccount], request: HttpRequest, form: AdjustmentForm) -> str:
    customer, currency_code = form.owner
    given = form.cleaned_data
    account_id = adjust(
        actor=request_actor(request),
        customer_id=customer.pk,
        currency_code=currency_code,
        amount=given["amount"],
        reason=given["reason"],
        adjustment_id=given["adjustment_id"],
    )
    account = StoreCreditAccount.objects.get(pk=account_id)
    admin.log_change(request, account, f"Adjusted by {shown(given['amount'], currency_code)}: {given['reason']}")
    return account_id
