"""The lines that gift cards were bought as, for those who hold a card."""

from typing import Self

from django.db.models import Q

from giftcards.models import GiftCard
from kit.domain.actor import Actor
from kit.domain.base_model import ResourceQuerySet
from orders.models.items import OrderLineItem


class GiftCardLineQuerySet(ResourceQuerySet):
    """Lines that gift cards were bought as."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff who may view orders see all; customers those of their own cards, and of their own orders.

        The order, which may be another customer's, has its own visibility.
        """
        rows = self if with_deleted else self.not_deleted()
        if actor.may("orders.view_order"):
            return rows
        if actor.type != "customer" or actor.id is None:
            return rows.none()
        held = GiftCard.objects.filter(customer_id=actor.id).exclude(line_item_id=None)
        bought = Q(order__customer_id=actor.id, order__sales_channel_id__in=actor.sales_channel_ids)
        return rows.filter(Q(pk__in=held.values("line_item_id")) | bought)


class GiftCardLineItem(OrderLineItem):
    """A line as the holder of its gift card sees it, who may not be the buyer.

    Why: docs/decisions/orders.md#bought-gift-cards-belong-to-their-holders.
    """

    objects = GiftCardLineQuerySet.as_manager()  # type: ignore[misc,assignment]  # the proxy's own visibility

    class Meta:
        proxy = True
