"""Sending an intent to its provider. Never inside a transaction."""

from payments.models import Intent
from payments.provider_slots import slot_of
from payments.providers.base import Charge, ProviderReport
from payments.providers.known import provider
from payments.states import Act


def send(intent: Intent) -> ProviderReport:
    """Returns the provider's report. Raises Declined; any other exception means that the outcome is unknown."""
    with slot_of(intent.session.provider_id):
        return _answer(intent)


def _answer(intent: Intent) -> ProviderReport:
    selected = provider(intent.session.provider_id)
    charge, key = _charge(intent), intent.pk
    match Act(intent.act):
        case Act.START:
            return selected.start(charge, key=key)
        case Act.AUTHORIZE:
            return selected.authorize(charge, key=key)
        case Act.CAPTURE:
            return selected.capture(charge, intent.amount, key=key)
        case Act.REFUND:
            return selected.refund(charge, intent.amount, key=key)
        case Act.CANCEL:
            return selected.cancel(charge, key=key)


def _charge(intent: Intent) -> Charge:
    session = intent.session
    return Charge(
        session.pk,
        session.amount,
        session.currency_id,
        session.collection.cart_id,
        session.context.get("customer", {}).get("id"),
        session.data,
        intent.data,
    )
