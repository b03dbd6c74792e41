"""An unused shop: it has only the rows that `migrate` created."""

from django.db.models import ManyToOneRel

from shop.models import Region, SalesChannel, Store


def unused_channel() -> SalesChannel | None:
    """The sales channel that `migrate` created, if only the store refers to it; None in a shop that is in use.

    A shop is in use once it has a region, another sales channel, or a row that refers to its channel, deleted or not.
    """
    if Region.objects.exists():
        return None
    channels = list(SalesChannel.objects.all()[:2])
    return channels[0] if len(channels) == 1 and not _is_named(channels[0]) else None


def _is_named(channel: SalesChannel) -> bool:
    relations = [each for each in channel._meta.get_fields(include_hidden=True) if isinstance(each, ManyToOneRel)]
    named_by = [each for each in relations if each.related_model is not Store]
    return any(
        each.related_model._default_manager.filter(**{each.field.name: channel.pk}).exists() for each in named_by
    )
