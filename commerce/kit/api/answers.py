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
