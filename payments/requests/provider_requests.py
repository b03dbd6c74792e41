"""Sending requests to providers: outside of transactions, unless the provider is local."""

from decimal import Decimal

import structlog
from django.db import Error

from kit.observability.metering import provider_call
from kit.values.json import JSONObject
from kit.values.money import major
from payments.collections.collection_rows import SessionRow
from payments.models import Intent
from payments.providers.base import Charge, Declined, ProviderReport
from payments.providers.registry import provider
from payments.requests.provider_slots import slot_of
from payments.states import Act
from shop.errors import ProviderUnavailable

log = structlog.get_logger(__name__)


def send(intent: Intent) -> ProviderReport:
    """Returns the provider's report. Raises Declined; any other exception means that the outcome is unknown."""
    provider_id = intent.session.provider_id
    with slot_of(provider_id), provider_call(provider_id, intent.act, declines=Declined):
        return _answer(provider_id, Act(intent.act), _charge(intent), key=intent.pk, amount=intent.amount)


def retrieve(session: SessionRow, *, cart_id: str | None) -> ProviderReport | None:
    """Read the session's state at its provider; None if the provider cannot say. Raises what the provider raises."""
    with slot_of(session.provider_id), provider_call(session.provider_id, "retrieve", declines=Declined):
        return provider(session.provider_id).retrieve(charge_of(session, cart_id=cart_id))


def send_locally(
    session: SessionRow,
    act: Act,
    *,
    cart_id: str | None,
    sent: JSONObject | None = None,
    amount: Decimal | None = None,
    key: str | None = None,
) -> ProviderReport:
    """Call a local provider, inside the caller's transaction, which is rolled back if the provider fails.

    amount: of captures and refunds, in major units. key: by default one of the session.
    Raises Declined, and ProviderUnavailable for any other failure.
    """
    charge = charge_of(session, cart_id=cart_id, sent=sent)
    try:
        return _answer(session.provider_id, act, charge, key=key or f"{act} {session.id}", amount=amount)
    except (Declined, ProviderUnavailable, Error):  # an error of the database may be a conflict, which is retried
        raise
    except Exception as failure:
        log.exception("payment_provider_failed", provider=session.provider_id, session=session.id, act=act)
        raise ProviderUnavailable(f"payment provider {session.provider_id}") from failure


def charge_of(session: SessionRow, *, cart_id: str | None, sent: JSONObject | None = None) -> Charge:
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


def _answer(provider_id: str, act: Act, charge: Charge, *, key: str, amount: Decimal | None) -> ProviderReport:
    selected = provider(provider_id)
    match act:
        case Act.START:
            return selected.start(charge, key=key)
        case Act.AUTHORIZE:
            return selected.authorize(charge, key=key)
        case Act.CANCEL:
            return selected.cancel(charge, key=key)
    if amount is None:
        raise ValueError(f"A {act} needs an amount")
    moving = {Act.CAPTURE: selected.capture, Act.REFUND: selected.refund, Act.UPDATE: selected.update}
    return moving[act](charge, amount, key=key)


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
