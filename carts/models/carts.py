"""The cart itself."""

from typing import Self

from django.db import models
from django.db.models import Exists, OuterRef, Q

from carts.models.kept_totals import CartTotalColumns
from carts.models.promotions import Promotion
from carts.states import TaxFallback
from customers.models import Customer
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.timestamps import TimestampField
from kit.values.written_amounts import written
from shop.models import Currency, Region, SalesChannel
from shop.models.addresses import PostalAddress


def shown_to(actor: Actor, *, cart: str) -> Q:
    """Which carts an actor may see, for a path that ends at a cart (`cart__`) or for carts (the empty path).

    Drafts are staff's alone. Why: docs/decisions/carts.md#drafts-are-carts-that-no-shopper-sees.
    """
    return shown_to_owner(actor, row=cart) & Q(**{f"{cart}is_draft": False})


def shown_to_owner(actor: Actor, *, row: str) -> Q:
    """The condition of carts or orders by their owner. row: a path that ends at one, or the empty path.

    A customer's is visible to that customer, a guest's to callers who know its id; both in their channels.
    Why: docs/decisions/carts.md#a-cart-belongs-to-its-customer.
    """
    owner = Q(**{f"{row}customer": None}) | Q(**{f"{row}customer__has_account": False})
    if actor.type == "customer" and actor.id is not None:
        owner |= Q(**{f"{row}customer_id": actor.id})
    return owner & Q(**{f"{row}sales_channel_id__in": actor.sales_channel_ids})


class CartQuerySet(ResourceQuerySet):
    """Carts that an actor may see."""

    def of_shoppers(self) -> Self:
        """Those that are neither deleted nor drafts."""
        return self.not_deleted().filter(is_draft=False)

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """All carts for staff who may view them; else by shown_to."""
        rows = self if with_deleted else self.not_deleted()
        return rows if actor.may("carts.view_cart") else rows.filter(shown_to(actor, cart=""))


class CartPartQuerySet(ResourceQuerySet):
    """Rows that belong to a cart."""

    cart = "cart__"

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Visible to those who may see the cart."""
        rows = self if with_deleted else self.not_deleted()
        return rows if actor.may("carts.view_cart") else rows.filter(shown_to(actor, cart=self.cart))


class CartAddressQuerySet(ResourceQuerySet):
    """Addresses of carts."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Visible to those who may see the cart."""
        rows = self if with_deleted else self.not_deleted()
        if actor.may("carts.view_cart"):
            return rows
        # An Exists, since PostgreSQL would collect the addresses of all carts for an IN.
        goes_there = Q(shipping_address_id=OuterRef("pk")) | Q(billing_address_id=OuterRef("pk"))
        return rows.filter(Exists(Cart.objects.visible_to(actor).filter(goes_there)))


class CartAddress(PostalAddress, BaseModel):
    """The shipping or billing address of a cart."""

    id = IdField(prefix="caaddr")

    objects = CartAddressQuerySet.as_manager()


WITH_EMAIL = Q(email__isnull=False, completed_at=None, deleted_at=None)
"""Open carts with an email address."""


OF_GUESTS = Q(completed_at=None, customer__isnull=True)
OF_CUSTOMERS = Q(completed_at=None, customer__isnull=False)
EMPTY = Q(completed_at=None, empty_since__isnull=False)
"""Carts that no order was made of, deleted ones among them."""


class Cart(CartTotalColumns, BaseModel):
    """Open until completed_at is set; it cannot be changed afterwards.

    closed_at: since when its completion is being attempted, so that it cannot be changed; see
    carts/checkout/closing.py.
    payment_collection_id: see carts/checkout/payment.py; null until the checkout creates one.
    tax_fallback: why the shop's own rates apply though the country has a tax provider; null if they do not.
    skipped_codes: the number of its codes whose promotions take nothing off it.
    empty_since: since when it has no lines; null while it has some, and of old carts.
    is_draft: whether staff keep it as a draft order, until it is deleted or an order was made of it.
    created_by: the id of the staff user who has created the draft; null for programs. draft_number: of drafts.
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
    promotions = models.ManyToManyField(Promotion, blank=True, related_name="carts", through="carts.CartPromotion")
    skipped_codes = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    payment_collection_id = models.CharField(max_length=ID_MAX_LENGTH, null=True, blank=True, editable=False)
    tax_fallback = models.CharField(max_length=16, choices=TaxFallback, null=True, blank=True, editable=False)
    empty_since = TimestampField(null=True, blank=True, editable=False)
    closed_at = TimestampField(null=True, blank=True, editable=False)
    completed_at = TimestampField(null=True, blank=True, editable=False)
    is_draft = models.BooleanField(default=False, db_default=False, editable=False)
    created_by = models.CharField(max_length=ID_MAX_LENGTH, null=True, blank=True, editable=False)
    draft_number = models.PositiveIntegerField(null=True, blank=True, editable=False)
    no_notification = models.BooleanField(null=True, blank=True, editable=False)
    metadata = models.JSONField(null=True, blank=True)

    objects = CartQuerySet.as_manager()

    class Meta:
        permissions = [("manage_draft", "Can manage draft orders")]
        # Of columns that hardly change, so that a change of the cart does not have to write its indexes.
        indexes = [
            models.Index(fields=["created_at"], condition=WITH_EMAIL, name="carts_cart_with_email"),
            models.Index(fields=["email"], condition=Q(email__isnull=False), name="carts_cart_of_email"),
            models.Index(fields=["created_at"], condition=OF_GUESTS, name="carts_cart_of_guests"),
            models.Index(fields=["created_at"], condition=OF_CUSTOMERS, name="carts_cart_of_customers"),
            models.Index(fields=["empty_since"], condition=EMPTY, name="carts_cart_empty"),
            models.Index(fields=["draft_number"], condition=Q(is_draft=True), name="carts_cart_drafts"),
        ]

    def __str__(self) -> str:
        """Without the id, which opens a guest's cart."""
        owner = f"of {self.email}" if self.email else "without an email"
        return f"Cart {owner}, {written(self.total, self.currency_id)} with tax"


class DraftNumber(models.Model):
    """The one row that holds the last number of a draft. Drafts that are deleted leave gaps."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    last = models.BigIntegerField(default=0)

    objects = models.Manager["DraftNumber"]()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="carts_draftnumber_one_row")]

    def __str__(self) -> str:
        return str(self.last)
