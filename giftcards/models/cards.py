"""Gift cards: amounts that anyone with the code can redeem as store credit, once."""

from typing import Self

from django.db import models
from django.db.models import Q
from django.db.models.functions import Upper

from customers.models import Customer
from giftcards.codes import masked
from giftcards.states import CardStatus
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet
from kit.query.conditions import Either, Is
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField
from shop.models import Currency

FOUND_BY_ID = Either((Is("line_item_id", None), Is("customer_id", None, negated=True)))
"""The cards that others than staff can find by id. The order that bought a card shows its id to people who may not have
the code, so a bought card without a customer is found only by its code.

Why: docs/decisions/gift-cards.md#the-id-of-a-bought-card-does-not-open-it.
"""


class GiftCardQuerySet(ResourceQuerySet):
    """Gift cards. Routes look them up by id or code and never list them."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff who may view cards see all; others all except pending cards of another customer."""
        rows = self if with_deleted else self.not_deleted()
        if actor.may("giftcards.view_giftcard"):
            return rows
        shown = ~Q(status=CardStatus.PENDING) | Q(customer=None)
        if actor.type == "customer" and actor.id is not None:
            shown |= Q(customer_id=actor.id)
        return rows.filter(shown)


class GiftCard(BaseModel):
    """customer: the only customer who can redeem it, or the one who has.

    line_item_id and unit: the unit of an order's line that it was bought as.

    held_by: the attempt that holds the pending card, kept by the database; see giftcards/spending/holds.py.
    Value, currency and code never change, and the status only as giftcards/states.py allows; the database enforces
    this too (giftcards/triggers).
    """

    id = IdField(prefix="gcard", is_secret=True)
    code = models.CharField(max_length=64)
    status = models.CharField(max_length=16, choices=CardStatus, default=CardStatus.PENDING, editable=False)
    value = MoneyField()
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+", db_column="currency_code")
    customer = models.ForeignKey(Customer, null=True, blank=True, on_delete=models.PROTECT, related_name="gift_cards")
    line_item_id = models.CharField(max_length=ID_MAX_LENGTH, null=True, blank=True, editable=False)
    unit = models.PositiveIntegerField(null=True, blank=True, editable=False)
    held_by = models.CharField(max_length=ID_MAX_LENGTH, null=True, blank=True, editable=False)
    reference = models.CharField(max_length=255, null=True, blank=True)
    reference_id = models.CharField(max_length=255, null=True, blank=True)
    note = models.TextField(null=True, blank=True)
    expires_at = TimestampField(null=True, blank=True)
    metadata = models.JSONField(null=True, blank=True)

    objects = GiftCardQuerySet.as_manager()

    class Meta:
        permissions = [("export_giftcard", "Can export the codes of gift cards")]
        constraints = [
            models.UniqueConstraint(fields=["code"], name="giftcards_card_code_taken"),
            models.UniqueConstraint(fields=["line_item_id", "unit"], name="giftcards_card_unit_taken"),
            models.CheckConstraint(
                condition=Q(line_item_id=None, unit=None) | Q(line_item_id__isnull=False, unit__isnull=False),
                name="giftcards_card_unit_of_line",
            ),
            models.CheckConstraint(condition=Q(value__gt=0), name="giftcards_card_value"),
            models.CheckConstraint(condition=Q(code=Upper("code")), name="giftcards_card_code_upper"),
            models.CheckConstraint(condition=Q(status__in=CardStatus.values), name="giftcards_card_status"),
            models.CheckConstraint(
                condition=Q(held_by=None) | Q(status=CardStatus.PENDING), name="giftcards_card_held_pending"
            ),
        ]
        indexes = [models.Index(fields=["reference", "reference_id"], name="giftcards_card_reference")]

    def __str__(self) -> str:
        return masked(self.code)
