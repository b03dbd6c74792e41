"""The life of a gift card, and the two directions of the ledger. Source: behaviour.md 0.23, section 7."""

from django.db.models import TextChoices

from commerce.kit.core.transitions import Transitions


class CardStatus(TextChoices):
    """Both ends are final; an expired card stays pending."""

    PENDING = "pending"
    REDEEMED = "redeemed"
    CANCELED = "canceled"


LIFE = Transitions(
    of="The gift card",
    allowed={
        "pending": frozenset({"redeemed", "canceled"}),
        "redeemed": frozenset(),
        "canceled": frozenset(),
    },
)


class EntryType(TextChoices):
    """A credit adds to an account, a debit takes from it."""

    CREDIT = "credit"
    DEBIT = "debit"
