"""Paying an order by a link, whose token is all that the caller knows and needs."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from django.db import transaction

from kit.database.locking import retry_on_conflict
from kit.domain.actor import ANONYMOUS
from kit.errors import NotAllowed
from kit.messages.mails.tokens import token_digest
from kit.values.money import major
from kit.values.written_amounts import written
from orders.common.locked_order import lock_order
from orders.common.outstanding import outstanding_of
from orders.managing.payment_collections import create
from orders.managing.payment_links.errors import OutstandingAmountChanged, PaymentLinkNotFound, ProviderNotOffered
from orders.models import Order, PaymentLink
from payments.collections.locked_collection import read_collection
from payments.models import PaymentSession
from payments.providers.registry import payment_form
from payments.requests.offered_providers import offered_by_link
from payments.sessions.authorization import authorize
from payments.sessions.session_refreshing import refresh_session
from payments.sessions.starting import start_session
from payments.states import AWAITING, UNPAID, SessionStatus
from shop.errors import ProviderUnavailable

_PAYER = ANONYMOUS.with_permission("payments.change_paymentcollection").with_permission(
    "payments.change_paymentsession"
)


@dataclass(frozen=True, slots=True)
class PayableOrder:
    """What whoever has a link sees of its order.

    amount: what is outstanding, in major units. provider_ids: those by which it can be paid. session: the one that
    waits for the customer. is_announced: whether a payment is under way at its provider.
    """

    order: Order
    amount: Decimal
    provider_ids: Sequence[str]
    session: PaymentSession | None
    is_announced: bool


def payable_by(token: str) -> PayableOrder:
    """The order of a link, as it is now. At most six statements. Raises PaymentLinkNotFound."""
    order = _order_of(token)
    sessions = PaymentSession.objects.not_deleted().filter(
        collection__order_id=order.pk, collection__deleted_at=None, collection__status__in=UNPAID
    )
    amount = major(outstanding_of(order))
    live = sessions.filter(status__in=[*AWAITING, SessionStatus.PENDING_AUTHORIZATION]).order_by("pk").last()
    is_announced = live is not None and live.status == SessionStatus.PENDING_AUTHORIZATION
    return PayableOrder(
        order,
        amount,
        offered_by_link(order.pk) if amount and not is_announced else (),
        live if live is not None and not is_announced and live.amount == amount else None,
        is_announced,
    )


def pay(*, token: str, provider_id: str, amount: Decimal) -> None:
    """Start a payment of the outstanding amount by the provider. Does nothing once nothing is outstanding.

    A provider whose form needs no script authorizes it at once; for the others, the page then shows their form.
    amount: the one that the customer has seen, in major units.
    Must not be called inside a transaction (RuntimeError).
    Raises PaymentLinkNotFound, OutstandingAmountChanged, ProviderNotOffered, CollectionPaid while a payment is
    announced, TooManySessions, PaymentProviderRefused, ProviderUnavailable, Conflict.
    """
    collection_id = retry_on_conflict(partial(_asked, token, provider_id, amount))
    if collection_id is None:
        return
    session_id = start_session(actor=_PAYER, collection_id=collection_id, provider_id=provider_id)
    session = PaymentSession.objects.get(pk=session_id)
    if session.amount != amount:
        raise OutstandingAmountChanged(written(session.amount, session.currency_id))
    form = payment_form(provider_id, session.data)
    if form is not None and not form.scripts and session.status in AWAITING:
        with suppress(NotAllowed):  # the same click, twice: the other one has authorized it
            authorize(actor=_PAYER, session_id=session_id)


def take_result(token: str) -> None:
    """Ask the provider how the payment stands that the customer has made on its form, as its event may be late.

    Must not be called inside a transaction (RuntimeError). Raises PaymentLinkNotFound, Conflict.
    """
    session = payable_by(token).session
    row = read_collection(session.collection_id).live_session if session else None
    if row is not None:
        with suppress(ProviderUnavailable):
            refresh_session(row, cart_id=None)


def _order_of(token: str) -> Order:
    links = PaymentLink.objects.usable().filter(token_digest=token_digest(token))
    link = links.select_related("order").first()
    if link is None:
        raise PaymentLinkNotFound(token)
    return link.order


@transaction.atomic(durable=True)
def _asked(token: str, provider_id: str, amount: Decimal) -> str | None:
    """The id of the collection that asks for the amount; None where nothing is outstanding."""
    order = lock_order(_order_of(token).pk)
    if order.is_canceled:
        raise PaymentLinkNotFound(token)
    left = major(outstanding_of(order))
    if not left:
        return None
    if amount != left:
        raise OutstandingAmountChanged(written(left, order.currency_id))
    if provider_id not in offered_by_link(order.pk):
        raise ProviderNotOffered(provider_id)
    return create(actor=_PAYER, order_id=order.pk, amount=left)
