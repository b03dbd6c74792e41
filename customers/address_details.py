"""Checks of an address's fields."""

from collections.abc import Mapping
from typing import Any

from customers.models import CustomerAddress
from kit.values import metadata as metadata_rules
from kit.values import places
from kit.values.metadata import Metadata, merged
from kit.values.text import LONGEST, checked
from shop.models.addresses import AddressTexts


class AddressDetails(AddressTexts, total=False):
    """The given fields; None clears one. metadata: merged into the stored one.

    country_code, province: as kit/values/places.py accepts them for addresses; "" means None.
    """

    address_name: str | None
    metadata: Metadata | None
    is_default_shipping: bool
    is_default_billing: bool


def checked_address(given: Mapping[str, Any], *, of: CustomerAddress) -> dict[str, Any]:
    """The given fields of AddressDetails, as they are stored.

    Raises InvalidData, naming the field, for a text of several lines or an unknown country.
    """
    values: dict[str, Any] = dict(given)
    for name, value in given.items():
        if isinstance(value, str):
            checked(value, field=name, longest=LONGEST, one_line=True)
    if "metadata" in given:
        values["metadata"] = merged(of.metadata, metadata_rules.checked(given["metadata"]))
    if "country_code" in given or "province" in given:
        values |= _place(given.get("country_code", of.country_code), given.get("province", of.province))
    return values


def _place(country_code: str | None, province: str | None) -> dict[str, str | None]:
    country = places.country(country_code) if country_code else None
    return {
        "country_code": country,
        "province": places.address_province(province, country_code=country),
    }
