"""What the rows of many resources have. A resource shows it behind its own fields, in the order of its bases."""

from rest_framework import serializers

from commerce.kit.projection.fields import ResourceSerializer


class MetadataSerializer(ResourceSerializer):
    """What clients note of a row."""

    metadata = serializers.DictField(allow_null=True)


class DatedSerializer(ResourceSerializer):
    """When a row was made and changed."""

    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class DeletableSerializer(ResourceSerializer):
    """When a row was deleted, null while it lives."""

    deleted_at = serializers.DateTimeField(allow_null=True)


class RecordSerializer(MetadataSerializer, DatedSerializer, DeletableSerializer):
    """All of it."""
