"""Payments of carts that expire: which of them keep the cart, and how the others are canceled and deleted."""

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from carts.models import Cart
from kit.values.timestamps import now
from payments.lifecycle.completion import release_session
from payments.models import Intent, Payment, PaymentCollection, PaymentSession, ProviderEvent
from payments.states import AWAITING, ENDED

LATE_REPORTS = timedelta(days=7)
"""How long providers may still report about a canceled session: they repeat their events for some days."""


def without_money(carts: QuerySet[Cart]) -> QuerySet[Cart]:
    """The carts that have no payment, whatever became of it, and whose providers have carried out every request.

    A cancellation that a provider refuses stays open: the session might still be paid.
    """
    of_cart = PaymentCollection.objects.filter(cart=OuterRef("pk"))
    held = (
        Q(order_id__isnull=False) | Q(authorized_amount__gt=0) | Q(captured_amount__gt=0) | Q(has_other_currency=True)
    )
    requests = Intent.objects.filter(session__collection__cart=OuterRef("pk"))
    return carts.exclude(
        Exists(of_cart.filter(held))
        | Exists(Payment.objects.filter(collection__cart=OuterRef("pk")))
        | Exists(requests.filter(done_at=None))
    )


def without_sessions(carts: QuerySet[Cart]) -> QuerySet[Cart]:
    """Those of the carts whose sessions have all ended for long enough."""
    sessions = PaymentSession.objects.filter(collection__cart=OuterRef("pk"))
    return carts.exclude(Exists(sessions.filter(~Q(status__in=ENDED) | Q(updated_at__gte=now() - LATE_REPORTS))))


def cancel_sessions(cart_ids: Sequence[str]) -> None:
    """Cancel the live sessions of the locked carts, also at their providers, unless a payment may be under way."""
    sessions = PaymentSession.objects.filter(collection__cart__in=cart_ids, status__in=AWAITING)
    for session_id in sessions.order_by("pk").values_list("pk", flat=True):
        release_session(session_id)


def delete_collections(cart_ids: Sequence[str]) -> None:
    """Delete the payment collections of the locked carts. Payments must not exist (ProtectedError)."""
    of_carts = {"session__collection__cart__in": cart_ids}
    ProviderEvent.objects.filter(**of_carts).delete()
    Intent.objects.filter(**of_carts).delete()
    PaymentSession.objects.filter(collection__cart__in=cart_ids).delete()
    PaymentCollection.objects.filter(cart__in=cart_ids).delete()
