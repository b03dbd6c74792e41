"""The catalogue's resources as answers show them."""

from rest_framework import serializers

from catalog.models import ProductCategory
from commerce.projection.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne


def _category() -> ResourceSerializerClass:
    return ProductCategorySerializer


class ProductCategorySerializer(ResourceSerializer):
    """A category of the catalogue's tree."""

    id = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    handle = serializers.CharField()
    rank = serializers.IntegerField(help_text="Position among the children of one parent, from 0.")
    parent_category_id = serializers.CharField(allow_null=True)
    metadata = serializers.DictField(allow_null=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    deleted_at = serializers.DateTimeField(allow_null=True)
    parent_category = ToOne(_category, key="parent_category_id", path="path", allow_null=True)
    category_children = ToMany(
        _category, key="parent_category_id", inverse="parent_category", path="path", order=("rank",)
    )

    class Meta:
        model = ProductCategory
