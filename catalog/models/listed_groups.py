"""The products that the store shows, by sales channel and by group. A group is a tag or a category."""

from django.db import models

from kit.values.ids import UnconstrainedIdField


class ListedGroup(models.Model):
    """A product that the store shows in the sales channel, with one of its groups.

    Only triggers write it (catalog/listings). id: the product's. group_id: the id of the tag or category.
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
    """A listed product with one of its tags."""

    objects = models.Manager["ListedTag"]()


class ListedCategory(ListedGroup):
    """A listed product with one of its categories."""

    objects = models.Manager["ListedCategory"]()
