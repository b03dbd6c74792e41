"""The page on which a customer pays what an order still owes, for shops whose storefront has none.

It works without cookies, and without scripts but those of a provider's own form. A POST needs no CSRF token, since
nobody can send it without the token of the link. Mail scanners open links, so that a GET starts no payment.
Why: docs/decisions/payments.md#links-let-customers-pay.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation

from csp.constants import SELF
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from kit.domain.actor import ANONYMOUS
from kit.errors import Conflict, DomainError, Unavailable
from kit.rest.responses.errors import refuse
from kit.values.written_amounts import written
from orders.api.guess_limits import guesser
from orders.api.viewsets.pages.guest_pages import guest_page, refused_page
from orders.managing.payment_links.errors import OutstandingAmountChanged, PaymentLinkNotFound
from orders.managing.payment_links.paying import PayableOrder, pay, payable_by, take_result
from payments.errors import TooManySessions
from payments.providers.base import PaymentForm
from payments.providers.registry import payment_form
from shop.provider_name import provider_name

RESULT = "result"
"""The query parameter with which a provider's form leads back."""
_TEMPLATE = "orders/payment.html"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@csrf_exempt
def payment_page(request: HttpRequest, token: str) -> HttpResponse:
    """What is outstanding of the order, and the providers by which it can be paid."""
    try:
        with guesser(ANONYMOUS, request.META).guess(lambda work: work(), set()):
            return _served(request, token)
    except DomainError as refusal:
        return refused_page(request, _TEMPLATE, refusal)


def _served(request: HttpRequest, token: str) -> HttpResponse:
    if request.method != "POST":
        if RESULT in request.GET:
            take_result(token)
            return redirect("payment_page", token)  # without what the provider has added to the address
        return _page(request, payable_by(token))
    try:
        pay(token=token, provider_id=request.POST.get("provider_id", ""), amount=_amount(request))
    except PaymentLinkNotFound:
        raise
    except DomainError as refusal:
        return _page(request, payable_by(token), refusal)
    return redirect("payment_page", token)


def _amount(request: HttpRequest) -> Decimal:
    with suppress(InvalidOperation):
        amount = Decimal(request.POST.get("amount", ""))
        if amount.is_finite():  # NaN compares with nothing
            return amount
    raise OutstandingAmountChanged("another")


def _page(request: HttpRequest, payable: PayableOrder, refusal: DomainError | None = None) -> HttpResponse:
    session = payable.session
    form = payment_form(session.provider_id, session.data) if session else None
    if form is None or not form.scripts or session is None or session.provider_id not in payable.provider_ids:
        form, session = None, None
    others = [each for each in payable.provider_ids if session is None or each != session.provider_id]
    return guest_page(
        request,
        _TEMPLATE,
        status=refuse(refusal).status_code if refusal else 200,
        sources=_sources(form) if form else None,
        number=str(payable.order),
        is_due=bool(payable.amount),
        amount=payable.amount,
        shown_amount=written(payable.amount, payable.order.currency_id),
        is_announced=payable.is_announced,
        refusal=_said(refusal) if refusal else "",
        form=form,
        scripts=[each if "://" in each else static(each) for each in form.scripts] if form else (),
        form_name=provider_name(session.provider_id) if session else "",
        choices=[(each, provider_name(each)) for each in others],
    )


def _said(refusal: DomainError) -> str:
    """The reason, for a customer."""
    if isinstance(refusal, OutstandingAmountChanged):
        return "The amount has changed. Please check it, and pay again."
    if isinstance(refusal, Unavailable):
        return "The payment provider does not answer at the moment. Please look at this page again in a few minutes."
    if isinstance(refusal, Conflict | TooManySessions):
        return "Your payment could not be started. Please try again in a few minutes."
    return refusal.message


def _sources(form: PaymentForm) -> Mapping[str, Sequence[str]]:
    return {**form.sources, "script-src": [SELF, *form.sources.get("script-src", ())]}
