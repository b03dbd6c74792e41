"""What every row of a cart has."""

from rest_framework import serializers

from commerce.projection.fields import ResourceSerializer


class RecordSerializer(ResourceSerializer):
    """When it was made and changed."""

    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
