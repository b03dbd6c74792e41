"""The cart itself."""

from typing import Self

from django.db import models
from django.db.models import Exists, OuterRef, Q

from carts.models.kept_totals import CartTotalColumns
from carts.models.promotions import Promotion
from commerce.kit.core.actor import Actor
from commerce.kit.core.base_model import BaseModel, ResourceQuerySet
from commerce.kit.core.ids import ID_MAX_LENGTH, IdField
from commerce.kit.core.timestamps import TimestampField
from commerce.shop.models import Currency, Region, SalesChannel
from commerce.shop.models.addresses import PostalAddress
from customers.models import Customer


def shown_to(actor: Actor, *, cart: str) -> Q:
    """The rule of behaviour.md 0.26, for a path that ends at a cart (`cart__`) or for carts (the empty path).

    A customer's cart answers to that customer alone, a guest's to whoever knows its id; both in the caller's channels.
    """
    owner = Q(**{f"{cart}customer": None}) | Q(**{f"{cart}customer__has_account": False})
    if actor.type == "customer" and actor.id is not None:
        owner |= Q(**{f"{cart}customer_id": actor.id})
    return owner & Q(**{f"{cart}sales_channel_id__in": actor.sales_channel_ids})


class CartQuerySet(ResourceQuerySet):
    """Carts, as their owners or staff may see them."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff who may view them see all."""
        rows = self if with_deleted else self.not_deleted()
        return rows if actor.may("carts.view_cart") else rows.filter(shown_to(actor, cart=""))


class CartPartQuerySet(ResourceQuerySet):
    """What belongs to a cart."""

    cart = "cart__"

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Whoever may see the cart."""
        rows = self if with_deleted else self.not_deleted()
        return rows if actor.may("carts.view_cart") else rows.filter(shown_to(actor, cart=self.cart))


class CartAddressQuerySet(ResourceQuerySet):
    """Addresses of carts."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Whoever may see the cart."""
        rows = self if with_deleted else self.not_deleted()
        if actor.may("carts.view_cart"):
            return rows
        # An Exists, since PostgreSQL would collect the addresses of all carts for an IN.
        goes_there = Q(shipping_address_id=OuterRef("pk")) | Q(billing_address_id=OuterRef("pk"))
        return rows.filter(Exists(Cart.objects.visible_to(actor).filter(goes_there)))


class CartAddress(PostalAddress, BaseModel):
    """Where a cart goes, or its bill."""

    id = IdField(prefix="caaddr")

    objects = CartAddressQuerySet.as_manager()


class Cart(CartTotalColumns, BaseModel):
    """Open until completed_at is set, and unchangeable from then on.

    payment_collection_id: by which it is paid (carts/payment.py); null until somebody wants to.
    """

    id = IdField(prefix="cart", is_secret=True)
    region = models.ForeignKey(Region, on_delete=models.PROTECT, related_name="+")
    sales_channel = models.ForeignKey(SalesChannel, on_delete=models.PROTECT, related_name="+")
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+", db_column="currency_code")
    customer = models.ForeignKey(Customer, null=True, blank=True, on_delete=models.SET_NULL, related_name="carts")
    email = models.EmailField(null=True, blank=True)
    locale = models.CharField(max_length=35, null=True, blank=True)
    shipping_address = models.OneToOneField(
        CartAddress, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    billing_address = models.OneToOneField(
        CartAddress, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    promotions = models.ManyToManyField(Promotion, blank=True, related_name="carts")
    payment_collection_id = models.CharField(max_length=ID_MAX_LENGTH, null=True, blank=True, editable=False)
    completed_at = TimestampField(null=True, blank=True, editable=False)
    metadata = models.JSONField(null=True, blank=True)

    objects = CartQuerySet.as_manager()

    def __str__(self) -> str:
        return self.id
