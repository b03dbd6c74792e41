"""Responses that are not resources."""

from typing import Any

from rest_framework import serializers


class DeletedSerializer(serializers.Serializer[Any]):
    """The deleted row."""

    id = serializers.CharField()
    object = serializers.CharField()
    deleted = serializers.BooleanField()


class StatusSerializer(serializers.Serializer[Any]):
    """The request succeeded; failures are errors."""

    status = serializers.ChoiceField(choices=["ok"])


class ReadySerializer(StatusSerializer):
    """The server can take requests."""

    queues = serializers.DictField(
        child=serializers.ChoiceField(choices=["ok", "late"]), help_text="The queues of background work."
    )
