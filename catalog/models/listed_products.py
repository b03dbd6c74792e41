"""The products that the store shows, by sales channel, with the columns that lists are sorted and filtered by."""

from django.db import models

from commerce.kit.core.ids import OtherIdField
from commerce.kit.core.timestamps import TimestampField


class ListedProduct(models.Model):
    """A product that the store shows in the sales channel. Only triggers write it (catalog/listings).

    id: the product's. Like it, the other columns have the names and values of the product's.
    """

    pk = models.CompositePrimaryKey("sales_channel_id", "id")
    sales_channel_id = OtherIdField()
    id = OtherIdField()
    created_at = TimestampField()
    title = models.CharField(max_length=255)
    collection_id = OtherIdField(null=True)  # type: ignore[misc]  # typed as not null, but only SQL reads it

    objects = models.Manager["ListedProduct"]()

    class Meta:
        # The primary key is the index for the order of ids. Each index holds all that a page or a count reads.
        indexes = [
            models.Index(fields=["sales_channel_id", "created_at", "id"], name="catalog_listed_created"),
            models.Index(fields=["sales_channel_id", "title", "id"], name="catalog_listed_title"),
            models.Index(fields=["sales_channel_id", "collection_id", "id"], name="catalog_listed_collection"),
        ]

    def __str__(self) -> str:
        return self.title
