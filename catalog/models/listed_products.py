"""The products that the store shows, by sales channel, with the columns that lists are sorted and filtered by."""

from django.db import models

from kit.values.ids import UnconstrainedIdField
from kit.values.timestamps import TimestampField


class ListedProduct(models.Model):
    """A product that the store shows in the sales channel. Only triggers write it (catalog/listings).

    id: the product's. created_at, title and collection_id are copies of its columns.
    """

    pk = models.CompositePrimaryKey("sales_channel_id", "id")
    sales_channel_id = UnconstrainedIdField()
    id = UnconstrainedIdField()
    created_at = TimestampField()
    title = models.CharField(max_length=255)
    collection_id = UnconstrainedIdField(null=True)  # type: ignore[misc]  # typed as not null, but only SQL reads it

    objects = models.Manager["ListedProduct"]()

    class Meta:
        # The primary key serves the order by id. Each index covers all that a page or a count reads.
        indexes = [
            models.Index(fields=["sales_channel_id", "created_at", "id"], name="catalog_listed_created"),
            models.Index(fields=["sales_channel_id", "title", "id"], name="catalog_listed_title"),
            models.Index(fields=["sales_channel_id", "collection_id", "id"], name="catalog_listed_collection"),
            models.Index(
                fields=["sales_channel_id", "collection_id", "created_at", "id"], name="catalog_listed_in_created"
            ),
            models.Index(fields=["sales_channel_id", "collection_id", "title", "id"], name="catalog_listed_in_title"),
        ]

    def __str__(self) -> str:
        return self.title
