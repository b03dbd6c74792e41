"""Payment sessions."""

from django.db import models
from django.db.models import Q

from kit.domain.base_model import BaseModel
from kit.values.ids import IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField
from kit.values.written_amounts import written
from payments.models.collections import PartQuerySet, PaymentCollection
from payments.states import ENDED, SessionStatus
from shop.models import Currency, PaymentProvider
from shop.provider_name import provider_name


class PaymentSession(BaseModel):
    """An attempt to pay a collection through a provider. A canceled session is soft-deleted: only staff see it.

    data: the provider's data; storefronts see the part that the provider makes public.
    context: the customer, `{"customer": {"id": …}}`.
    """

    id = IdField(prefix="payses")
    collection = models.ForeignKey(PaymentCollection, on_delete=models.PROTECT, related_name="payment_sessions")
    provider = models.ForeignKey(PaymentProvider, on_delete=models.PROTECT, related_name="+")
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+", db_column="currency_code")
    amount = MoneyField()
    data = models.JSONField(default=dict, blank=True)
    context = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=24, choices=SessionStatus, default=SessionStatus.PENDING)
    authorized_at = TimestampField(null=True, blank=True, editable=False)

    objects = PartQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["collection"],
                condition=~Q(status__in=sorted(ENDED)),
                name="payments_session_one_live",
            ),
            models.CheckConstraint(condition=Q(amount__gte=0), name="payments_session_amount"),
            models.CheckConstraint(condition=Q(status__in=SessionStatus.values), name="payments_session_status"),
        ]

    def __str__(self) -> str:
        return f"{written(self.amount, self.currency_id)}, {provider_name(self.provider_id)}"
