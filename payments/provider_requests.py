"""Sending requests to providers: outside of transactions, unless the provider is local."""

from commerce.kit.core.json import JSONObject
from commerce.kit.core.metering import provider_call
from commerce.kit.core.money import major
from payments.collection_rows import SessionRow
from payments.models import Intent
from payments.provider_slots import slot_of
from payments.providers.base import Charge, Declined, ProviderReport
from payments.providers.known import provider
from payments.states import Act


def send(intent: Intent) -> ProviderReport:
    """Returns the provider's report. Raises Declined; any other exception means that the outcome is unknown."""
    provider_id = intent.session.provider_id
    with slot_of(provider_id), provider_call(provider_id, intent.act, declines=Declined):
        return _answer(intent)


def retrieve(session: SessionRow, *, cart_id: str) -> ProviderReport | None:
    """Read the session's state at its provider; None if the provider cannot say. Raises what the provider raises."""
    with slot_of(session.provider_id), provider_call(session.provider_id, "retrieve", declines=Declined):
        return provider(session.provider_id).retrieve(charge_of(session, cart_id=cart_id))


def send_locally(session: SessionRow, act: Act, *, cart_id: str, sent: JSONObject | None = None) -> ProviderReport:
    """Have a local provider start, authorize or cancel a session. The key is the session's. Raises Declined."""
    selected, charge = provider(session.provider_id), charge_of(session, cart_id=cart_id, sent=sent)
    key = f"{act} {session.id}"
    if act == Act.START:
        return selected.start(charge, key=key)
    if act == Act.AUTHORIZE:
        return selected.authorize(charge, key=key)
    return selected.cancel(charge, key=key)


def charge_of(session: SessionRow, *, cart_id: str, sent: JSONObject | None = None) -> Charge:
    """What a provider gets to know of the session."""
    return Charge(
        session.id,
        major(session.amount),
        session.currency_id,
        cart_id,
        _customer_id(session.context),
        session.data,
        sent or {},
    )


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
        _customer_id(session.context),
        session.data,
        intent.data,
    )


def _customer_id(context: JSONObject) -> str | None:
    customer = context.get("customer")
    found = customer.get("id") if isinstance(customer, dict) else None
    return found if isinstance(found, str) else None
