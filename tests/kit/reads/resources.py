"""Resources for tests alone, over tables of the shop; each call makes new classes, with nothing kept from before."""

from rest_framework import serializers

from apikeys.models import ApiKey
from catalog.models import ProductCategory
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from shop.models import SalesChannel


def channels_and_keys() -> tuple[ResourceSerializerClass, ResourceSerializerClass]:
    """Sales channels with their keys, keys with their channels."""

    class Channel(ResourceSerializer):
        id = serializers.CharField()
        name = serializers.CharField()
        is_disabled = serializers.BooleanField()
        api_keys = ToMany(lambda: Key, key="sales_channels", order=("title",))

        class Meta:
            model = SalesChannel
            by_request = frozenset({"is_disabled"})

    class Key(ResourceSerializer):
        id = serializers.CharField()
        title = serializers.CharField()
        created_by = serializers.CharField(source="created_by_id")
        sales_channels = ToMany(lambda: Channel, key="api_keys", order=("name",))

        class Meta:
            model = ApiKey

    return Channel, Key


def categories() -> ResourceSerializerClass:
    """Categories with parent and children, as in the catalogue, and metadata and timestamps beside names."""

    class Category(ResourceSerializer):
        id = serializers.CharField()
        name = serializers.CharField()
        rank = serializers.IntegerField()
        metadata = serializers.DictField()
        updated_at = serializers.DateTimeField()
        parent = ToOne(lambda: Category, key="parent_category_id", path="path")
        children = ToMany(lambda: Category, key="parent_category_id", inverse="parent", path="path", order=("rank",))

        class Meta:
            model = ProductCategory
            by_request = frozenset({"rank", "metadata", "updated_at"})

    return Category


def category(id: str, *, parent: str | None = None, **columns: object) -> ProductCategory:
    """A visible category with an id of the test's choice, which the tree's own verbs do not take."""
    above = ProductCategory.objects.get(pk=parent).path + "." if parent else ""
    derived = {
        "path": above + id,
        "is_visible": True,
        "name": id or "nameless",
        "handle": id,
        "parent_category_id": parent,
    }
    return ProductCategory.objects.create(id=id, **{**derived, **columns})
