"""Answers that are no resource."""

from typing import Any

from rest_framework import serializers


class DeletedSerializer(serializers.Serializer[Any]):
    """What was deleted."""

    id = serializers.CharField()
    object = serializers.CharField()
    deleted = serializers.BooleanField()
