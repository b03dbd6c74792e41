"""What providers were asked and staff have to look at."""

from django.conf import settings
from django.contrib.admin import ModelAdmin, SimpleListFilter
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import HttpRequest

from commerce.kit.core.timestamps import now
from payments.models import Intent, Payment, PaymentCollection
from payments.states import Act, Result

LONG = 5
"""Times settings.PAYMENT_PATIENCE: what is not answered by then does not right itself soon."""


def stalled_intents() -> QuerySet[Intent]:
    """What is not answered for long, and money that was refused to move and has not moved since.

    A shopper's card that is declined is the shopper's matter.
    """
    since = Intent.objects.filter(
        session=OuterRef("session"), act=OuterRef("act"), result=Result.DONE, pk__gt=OuterRef("pk")
    )
    unanswered = Q(done_at=None, created_at__lt=now() - LONG * settings.PAYMENT_PATIENCE)
    unmoved = Q(result=Result.REFUSED, act__in=[Act.CAPTURE, Act.REFUND]) & ~Exists(since)
    found: QuerySet[Intent] = Intent.objects.filter(unanswered | unmoved)
    return found


def needing_attention() -> Q:
    """Those with something of that kind, with more money than the cart costs, or with money of another currency."""
    strays = Payment.objects.filter(collection=OuterRef("pk"), captured_amount__gt=F("refunded_amount"))
    return (
        Q(pk__in=stalled_intents().values("session__collection"))
        | Q(captured_amount__gt=F("amount") + F("refunded_amount"))
        | Q(Exists(strays.exclude(currency_id=OuterRef("currency_id"))))
    )


class AttentionFilter(SimpleListFilter):
    """Collections to look at."""

    title = "needs attention"
    parameter_name = "look"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin[PaymentCollection]) -> list[tuple[str, str]]:
        return [("yes", "Yes")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[PaymentCollection]) -> QuerySet[PaymentCollection]:
        return queryset.filter(needing_attention()) if self.value() == "yes" else queryset
