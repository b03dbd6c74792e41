"""The columns of an address, wherever one is kept."""

from django.db import models


class Place(models.Model):
    """Where something stands or goes. A text that nobody gave is null, which is not the empty text."""

    company = models.TextField(null=True, blank=True)
    address_1 = models.TextField(null=True, blank=True)
    address_2 = models.TextField(null=True, blank=True)
    city = models.TextField(null=True, blank=True)
    country_code = models.CharField(max_length=2, null=True, blank=True)
    province = models.TextField(null=True, blank=True)
    postal_code = models.TextField(null=True, blank=True)
    phone = models.TextField(null=True, blank=True)
    metadata = models.JSONField(null=True, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.address_1, self.city, self.country_code)))


class PostalAddress(Place):
    """A place with a person."""

    first_name = models.TextField(null=True, blank=True)
    last_name = models.TextField(null=True, blank=True)

    class Meta:
        abstract = True


PLACE_TEXTS = tuple(column.name for column in Place._meta.fields if column.name != "metadata")
ADDRESS_TEXTS = ("first_name", "last_name", *PLACE_TEXTS)
"""The names of the texts, in the order in which they are written."""
