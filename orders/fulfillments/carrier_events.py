"""Events from fulfillment providers, each applied once. They never move a status back.

Why: docs/decisions/fulfillments.md#carrier-events-never-move-a-status-back.
"""

from collections.abc import Mapping

import structlog
from django.conf import settings
from django.db import transaction

from fulfillment.providers.base import CarrierReport, CarrierStep, InvalidEvent
from fulfillment.providers.registry import provider
from kit.values import text
from orders.fulfillments.delivery import deliver_locked
from orders.fulfillments.errors import FulfillmentProviderNotFound, InvalidEventSignature, UnreadableCarrierEvent
from orders.fulfillments.labels import NewLabel, checked_labels, write_labels
from orders.fulfillments.locked_lines import LockedFulfillment, lock_fulfillment
from orders.fulfillments.shipping import ship_locked
from orders.models import CarrierEvent, Fulfillment
from shop.providers.provider_code import UNREADABLE

log = structlog.get_logger(__name__)


def receive_event(*, provider_id: str, body: bytes, headers: Mapping[str, str]) -> None:
    """Apply an event to its fulfillment. Repeated events, late ones and those of unknown fulfillments change nothing.

    body: as it was sent, in the provider's format. headers: by lower-case names. Raises InvalidEventSignature,
    UnreadableCarrierEvent, FulfillmentProviderNotFound for a provider not in settings, InvalidData (id, labels).
    """
    if provider_id not in settings.FULFILLMENT_PROVIDERS:
        raise FulfillmentProviderNotFound(provider_id)
    try:
        report = provider(provider_id).read_event(body, headers)
    except InvalidEvent as error:
        raise InvalidEventSignature from error
    except UNREADABLE as error:
        log.exception("carrier_event_unreadable", provider=provider_id)
        raise UnreadableCarrierEvent from error
    if report.fulfillment_id is not None and report.step is not None and text.is_storable(report.fulfillment_id):
        _apply(provider_id, report, report.fulfillment_id, report.step)


@transaction.atomic
def _apply(provider_id: str, report: CarrierReport, fulfillment_id: str, step: CarrierStep) -> None:
    """Under the order's lock, so that an event that is sent twice at once is applied once."""
    if not Fulfillment.objects.filter(pk=fulfillment_id, provider=provider_id).exists():
        return
    text.checked(report.id, field="id", longest=text.LONGEST, may_be_blank=False)
    labels = checked_labels(
        [NewLabel(each.tracking_number, each.tracking_url, each.label_url) for each in report.labels]
    )
    opened = lock_fulfillment(fulfillment_id)
    _, is_new = CarrierEvent.objects.get_or_create(
        provider_id=provider_id, event_id=report.id, defaults={"fulfillment": opened.row}
    )
    is_over = opened.row.canceled_at is not None or opened.order.row.is_canceled
    if is_new and not is_over:
        _record(opened, step, labels)


def _record(opened: LockedFulfillment, step: CarrierStep, labels: list[NewLabel]) -> None:
    if step is CarrierStep.SHIPPED and opened.is_packed:
        ship_locked(opened, labels=labels, by=None)
        return
    write_labels(opened.row, labels)
    if step is CarrierStep.DELIVERED and opened.row.delivered_at is None:
        deliver_locked(opened, by=None)
