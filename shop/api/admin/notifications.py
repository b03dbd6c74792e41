"""Emails that were sent, as Medusa's notifications.

Why: docs/decisions/security.md#notifications-are-emails-without-their-texts.
"""

from typing import Any

from rest_framework import serializers

from kit.graphql.fields.reads import ListField, SingleField
from kit.messages.mails.models import Mail
from kit.query.conditions import EVERYTHING, Condition, Is
from kit.reads.declarations.computed import ConstantField
from kit.reads.declarations.fields import ResourceSerializer
from kit.reads.filters.filtering import ResourceFilterSet
from kit.reads.filters.filters import DateFilter, SearchFilter, TextFilter
from kit.reads.filters.id_filter import IdFilter
from kit.reads.resources import Resource
from kit.rest.reads import List, Retrieve
from kit.rest.routes import reading
from kit.rest.viewsets import AdminEndpoint

CHANNEL = "email"


def _null() -> ConstantField:
    return ConstantField(serializers.CharField(allow_null=True), value=None, help_text="Always null.")


class NotificationSerializer(ResourceSerializer):
    """An email that was sent, without what it says."""

    id = serializers.CharField()
    to = serializers.CharField(source="recipient", help_text="The masked address.")
    channel = ConstantField(serializers.CharField(), value=CHANNEL)
    template = serializers.CharField(source="kind", help_text="For example `order_placed`.")
    data = ConstantField(  # type: ignore[assignment]  # DRF's own word too
        serializers.DictField(allow_null=True), value=None, help_text="Always null: it would hold links and tokens."
    )
    trigger_type = _null()
    resource_id = _null()
    resource_type = _null()
    receiver_id = _null()
    original_notification_id = _null()
    external_id = _null()
    provider_id = ConstantField(serializers.CharField(), value=CHANNEL)
    created_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField()

    class Meta:
        model = Mail


class ChannelFilter(TextFilter):
    """The channel: the shop sends emails alone, and has no feed."""

    def condition(self, raw: Any, *, name: str) -> Condition:
        super().condition(raw, name=name)
        return EVERYTHING if CHANNEL in ([raw] if isinstance(raw, str) else raw) else Is("pk__in", ())


class NotificationFilters(ResourceFilterSet):
    """Emails that were sent."""

    q = SearchFilter(columns=("kind",))
    id = IdFilter()
    channel = ChannelFilter()
    to = TextFilter(field_name="recipient")
    created_at = DateFilter()


NOTIFICATIONS = Resource(
    name="notification",
    plural="notifications",
    serializer_class=NotificationSerializer,
    filterset_class=NotificationFilters,
    default_limit=50,
    default_order="-created_at",
)
_VIEWING = "mails.view_mail"


class Notifications(List, Retrieve, AdminEndpoint):
    """Emails that were sent."""

    resource = NOTIFICATIONS
    permissions = dict.fromkeys(("list", "retrieve"), _VIEWING)


urlpatterns = reading("notifications", Notifications)
QUERIES = {
    "notifications": ListField(NOTIFICATIONS, "Emails that were sent. For staff.", permission=_VIEWING),
    "notification": SingleField(NOTIFICATIONS, "An email that was sent. For staff.", permission=_VIEWING),
}
