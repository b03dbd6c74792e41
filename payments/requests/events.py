"""Events from providers, each applied once."""

from collections.abc import Mapping

import structlog
from django.conf import settings
from django.db import transaction

from kit.values import text
from payments.collections.locked_collection import lock_session
from payments.errors import InvalidSignature, ProviderNotFound, UnreadablePaymentEvent
from payments.models import PaymentSession, ProviderEvent
from payments.providers.base import Event, InvalidEvent
from payments.providers.registry import provider
from payments.requests.intents import adjust, announce_settled
from payments.requests.provider_reports import record
from shop.providers.provider_code import UNREADABLE

log = structlog.get_logger(__name__)


def receive_event(*, provider_id: str, body: bytes, headers: Mapping[str, str]) -> None:
    """Apply an event to its session. Repeated events and those of unknown sessions change nothing.

    body: as it was sent, in the provider's format. headers: by lower-case names. Raises InvalidSignature,
    UnreadablePaymentEvent, InvalidData (id), and ProviderNotFound for a provider not in settings.
    """
    if provider_id not in settings.PAYMENT_PROVIDERS:
        raise ProviderNotFound(provider_id)
    try:
        event = provider(provider_id).read_event(body, headers)
    except InvalidEvent as error:
        raise InvalidSignature from error
    except UNREADABLE as error:
        log.exception("payment_event_unreadable", provider=provider_id)
        raise UnreadablePaymentEvent from error
    if event.session_id is not None and event.report is not None and text.is_storable(event.session_id):
        _apply(provider_id, event, event.session_id)


@transaction.atomic
def _apply(provider_id: str, event: Event, session_id: str) -> None:
    """Under the lock of the collection, so that an event that is sent twice at once is applied once."""
    if not PaymentSession.objects.filter(pk=session_id, provider_id=provider_id).exists():
        return
    text.checked(event.id, field="id", longest=text.LONGEST)
    collection, session = lock_session(session_id)
    if event.report is None or not _is_new(provider_id, event, session_id):
        return
    was_settled = session.is_settled
    if record(collection.row, session, event.report):
        adjust(collection)
    collection.write()
    announce_settled(collection, session, was_settled=was_settled)


def _is_new(provider_id: str, event: Event, session_id: str) -> bool:
    _, is_new = ProviderEvent.objects.get_or_create(
        provider_id=provider_id, event_id=event.id, defaults={"action": event.action.value, "session_id": session_id}
    )
    return bool(is_new)
