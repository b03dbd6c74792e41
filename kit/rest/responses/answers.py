"""Responses that are not resources."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from rest_framework import serializers

from kit.editing.batches import Batch
from kit.reads.declarations.computed import Embedded
from kit.reads.resources import Resource
from kit.values.json import JSONObject


class DeletedSerializer(serializers.Serializer[Any]):
    """The deleted row."""

    id = serializers.CharField()
    object = serializers.CharField()
    deleted = serializers.BooleanField()


class DeletedRowsSerializer(serializers.Serializer[Any]):
    """The deleted rows."""

    ids = serializers.ListField(child=serializers.CharField())
    object = serializers.CharField()
    deleted = serializers.BooleanField()


class BatchSerializer(serializers.Serializer[Any]):
    """Ids of the rows that a batch has created, changed and deleted."""

    created = serializers.ListField(child=serializers.CharField())
    updated = serializers.ListField(child=serializers.CharField())
    deleted = serializers.ListField(child=serializers.CharField())


@cache
def batch_answer(resource: Resource) -> type[serializers.Serializer[Any]]:
    """The rows that a batch has created and changed, and the ids of those that it has deleted."""
    rows = partial(Embedded, lambda: resource.serializer_class, many=True)
    members = {"created": rows(), "updated": rows(), "deleted": DeletedRowsSerializer()}
    name = resource.serializer_class.__name__.replace("Serializer", "BatchSerializer")
    return type(name, (serializers.Serializer,), {"__doc__": batch_answer.__doc__, **members})


def shown_batch(done: Batch, rows: Mapping[str, Any], name: str) -> JSONObject:
    """The answer of batch_answer. rows: by their id. name: of the resource."""
    return {
        "created": [rows[key] for key in done.created],
        "updated": [rows[key] for key in done.updated],
        "deleted": {"ids": [*done.deleted], "object": name, "deleted": True},
    }


class StatusSerializer(serializers.Serializer[Any]):
    """The request succeeded; failures are errors."""

    status = serializers.ChoiceField(choices=["ok"])


class ReadySerializer(StatusSerializer):
    """The server can take requests."""

    queues = serializers.DictField(
        child=serializers.ChoiceField(choices=["ok", "late"]), help_text="The queues of background work."
    )
