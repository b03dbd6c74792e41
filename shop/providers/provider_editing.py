"""Registering, enabling and disabling payment and fulfillment providers, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.db import transaction

from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from shop.models import FulfillmentProvider, PaymentProvider


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderState(RowState):
    """The desired state of a provider."""

    is_enabled: bool | Absent = ABSENT


@transaction.atomic
def put(
    model: type[FulfillmentProvider | PaymentProvider], *, actor: Actor, states: Sequence[ProviderState]
) -> list[Edited[FulfillmentProvider | PaymentProvider]]:
    """Create and change providers: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    return RowEdits(model, states, actor=actor).write()


PAYMENT_PROVIDERS = RowVerbs(state=ProviderState, put=partial(put, PaymentProvider))
FULFILLMENT_PROVIDERS = RowVerbs(state=ProviderState, put=partial(put, FulfillmentProvider))
