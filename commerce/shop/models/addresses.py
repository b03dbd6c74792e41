"""The columns of an address, wherever one is kept."""

from django.db import models


class Place(models.Model):
    """Where something stands or goes. A text that nobody gave is null, which is not the empty text."""

    company = models.TextField(null=True, blank=True)  # noqa: DJ001
    address_1 = models.TextField(null=True, blank=True)  # noqa: DJ001
    address_2 = models.TextField(null=True, blank=True)  # noqa: DJ001
    city = models.TextField(null=True, blank=True)  # noqa: DJ001
    country_code = models.CharField(max_length=2, null=True, blank=True)  # noqa: DJ001
    province = models.TextField(null=True, blank=True)  # noqa: DJ001
    postal_code = models.TextField(null=True, blank=True)  # noqa: DJ001
    phone = models.TextField(null=True, blank=True)  # noqa: DJ001
    metadata = models.JSONField(null=True, blank=True)

    class Meta:
        abstract = True


class PostalAddress(Place):
    """A place with a person."""

    first_name = models.TextField(null=True, blank=True)  # noqa: DJ001
    last_name = models.TextField(null=True, blank=True)  # noqa: DJ001

    class Meta:
        abstract = True


PLACE_TEXTS = tuple(column.name for column in Place._meta.fields if column.name != "metadata")
ADDRESS_TEXTS = ("first_name", "last_name", *PLACE_TEXTS)
"""The names of the texts, in the order in which they are written."""
