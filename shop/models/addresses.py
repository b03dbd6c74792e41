"""The columns of addresses, and their texts as verbs take them."""

from typing import TypedDict

from django.db import models

from kit.values.places import country_name, province_name


class Place(models.Model):
    """An address without a person. A text that was not given is null, not ""."""

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
        return ", ".join(filter(None, (self.address_1, self.city, country_name(self.country_code))))


class PostalAddress(Place):
    """An address with a person's name."""

    first_name = models.TextField(null=True, blank=True)
    last_name = models.TextField(null=True, blank=True)

    class Meta:
        abstract = True

    def lines(self) -> list[str]:
        """The lines of the address, as on a parcel."""
        texts = (
            " ".join(filter(None, (self.first_name, self.last_name))),
            self.company,
            self.address_1,
            self.address_2,
            " ".join(filter(None, (self.postal_code, self.city))),
            province_name(self.province),
            country_name(self.country_code),
        )
        return [text for text in texts if text]


class PlaceTexts(TypedDict, total=False):
    """The texts of a Place."""

    company: str | None
    address_1: str | None
    address_2: str | None
    city: str | None
    country_code: str | None
    province: str | None
    postal_code: str | None
    phone: str | None


class AddressTexts(PlaceTexts, total=False):
    """The texts of a PostalAddress."""

    first_name: str | None
    last_name: str | None


PLACE_TEXTS = tuple(column.name for column in Place._meta.fields if column.name != "metadata")
ADDRESS_TEXTS = ("first_name", "last_name", *PLACE_TEXTS)
"""The names of the text columns, in the order in which an address is written."""
