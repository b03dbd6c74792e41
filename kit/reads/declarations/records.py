"""Fields that many resources share. They follow a resource's own fields, in the order of its bases."""

from rest_framework import serializers

from kit.reads.declarations.fields import ResourceSerializer


class MetadataSerializer(ResourceSerializer):
    """The client's own data about a row."""

    metadata = serializers.DictField(allow_null=True)


class DatedSerializer(ResourceSerializer):
    """When a row was created and last updated."""

    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class DeletableSerializer(ResourceSerializer):
    """When a row was deleted; null if it is not."""

    deleted_at = serializers.DateTimeField(allow_null=True)


class RecordSerializer(MetadataSerializer, DatedSerializer, DeletableSerializer):
    """Metadata and all dates."""
