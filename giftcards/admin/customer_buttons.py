"""Buttons on a customer's page that give them store credit or gift cards: the forms, with the customer filled in."""

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from customers.admin.customers import CustomerAdmin
from customers.models import Customer
from kit.admin.actions.row_action import row_action
from kit.admin.base_admin import BaseAdmin
from kit.admin.buttons import Button, is_not_deleted
from kit.admin.request_actor import may_all

_CREDIT = ("giftcards.view_storecreditaccount", "giftcards.add_transaction")
_CARD = ("giftcards.view_giftcard", "giftcards.add_giftcard")


@row_action(description="Give credit", icon="account_balance_wallet")
def give_store_credit(screen: BaseAdmin[Customer], request: HttpRequest, object_id: str) -> HttpResponse:
    """Open the form for store credit."""
    return _opened(screen, request, object_id, "admin:giftcards_storecreditaccount_give")


@row_action(description="Give gift card", icon="redeem")
def issue_gift_card(screen: BaseAdmin[Customer], request: HttpRequest, object_id: str) -> HttpResponse:
    """Open the form for gift cards."""
    return _opened(screen, request, object_id, "admin:giftcards_giftcard_add")


def _opened(screen: BaseAdmin[Customer], request: HttpRequest, object_id: str, form: str) -> HttpResponse:
    customer = screen.get_object_or_404(request, object_id)
    if not is_not_deleted(customer):
        raise Http404
    return redirect(f"{reverse(form)}?{urlencode({'customer': customer.pk})}")


CustomerAdmin.enter_button(Button(give_store_credit, may_all(*_CREDIT), is_not_deleted))
CustomerAdmin.enter_button(Button(issue_gift_card, may_all(*_CARD), is_not_deleted))
