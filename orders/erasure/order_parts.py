"""Erasing orders and their related rows, except for what accounting needs."""

from collections.abc import Sequence

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce, Substr

from kit.values.timestamps import now
from orders.common.search.entries import refresh_entries
from orders.models import (
    CarrierRequest,
    Fulfillment,
    FulfillmentLabel,
    GrantedRefund,
    Order,
    OrderAddress,
    OrderChange,
    OrderChangeAction,
    OrderCreditLine,
    OrderLineItem,
    OrderNote,
    OrderShippingMethod,
    OrderTransfer,
    Return,
    ReturnItem,
)
from shop.models.addresses import ADDRESS_TEXTS

POSTAL_AREA = 2
"""The number of characters of a postal code that remain. In every country they identify a region, never a street."""

_CODE_OF_PROVINCE = r"^[a-z]{2}-[a-z0-9]{1,3}$"
_ERASED_OF_ADDRESSES = {*ADDRESS_TEXTS, "metadata"} - {"country_code", "province", "postal_code"}


def erase_orders(order_ids: Sequence[str]) -> None:
    """Erase the locked orders. The number of statements does not depend on the number of orders."""
    moment = now()
    _erase_addresses(order_ids)
    OrderLineItem.objects.filter(order__in=order_ids).update(metadata=None)
    _erase_shipping(order_ids)
    OrderCreditLine.objects.filter(order__in=order_ids).update(metadata=None)
    OrderNote.objects.filter(order__in=order_ids).exclude(text="").update(text="")
    GrantedRefund.objects.filter(order__in=order_ids).update(note=None)
    Return.objects.filter(order__in=order_ids).update(note=None, internal_note=None, metadata=None)
    ReturnItem.objects.filter(of_return__order__in=order_ids).update(note=None, metadata=None)
    OrderChange.objects.filter(order__in=order_ids).update(description=None, internal_note=None, metadata=None)
    actions = OrderChangeAction.objects.filter(change__order__in=order_ids)
    actions.update(description=None, internal_note=None, metadata=None)
    _erase_fulfillments(order_ids)
    Order.objects.filter(pk__in=order_ids).update(
        email=None, tax_number=None, metadata=None, erased_at=Coalesce("erased_at", moment), updated_at=moment
    )
    refresh_entries(order_ids)


def has_texts(order: Order) -> bool:
    """Whether staff have added texts to an erased order since. At most three statements."""
    addresses = [each for each in (order.shipping_address, order.billing_address) if each is not None]
    return (
        bool(order.email or order.metadata)
        or any(getattr(address, name) for address in addresses for name in _ERASED_OF_ADDRESSES)
        or OrderNote.objects.filter(order=order).exclude(text="").exists()
        or GrantedRefund.objects.filter(order=order).exclude(note=None).exists()
        or Return.objects.filter(~Q(note=None) | ~Q(internal_note=None) | ~Q(metadata=None), order=order).exists()
    )


def erase_transfers(transfers: QuerySet[OrderTransfer]) -> None:
    """Erase requests to transfer orders, which must have ended."""
    transfers.update(description=None, token_digest=None)


def _erase_addresses(order_ids: Sequence[str]) -> None:
    """Three statements: in one, PostgreSQL would read all addresses."""
    orders = Order.objects.filter(pk__in=order_ids).values_list("shipping_address", "billing_address")
    parcels = Fulfillment.objects.filter(order__in=order_ids).values_list("delivery_address", flat=True)
    keys = {*(key for pair in orders for key in pair), *parcels} - {None}
    addresses = OrderAddress.objects.filter(pk__in=keys)
    addresses.update(**dict.fromkeys(_ERASED_OF_ADDRESSES), postal_code=Substr("postal_code", 1, POSTAL_AREA))
    addresses.exclude(Q(province=None) | Q(province__regex=_CODE_OF_PROVINCE)).update(province=None)


def _erase_shipping(order_ids: Sequence[str]) -> None:
    """The shipping of a return belongs to no order until it is requested. Staff describe what they add."""
    for own in ({"of_return__order__in": order_ids}, {"order__in": order_ids}):
        OrderShippingMethod.objects.filter(**own).update(data=None, metadata=None, description=None)


def _erase_fulfillments(order_ids: Sequence[str]) -> None:
    """Tracking numbers and labels are erased too, since they lead to the person's address."""
    fulfillments = Fulfillment.objects.filter(order__in=order_ids)
    fulfillments.update(data={}, metadata=None, cancel_reason=None)
    labels = FulfillmentLabel.objects.filter(fulfillment__order__in=order_ids)
    labels.update(tracking_number="", tracking_url=None, label_url=None)
    CarrierRequest.objects.filter(fulfillment__order__in=order_ids).update(error="")
