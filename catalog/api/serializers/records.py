"""The serializers of catalogue rows without relations, and the fields that products share with variants."""

from functools import partial

from rest_framework import serializers

from catalog.models import ProductImage, ProductTag, ProductType
from kit.reads.declarations.computed import PictureAddress
from kit.reads.declarations.records import RecordSerializer

SEARCH_ENGINES = frozenset({"seo_title", "seo_description"})
"""Texts of pages, which are answered on request alone."""
seo_title = partial(
    serializers.CharField, allow_null=True, help_text="The title of the page for search engines, if it has one."
)
seo_description = partial(
    serializers.CharField, allow_null=True, help_text="The description of the page for search engines, if it has one."
)


class MeasuredSerializer(RecordSerializer):
    """Dimensions, weight and customs fields."""

    width = serializers.FloatField(allow_null=True)
    weight = serializers.FloatField(allow_null=True)
    length = serializers.FloatField(allow_null=True)
    height = serializers.FloatField(allow_null=True)
    origin_country = serializers.CharField(allow_null=True)
    hs_code = serializers.CharField(allow_null=True)
    mid_code = serializers.CharField(allow_null=True)
    material = serializers.CharField(allow_null=True)


class ProductTypeSerializer(RecordSerializer):
    """The type of a product."""

    id = serializers.CharField()
    value = serializers.CharField()

    class Meta:
        model = ProductType


class ProductTagSerializer(RecordSerializer):
    """A tag that products share."""

    id = serializers.CharField()
    value = serializers.CharField()

    class Meta:
        model = ProductTag


class ProductImageSerializer(RecordSerializer):
    """An image of a product."""

    id = serializers.CharField()
    url = PictureAddress()
    rank = serializers.IntegerField(help_text="Position among the product's images, from 0.")

    class Meta:
        model = ProductImage
