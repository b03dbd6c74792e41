"""The promotions of a cart: those whose codes it was given, and automatic ones that apply."""

from typing import Self

from django.db import models

from carts.models.carts import Cart, shown_to
from carts.models.promotion_parts import LONGEST_CODE, PromotionCode
from carts.models.promotions import Promotion
from carts.states import SkipReason
from kit.domain.actor import Actor
from kit.domain.base_model import ResourceQuerySet
from kit.values.money import MoneyField


class CartPromotionQuerySet(ResourceQuerySet):
    """Promotions of carts."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Visible to those who may see the cart."""
        return self if actor.may("carts.view_cart") else self.filter(shown_to(actor, cart="cart__"))


class CartPromotion(models.Model):
    """A promotion that a cart has. Older versions read and write its cart and promotion alone.

    entered: the code as its customer typed it, and promotion_code the row that it found; null for an automatic
    promotion, and where an older version has added it. is_applied: whether it takes something off. reason: why it does
    not; missing: the amount (or, of a number of pieces, the pieces) below the minimum.
    """

    cart = models.ForeignKey(Cart, on_delete=models.CASCADE, related_name="cart_promotions")
    promotion = models.ForeignKey(Promotion, on_delete=models.CASCADE, related_name="cart_promotions")
    promotion_code = models.ForeignKey(
        PromotionCode, null=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    entered = models.CharField(max_length=LONGEST_CODE, null=True)
    is_applied = models.BooleanField(default=True, db_default=True)
    reason = models.CharField(max_length=32, choices=SkipReason, null=True)
    missing = MoneyField(null=True)

    objects = CartPromotionQuerySet.as_manager()

    class Meta:
        db_table = "carts_cart_promotions"
        unique_together = (("cart", "promotion"),)

    def __str__(self) -> str:
        return f"{self.entered or self.promotion_id}"
