"""The statuses of gift cards, and the types of entries.

Why: docs/decisions/gift-cards.md#redeemed-and-canceled-cards-stay-so.
"""

from django.db.models import TextChoices

from kit.domain.transitions import Transitions


class CardStatus(TextChoices):
    """Redeemed and canceled are final; an expired card stays pending."""

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
