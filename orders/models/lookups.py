"""Requests of guests to see an order, by its number and email address."""

from django.db import models
from django.db.models import Q

from kit.domain.actor import Actor
from kit.safety.keyed_digests import keyed_digest, keyed_digests
from kit.values import email_address
from kit.values.ids import IdField
from kit.values.text import whole_number
from kit.values.timestamps import TimestampField, now
from orders.models.orders import Order, found_order

LONGEST_NUMBER = 64
_PURPOSE = "commerce.order_lookups"


def address_digest(email: str) -> str:
    """What requests store in place of an email address: keyed, since addresses can be guessed from a plain hash."""
    return keyed_digest(_PURPOSE, email)


class OrderLookup(models.Model):
    """A request to see an order, which may not exist: it is looked up when the email is rendered.

    number: as it was typed, without `#`. sales_channel_ids: those of the storefront that asked.
    order: null unless the email was rendered. token_digest, expires_at: null until then; the token's lifetime then
    begins. used_at: when the token was used.
    Why: docs/decisions/orders.md#guests-find-an-order-through-its-email-address.
    """

    id = IdField(prefix="ordlook")
    number = models.CharField(max_length=LONGEST_NUMBER, editable=False)
    email_digest = models.CharField(max_length=64, editable=False)
    sales_channel_ids = models.JSONField(editable=False)
    order = models.ForeignKey(Order, null=True, on_delete=models.CASCADE, related_name="lookups", editable=False)
    token_digest = models.CharField(max_length=64, null=True, unique=True, editable=False)
    created_at = TimestampField(default=now, db_index=True, editable=False)
    expires_at = TimestampField(null=True, editable=False)
    used_at = TimestampField(null=True, editable=False)

    objects = models.Manager["OrderLookup"]()

    def __str__(self) -> str:
        return self.number

    def find_order(self) -> Order | None:
        """The guest's order with that number and email address, if those channels show one."""
        guest = Actor(type="anonymous", sales_channel_ids=tuple(self.sales_channel_ids))
        named = Q(custom_display_id__in={self.number, self.number.upper(), self.number.lower()})
        number = whole_number(self.number)
        if number is not None:
            named |= Q(display_id=number)
        return next(filter(self._is_of, Order.objects.not_deleted().filter(found_order(guest), named)), None)

    def _is_of(self, order: Order) -> bool:
        address = email_address.normalized(order.email or "")
        return self.email_digest in keyed_digests(_PURPOSE, address)
