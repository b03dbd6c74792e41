"""What staff see of catalogue rows beside what the store shows."""

from rest_framework import serializers

from catalog.api.serializers.products import ProductCategorySerializer
from kit.reads.declarations.computed import ConstantField
from kit.reads.declarations.fields import ToMany, ToOne


class AdminProductCategorySerializer(ProductCategorySerializer):
    """A product category, for staff."""

    is_active = serializers.BooleanField(help_text="Whether the store shows it, unless it is internal.")
    is_internal = serializers.BooleanField(help_text="Whether only staff see it, with what is below it.")
    external_id = ConstantField(serializers.CharField(allow_null=True), value=None)
    parent_category = ToOne(
        lambda: AdminProductCategorySerializer, key="parent_category_id", path="path", allow_null=True
    )
    category_children = ToMany(
        lambda: AdminProductCategorySerializer,
        key="parent_category_id",
        inverse="parent_category",
        path="path",
        order=("rank",),
    )
