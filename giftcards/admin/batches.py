"""Gift cards issued with one form. A form that is submitted twice issues once."""

from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import lock_named
from giftcards.admin.issue_form import IssueForm
from giftcards.issuing import issue
from giftcards.models import GiftCard

BATCH = "batch"
"""The reference of cards that staff issued with a form; cards of the same form share the reference id."""


def issue_batch(*, actor: Actor, form: IssueForm) -> GiftCard:
    """Issue the valid form's cards and return the first. A repeated form returns the existing cards."""
    reference_id = _reference_id(actor, form.cleaned_data["ticket"])
    lock_named(f"gift cards {reference_id}")
    made = list(GiftCard.objects.filter(reference=BATCH, reference_id=reference_id).order_by("pk")[:1])
    if not made:
        terms = form.terms(reference=BATCH, reference_id=reference_id)
        made = issue(actor=actor, terms=terms, count=form.cleaned_data["count"])
    return made[0]


def batch_of(card: GiftCard) -> QuerySet[GiftCard]:
    """All cards of the form that issued this card."""
    return GiftCard.objects.filter(reference=BATCH, reference_id=card.reference_id).order_by("pk")


def _reference_id(actor: Actor, ticket: str) -> str:
    """Staff can see it, so it must not reveal the ticket, which would show the codes again."""
    return salted_hmac("giftcards.admin.batches", f"{actor.id}:{ticket}", algorithm="sha256").hexdigest()[:32]
