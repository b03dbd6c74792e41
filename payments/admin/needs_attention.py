"""Collections that need the attention of staff."""

from collections.abc import Mapping

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from kit.admin.lists.condition_filter import ConditionFilter
from kit.query.key_unions import in_any
from kit.values.timestamps import now
from payments.models import Intent, PaymentCollection
from payments.models.collections import MISMATCHED
from payments.states import Act, Result

STALLED_AFTER = 5
"""Times settings.PAYMENT_PATIENCE: a request that is still open by then is unlikely to succeed soon."""


def stalled_intents() -> QuerySet[Intent]:
    """Intents that have been open for long, and refused captures and refunds that have not succeeded since.

    Refunds of money that no order took are among them as long as they are open.
    Declined cards are left out: the shopper sees them.
    """
    since = Intent.objects.filter(
        session=OuterRef("session"), act=OuterRef("act"), result=Result.DONE, pk__gt=OuterRef("pk")
    )
    unanswered = Q(done_at=None, created_at__lt=now() - STALLED_AFTER * settings.PAYMENT_PATIENCE)
    unmoved = Q(result=Result.REFUSED, act__in=[Act.CAPTURE, Act.REFUND]) & ~Exists(since)
    found: QuerySet[Intent] = Intent.objects.filter(unanswered | unmoved | Q(is_owed=True, done_at=None))
    return found


def needing_attention() -> Q:
    """Collections with stalled intents, with more money than the cart costs, or with money in another currency."""
    mismatched = PaymentCollection.objects.filter(MISMATCHED).values("pk")
    return in_any(stalled_intents().values("session__collection"), mismatched)


class AttentionFilter(ConditionFilter):
    """Collections that need attention."""

    title = "needs attention"
    parameter_name = "look"

    def conditions(self) -> Mapping[str, Q]:
        return {"yes": needing_attention()}
