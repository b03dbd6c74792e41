"""Collections, types and tags of products."""

from django.db import models

from kit.domain.base_model import BaseModel, PublicQuerySet, unique_unless_deleted
from kit.search.documents import Documented, DocumentField
from kit.values.ids import IdField


class ProductCollection(Documented, BaseModel):
    """Products that are shown together; a product is in at most one collection."""

    touches = ("products",)
    id = IdField(prefix="pcol")
    title = models.CharField(max_length=255)
    handle = models.CharField(max_length=255)
    seo_title = models.CharField(max_length=255, null=True, blank=True)
    seo_description = models.TextField(null=True, blank=True)
    metadata = models.JSONField(null=True, blank=True)
    document = DocumentField(columns=("title", "handle"), codes=("handle",))

    objects = PublicQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("handle", name="catalog_collection_handle_taken")]

    def __str__(self) -> str:
        return self.title


class ProductType(Documented, BaseModel):
    """The type of a product, such as `Audiobook`."""

    touches = ("products",)
    id = IdField(prefix="ptyp")
    value = models.CharField(max_length=255)
    metadata = models.JSONField(null=True, blank=True)
    document = DocumentField(columns=("value",))

    objects = PublicQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("value", name="catalog_type_value_taken")]

    def __str__(self) -> str:
        return self.value


class ProductTag(Documented, BaseModel):
    """A tag that products share."""

    touches = ("products",)
    id = IdField(prefix="ptag")
    value = models.CharField(max_length=255)
    metadata = models.JSONField(null=True, blank=True)
    document = DocumentField(columns=("value",))

    objects = PublicQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("value", name="catalog_tag_value_taken")]

    def __str__(self) -> str:
        return self.value
