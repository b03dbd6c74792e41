"""Gift cards issued with one form. A form that is submitted twice issues once."""

from django.db.models import QuerySet

from giftcards.admin.issue_form import IssueForm
from giftcards.cards.issuing import issue
from giftcards.models import GiftCard
from kit.database.locking import lock_named
from kit.domain.actor import Actor
from kit.safety.keyed_digests import keyed_digests

REFERENCE_DIGESTS = "giftcards.admin.batches"
BATCH = "batch"
"""The reference of cards that staff issued with a form; cards of the same form share the reference id."""


def issue_batch(*, actor: Actor, form: IssueForm) -> GiftCard:
    """Issue the valid form's cards and return the first. A repeated form returns the existing cards."""
    form_id = f"{actor.id}:{form.cleaned_data['ticket']}"
    lock_named(f"gift cards {form_id}")
    reference_ids = _reference_ids(form_id)
    made = list(GiftCard.objects.filter(reference=BATCH, reference_id__in=reference_ids).order_by("pk")[:1])
    if not made:
        terms = form.terms(reference=BATCH, reference_id=reference_ids[0])
        made = issue(actor=actor, terms=terms, count=form.cleaned_data["count"])
    return made[0]


def batch_of(card: GiftCard) -> QuerySet[GiftCard]:
    """All cards of the form that issued this card."""
    return GiftCard.objects.filter(reference=BATCH, reference_id=card.reference_id).order_by("pk")


def _reference_ids(form_id: str) -> list[str]:
    """By which the form's cards are found; the first is that of new cards.

    Staff can see it, so it must not reveal the ticket, which would show the codes again.
    """
    return [digest[:32] for digest in keyed_digests(REFERENCE_DIGESTS, form_id)]
