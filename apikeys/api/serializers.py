"""The serializers and inputs of API keys."""

from rest_framework import serializers

from apikeys.models import ApiKey
from apikeys.revocation import LONGEST_NOTICE
from apikeys.states import KeyType
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany
from kit.rest.requests.input_fields import CharField, ChoiceField, IntegerField, ListField
from kit.rest.requests.inputs import Input
from shop.api.serializers import SalesChannelSerializer


def _sales_channel() -> ResourceSerializerClass:
    return SalesChannelSerializer


class ApiKeySerializer(ResourceSerializer):
    """An API key. The `token` of a secret key is only in the answer that creates it."""

    id = serializers.CharField()
    token = serializers.CharField()
    redacted = serializers.CharField()
    title = serializers.CharField()
    type = serializers.ChoiceField(choices=KeyType.values)
    last_used_at = serializers.DateTimeField(allow_null=True)
    created_by = serializers.CharField(source="created_by_id", allow_null=True)
    created_at = serializers.DateTimeField()
    revoked_by = serializers.CharField(source="revoked_by_id", allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)
    updated_at = serializers.DateTimeField()
    deleted_at = serializers.DateTimeField(allow_null=True)
    permissions = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="What a secret key is limited to; null for all permissions of its creator.",
    )
    sales_channels = ToMany(_sales_channel, key="api_keys", order=("name",))

    class Meta:
        model = ApiKey
        by_request = frozenset({"permissions"})


class ApiKeyInput(Input):
    """A new key."""

    title = CharField(allow_blank=False)
    type = ChoiceField(choices=KeyType.values)
    permissions = ListField(
        required=False,
        help_text="Limits a secret key to these permissions of its creator, such as `payments.add_refund`. "
        "Without it, the key has all of them.",
    )


class ApiKeyTitleInput(Input):
    """A key's new title."""

    title = CharField(allow_blank=False)


class RevocationInput(Input):
    """When the key is revoked."""

    revoke_in = IntegerField(
        required=False, min_value=0, max_value=LONGEST_NOTICE, help_text="Seconds from now; 0 means immediately."
    )


class ChannelScopeInput(Input):
    """The ids of sales channels to add to the key and to remove from it."""

    add = ListField(required=False)
    remove = ListField(required=False)
