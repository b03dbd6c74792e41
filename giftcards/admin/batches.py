"""Gift cards issued with one form. A form that is submitted twice issues once."""

from django.db.models import QuerySet

from giftcards.admin.issue_form import IssueForm
from giftcards.cards.issuing import issue
from giftcards.cards.mailing import KIND
from giftcards.errors import IssuedOtherwise
from giftcards.models import GiftCard
from kit.admin.forms.customer_mail import NOTIFY
from kit.admin.lists.amounts import shown
from kit.database.locking import lock_named
from kit.domain.actor import Actor
from kit.messages.mails.queueing import queue_mails
from kit.safety.keyed_digests import keyed_digests

REFERENCE_DIGESTS = "giftcards.admin.batches"
BATCH = "batch"
"""The reference of cards that staff issued with a form; cards of the same form share the reference id."""


def issue_batch(*, actor: Actor, form: IssueForm) -> GiftCard:
    """Issue the valid form's cards and return the first. A repeated form returns the existing cards.

    Raises IssuedOtherwise, and the errors of `issue`.
    """
    form_id = f"{actor.id}:{form.cleaned_data['ticket']}"
    lock_named(f"gift cards {form_id}")
    reference_ids = _reference_ids(form_id)
    terms, count = form.terms(reference=BATCH, reference_id=reference_ids[0]), form.cleaned_data["count"]
    made = list(GiftCard.objects.filter(reference=BATCH, reference_id__in=reference_ids).order_by("pk"))
    if not made:
        issued_now = issue(actor=actor, terms=terms, count=count)
        if form.cleaned_data[NOTIFY]:
            queue_mails(KIND, about=[card.pk for card in issued_now])
        return issued_now[0]
    first: GiftCard = made[0]
    issued = (first.value, first.currency_id, first.customer_id, first.expires_at, first.note, len(made))
    if issued != (terms.value, terms.currency_code, terms.customer_id, terms.expires_at, terms.note, count):
        raise IssuedOtherwise(len(made), shown(first.value, first.currency_id))
    return first


def batch_of(card: GiftCard) -> QuerySet[GiftCard]:
    """All cards of the form that issued this card."""
    return GiftCard.objects.filter(reference=BATCH, reference_id=card.reference_id).order_by("pk")


def _reference_ids(form_id: str) -> list[str]:
    """By which the form's cards are found; the first is that of new cards.

    Staff can see it, so it must not reveal the ticket, which would show the codes again.
    """
    return [digest[:32] for digest in keyed_digests(REFERENCE_DIGESTS, form_id)]
