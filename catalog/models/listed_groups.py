"""The products that the store shows, by sales channel and by a group that they belong to: a tag or a category."""

from django.db import models

from commerce.kit.core.ids import UnconstrainedIdField


class ListedGroup(models.Model):
    """A product of the group that the store shows in the sales channel. Only triggers write it (catalog/listings).

    id: the product's. group_id: of the tag or category.
    """

    pk = models.CompositePrimaryKey("sales_channel_id", "group_id", "id")
    sales_channel_id = UnconstrainedIdField()
    group_id = UnconstrainedIdField()
    id = UnconstrainedIdField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.id} of {self.group_id}"


class ListedTag(ListedGroup):
    """A product of the tag."""

    objects = models.Manager["ListedTag"]()


class ListedCategory(ListedGroup):
    """A product of the category."""

    objects = models.Manager["ListedCategory"]()
