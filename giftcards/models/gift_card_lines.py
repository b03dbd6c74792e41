"""What a gift card was bought as, for whom it was bought."""

from typing import Self

from carts.models import LineItem
from commerce.kit.core.actor import Actor
from commerce.kit.core.base_model import ResourceQuerySet
from giftcards.models.cards import GiftCard


class GiftCardLineQuerySet(ResourceQuerySet):
    """Lines of carts that gift cards were bought as."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff who may view carts see all, a customer those of cards that are bound to or redeemed by it.

        The cart, which may be another customer's, stays hidden by its own rule.
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
    """A line item by another gate: the holder of the card need not be who bought it. Source: behaviour.md 0.23."""

    objects = GiftCardLineQuerySet.as_manager()  # type: ignore[misc,assignment]  # the proxy's own gate

    class Meta:
        proxy = True
