"""Making links by which customers pay what an order still owes."""

from django.conf import settings
from django.db import transaction

from kit.domain.actor import Actor
from kit.messages.mails.tokens import token_digest
from kit.values.ids import new_id
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat, now
from orders.common import events
from orders.common.locked_order import lock_order
from orders.common.outstanding import outstanding_of
from orders.fulfillments.errors import OrderCanceled
from orders.mails.payment_links import payment_page, token_of
from orders.mails.shared import is_mailed
from orders.managing.payment_links.errors import NoPaymentPage, NoProviderForLinks, NothingToPay, NotMailed
from orders.models import PaymentLink
from payments.requests.offered_providers import offered_by_link

CREATING = "payments.change_paymentcollection"


@transaction.atomic
def create(*, actor: Actor, order_id: str, no_notification: bool = False) -> str:
    """Make a link that pays what the order owes, and email it to the customer; returns its id.

    no_notification: email nothing; the caller passes on the link, which `made` tells.
    Raises OrderNotFound, OrderCanceled, NothingToPay, NoProviderForLinks, NoPaymentPage, NotMailed, Forbidden.
    Why: docs/decisions/payments.md#links-let-customers-pay.
    """
    actor.require(CREATING)
    order = lock_order(order_id)
    if order.is_canceled:
        raise OrderCanceled(order.pk)
    if not outstanding_of(order):
        raise NothingToPay
    if not offered_by_link(order.pk):
        raise NoProviderForLinks
    if not no_notification and not is_mailed(order):
        raise NotMailed
    link_id = new_id("paylink")
    token = token_of(link_id)
    if not payment_page(order, token):
        raise NoPaymentPage
    moment = now()
    PaymentLink.objects.create(
        id=link_id,
        order=order,
        token_digest=token_digest(token),
        is_mailed=not no_notification,
        created_by=actor.id,
        created_at=moment,
        expires_at=moment + settings.PAYMENT_LINK_LIFETIME,
    )
    events.payment_requested(order.pk, link_id, is_mailed=not no_notification)
    return link_id


def made(link_id: str) -> JSONObject:
    """The link as whoever has made it is shown it once: `{id, url, expires_at}`."""
    link = PaymentLink.objects.select_related("order__shipping_address", "order__billing_address").get(pk=link_id)
    return {"id": link.pk, "url": payment_page(link.order, token_of(link.pk)), "expires_at": isoformat(link.expires_at)}
