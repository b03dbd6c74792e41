"""Which sales channels a publishable key opens."""

from collections.abc import Collection

from django.db import transaction

from apikeys.errors import PublishableOnly, UnknownSalesChannels
from apikeys.key_lock import lock_key
from apikeys.models import ApiKey
from apikeys.states import KeyType
from commerce.core.actor import Actor
from commerce.core.errors import InvalidData
from commerce.core.text import is_storable
from commerce.shop.models import SalesChannel, SalesChannelQuerySet


@transaction.atomic
def rescope(*, actor: Actor, key_id: str, add: Collection[str] = (), remove: Collection[str] = ()) -> ApiKey:
    """Add and remove sales channels by id; those that are there, or not there, already change nothing.

    Raises ApiKeyNotFound, PublishableOnly, UnknownSalesChannels (also for a deleted one to add), InvalidData for an id
    in both lists, Forbidden. Source: behaviour.md 5.3.
    """
    actor.demand("apikeys.change_apikey")
    key = lock_key(key_id)
    if key.type != KeyType.PUBLISHABLE:
        raise PublishableOnly
    _check(set(add), set(remove))
    before = set(key.sales_channels.values_list("pk", flat=True))
    key.sales_channels.add(*set(add) - before)
    key.sales_channels.remove(*set(remove) & before)
    if set(add) - before or set(remove) & before:
        key.save(update_fields=["updated_at"])
    return key


def _check(add: set[str], remove: set[str]) -> None:
    if add & remove:
        raise InvalidData(f"Sales channels with IDs {', '.join(sorted(add & remove))} are both in 'add' and in 'remove'")
    unknown = (add - _known(SalesChannel.objects.alive(), add)) | (remove - _known(SalesChannel.objects.all(), remove))
    if unknown:
        raise UnknownSalesChannels(unknown)


def _known(rows: SalesChannelQuerySet, ids: set[str]) -> set[str]:
    return set(rows.filter(pk__in=[id for id in ids if is_storable(id)]).values_list("pk", flat=True))
