"""What providers were asked and staff have to look at."""

from typing import Any

from django.conf import settings
from django.contrib.admin import SimpleListFilter
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest

from commerce.core.timestamps import now
from payments.models import Intent, PaymentCollection
from payments.states import Act, Result

LONG = 5
"""Times settings.PAYMENT_PATIENCE: what is not answered by then does not right itself soon."""


def standing_still() -> QuerySet[Intent]:
    """What is not answered for long, and money that was refused to move and has not moved since.

    A shopper's card that is declined is the shopper's matter. A cancellation that was refused matters where money is
    still promised.
    """
    since = Intent.objects.filter(
        session=OuterRef("session"), act=OuterRef("act"), result=Result.DONE, pk__gt=OuterRef("pk")
    )
    unanswered = Q(done_at=None, created_at__lt=now() - LONG * settings.PAYMENT_PATIENCE)
    unmoved = Q(result=Result.REFUSED, act__in=[Act.CAPTURE, Act.REFUND]) & ~Exists(since)
    held = Q(
        result=Result.REFUSED,
        act=Act.CANCEL,
        session__payment__isnull=False,
        session__payment__canceled_at=None,
        session__payment__captured_amount=0,
    )
    found: QuerySet[Intent] = Intent.objects.filter(unanswered | unmoved | held)
    return found


def collections_to_look_at() -> Q:
    """Those with something of that kind."""
    return Q(pk__in=standing_still().values("session__collection"))


class AttentionFilter(SimpleListFilter):
    """Collections to look at."""

    title = "to look at"
    parameter_name = "look"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Yes")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[PaymentCollection]) -> QuerySet[PaymentCollection]:
        return queryset.filter(collections_to_look_at()) if self.value() == "yes" else queryset
