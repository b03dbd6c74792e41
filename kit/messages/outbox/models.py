"""Events: what happened in the shop, for programs outside of it."""

from functools import partial

from django.db import models
from django.db.models import Q

from kit.values.ids import ID_MAX_LENGTH, new_id
from kit.values.shown_dates import shown_moment
from kit.values.timestamps import TimestampField, now


class Event(models.Model):
    """One event, written in the transaction of what it reports. It holds ids, never personal data.

    number: given by the database, so that it rises in the order of writing whatever the clocks of hosts say.
    event_id: `evt_…`, by which receivers know the event. name: one of EVENT_NAMES (names.py).
    about: the id of the resource. order_of: events with the same value are delivered in the order of their numbers;
    null where their order does not matter. data: further ids.
    dispatched_at: when it was given to those who receive it (kit/messages/webhooks); null until then.
    """

    number = models.BigAutoField(primary_key=True)
    event_id = models.CharField(
        max_length=ID_MAX_LENGTH, unique=True, default=partial(new_id, "evt"), editable=False, verbose_name="id"
    )
    name = models.CharField(max_length=64)
    about = models.CharField(max_length=ID_MAX_LENGTH)
    order_of = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    data = models.JSONField()
    created_at = TimestampField(default=now, db_index=True)
    dispatched_at = TimestampField(null=True)

    objects = models.Manager["Event"]()

    class Meta:
        indexes = [models.Index(fields=["number"], condition=Q(dispatched_at=None), name="outbox_event_waiting")]

    def __str__(self) -> str:
        return f"{self.name}, {shown_moment(self.created_at)}"
