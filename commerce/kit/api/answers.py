"""Answers that are no resource."""

from typing import Any

from rest_framework import serializers


class DeletedSerializer(serializers.Serializer[Any]):
    """What was deleted."""

    id = serializers.CharField()
    object = serializers.CharField()
    deleted = serializers.BooleanField()


class StatusSerializer(serializers.Serializer[Any]):
    """That all is well; what is not is told by an error."""

    status = serializers.ChoiceField(choices=["ok"])
