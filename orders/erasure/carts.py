"""Erasing personal data in carts and their payments. Orders have their own copies."""

from collections.abc import Sequence

from django.db.models import F
from django.db.models.functions import Coalesce

from carts.models import Cart, CartAddress, CreditLine, LineItem, PromotionUsage, ShippingMethod
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.erasure.collections import carts_by_collection
from orders.models import CompletionAttempt, OrderChange, OrderChangeAction
from payments.models import Intent, PaymentCollection, PaymentSession, Refund
from taxes.models import TaxQuote

_KEPT_OF_PROVIDER = ("id",)
"""The provider's reference, which refunds need."""


def erase_carts(cart_ids: Sequence[str]) -> None:
    """Erase and soft-delete the locked carts. Their rows remain, for their payments. Eleven statements."""
    carts, moment = Cart.objects.filter(pk__in=cart_ids), now()
    pairs = carts.values_list("shipping_address", "billing_address")
    addresses = [address_id for pair in pairs for address_id in pair if address_id is not None]
    carts.update(
        **dict.fromkeys(("email", "shipping_address", "billing_address", "metadata")),
        deleted_at=Coalesce("deleted_at", moment),
        updated_at=moment,
    )
    CartAddress.objects.filter(pk__in=addresses).delete()
    TaxQuote.objects.filter(cart__in=cart_ids).delete()
    LineItem.objects.filter(cart__in=cart_ids).update(metadata=None)
    ShippingMethod.objects.filter(cart__in=cart_ids).update(data=None, metadata=None, description=None)
    OrderChange.objects.filter(cart__in=cart_ids).update(description=None, internal_note=None, metadata=None)
    actions = OrderChangeAction.objects.filter(change__cart__in=cart_ids)
    actions.update(description=None, internal_note=None, metadata=None)
    CreditLine.objects.filter(cart__in=cart_ids).update(metadata=None)
    of_guests = PromotionUsage.objects.filter(cart_id__in=cart_ids, customer_key__contains="@")
    of_guests.update(customer_key=F("cart_id"))


def erase_payments(cart_ids: Sequence[str]) -> None:
    """Erase what providers reported and staff wrote about the payments of these carts. Seven statements."""
    ids = list(carts_by_collection(cart_ids))
    PaymentCollection.objects.filter(pk__in=ids).update(metadata=None)
    sessions = PaymentSession.objects.filter(collection__in=ids).order_by("pk")
    rows = [
        {"id": key, "context": {}, "data": {name: data[name] for name in _KEPT_OF_PROVIDER if name in data}}
        for key, data in sessions.values_list("pk", "data")
    ]
    raw_rows.update(PaymentSession, rows)
    CompletionAttempt.objects.filter(cart_id__in=cart_ids, ended_at__isnull=False).update(error="")
    Intent.objects.filter(session__collection__in=ids, done_at__isnull=False).update(data={}, note=None, error="")
    Refund.objects.filter(payment__collection__in=ids).update(note=None)
