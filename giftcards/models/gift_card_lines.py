"""The line items of gift cards, for the cards' holders."""

from typing import Self

from carts.models import LineItem
from commerce.kit.core.actor import Actor
from commerce.kit.core.base_model import ResourceQuerySet
from giftcards.models.cards import GiftCard


class GiftCardLineQuerySet(ResourceQuerySet):
    """Line items that gift cards were bought with."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff who may view carts see all, customers those of their own cards.

        The cart, which may be another customer's, has its own visibility.
        """
        rows = self if with_deleted else self.not_deleted()
        if actor.may("carts.view_cart"):
            return rows
        if actor.type != "customer" or actor.id is None:
            return rows.none()
        return rows.filter(
            pk__in=GiftCard.objects.filter(customer_id=actor.id).exclude(line_item=None).values("line_item_id")
        )


class GiftCardLineItem(LineItem):
    """A line item as the card's holder sees it, who may not be the buyer. Source: behaviour.md 0.23."""

    objects = GiftCardLineQuerySet.as_manager()  # type: ignore[misc,assignment]  # the proxy's own visibility

    class Meta:
        proxy = True
