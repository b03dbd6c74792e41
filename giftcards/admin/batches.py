"""Gift cards that were issued by one form: sent twice, it issues once."""

from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import lock_named
from giftcards.admin.issue_form import IssueForm
from giftcards.issuing import issue
from giftcards.models import GiftCard

BATCH = "batch"
"""The reference of cards that staff have issued by a form; those of one share the reference id."""


def issue_batch(*, actor: Actor, form: IssueForm) -> GiftCard:
    """The first of the valid form's cards. Who sends the form again gets what it has made, whatever it says now."""
    reference_id = _reference_id(actor, form.cleaned_data["ticket"])
    lock_named(f"gift cards {reference_id}")
    made = list(GiftCard.objects.filter(reference=BATCH, reference_id=reference_id).order_by("pk")[:1])
    if not made:
        terms = form.terms(reference=BATCH, reference_id=reference_id)
        made = issue(actor=actor, terms=terms, count=form.cleaned_data["count"])
    return made[0]


def batch_of(card: GiftCard) -> QuerySet[GiftCard]:
    """The cards of its form, itself among them."""
    return GiftCard.objects.filter(reference=BATCH, reference_id=card.reference_id).order_by("pk")


def _reference_id(actor: Actor, ticket: str) -> str:
    """Staff see it with the cards; nobody learns the ticket from it, which would show them the codes again."""
    return salted_hmac("giftcards.admin.batches", f"{actor.id}:{ticket}", algorithm="sha256").hexdigest()[:32]
