"""The sales channels of a publishable key."""

from collections.abc import Collection

from django.db import transaction

from apikeys.errors import PublishableOnly, UnknownSalesChannels
from apikeys.key_lock import lock_key
from apikeys.models import ApiKey
from apikeys.states import KeyType
from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.values.text import is_storable
from shop.models import SalesChannel, SalesChannelQuerySet


@transaction.atomic
def update_channels(*, actor: Actor, key_id: str, add: Collection[str] = (), remove: Collection[str] = ()) -> ApiKey:
    """Add and remove sales channels by id. Adding a present one or removing an absent one changes nothing.

    Raises ApiKeyNotFound, PublishableOnly, UnknownSalesChannels (also when adding a deleted one), InvalidData for an id
    in both lists, Forbidden.
    """
    actor.require("apikeys.change_apikey")
    key = lock_key(key_id)
    if key.type != KeyType.PUBLISHABLE:
        raise PublishableOnly
    in_both = ", ".join(sorted({*add} & {*remove}))
    if in_both:
        raise InvalidData(f"Sales channels with IDs {in_both} are both in 'add' and in 'remove'")
    added, removed = _channels(SalesChannel.objects.not_deleted(), add), _channels(SalesChannel.objects.all(), remove)
    unknown = {*add, *remove} - {channel.pk for channel in added | removed}
    if unknown:
        raise UnknownSalesChannels(unknown)
    before = set(key.sales_channels.all())
    key.sales_channels.add(*added - before)
    key.sales_channels.remove(*removed & before)
    if added - before or removed & before:
        key.save(update_fields=["updated_at"])
    return key


def _channels(rows: SalesChannelQuerySet, ids: Collection[str]) -> set[SalesChannel]:
    return set(rows.filter(pk__in=[channel_id for channel_id in ids if is_storable(channel_id)]))
