"""Trying the deliveries of one address, one after the other."""

from functools import partial

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from kit.database.locking import retry_on_conflict
from kit.errors import InvalidData
from kit.messages.webhooks.delivery.failures import DeliveryFailed
from kit.messages.webhooks.delivery.leases import claim_next, due_rows, record_failure, record_success
from kit.messages.webhooks.delivery.message import message
from kit.messages.webhooks.delivery.posting import post
from kit.messages.webhooks.endpoints.disabling import switch_off_failing
from kit.messages.webhooks.endpoints.endpoint_lock import lock_endpoint
from kit.messages.webhooks.endpoints.signing_secrets import UnreadableSecret
from kit.messages.webhooks.endpoints.targets import target_of
from kit.messages.webhooks.models import Delivery, WebhookAddress, WebhookAddressQuerySet
from kit.values.timestamps import now

log = structlog.get_logger(__name__)


def addresses_with_work() -> list[str]:
    """The ids of addresses that a delivery is due for."""
    due = due_rows().filter(address=OuterRef("pk"))
    return list(_ready().filter(Exists(due)).order_by("pk").values_list("pk", flat=True))


def deliver_next(address_id: str) -> bool:
    """Try the next delivery of the address that is due. Returns False if there is nothing to do for now."""
    address = _ready().filter(pk=address_id).first()
    delivery = address and retry_on_conflict(partial(claim_next, address))
    if address is None or delivery is None:
        return False
    try:
        signed = message(delivery, address)
        status = post(target_of(address.url), signed.body, signed.headers)
    except UnreadableSecret:
        retry_on_conflict(partial(_switch_off_unsigned, address_id))
    except InvalidData:  # it was http, which was allowed
        _failed(delivery, DeliveryFailed("The URL is no longer allowed"))
    except DeliveryFailed as failure:
        _failed(delivery, failure)
    else:
        retry_on_conflict(partial(record_success, delivery, status=status))
        log.info("webhook_delivered", delivery=delivery.pk, address=address_id, status=status)
    return True


def _ready() -> WebhookAddressQuerySet:
    return WebhookAddress.objects.enabled().filter(Q(paused_until=None) | Q(paused_until__lte=now()))


def _failed(delivery: Delivery, failure: DeliveryFailed) -> None:
    recording = partial(record_failure, delivery, reason=failure.reason, status=failure.status)
    switched_off = retry_on_conflict(recording)
    log.warning("webhook_failed", delivery=delivery.pk, address=delivery.address_id, reason=failure.reason)
    if switched_off:
        log.error("webhook_address_switched_off", address=delivery.address_id, reason=switched_off)


@transaction.atomic(durable=True)
def _switch_off_unsigned(address_id: str) -> None:
    reason = "Its secret cannot be read, since SECRET_KEY was changed: change the secret, then enable it"
    switch_off_failing(lock_endpoint(address_id), reason)
    log.error("webhook_address_switched_off", address=address_id, reason=reason)
