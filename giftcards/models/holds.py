"""What attempts to complete carts hold of gift cards and store credit."""

from django.db import models
from django.db.models import Q

from giftcards.models.cards import GiftCard
from giftcards.models.ledger import StoreCreditAccount
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField, now


class CreditHold(models.Model):
    """An amount of a pending card, or of an account, that an attempt holds until it pays or is released.

    A card has at most one hold; an account any number, as far as its balance goes. The database keeps the card's
    held_by and the account's held (giftcards/triggers). attempt_id: of a row in a higher app.
    """

    id = IdField(prefix="sc_hold")
    attempt_id = models.CharField(max_length=ID_MAX_LENGTH)
    card = models.OneToOneField(GiftCard, null=True, on_delete=models.PROTECT, related_name="hold")
    account = models.ForeignKey(StoreCreditAccount, null=True, on_delete=models.PROTECT, related_name="holds")
    amount = MoneyField()
    created_at = TimestampField(default=now, editable=False)

    objects = models.Manager["CreditHold"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["attempt_id", "account"], name="giftcards_hold_once_an_account"),
            models.CheckConstraint(
                condition=Q(card=None, account__isnull=False) | Q(card__isnull=False, account=None),
                name="giftcards_hold_source",
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="giftcards_hold_amount"),
        ]

    def __str__(self) -> str:
        return f"{self.amount} for {self.attempt_id}"
