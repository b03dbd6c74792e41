"""The addresses of carts. Source: behaviour.md 0.22, 0.28."""

from collections.abc import Mapping
from typing import Any

from carts.errors import CountryOutsideRegion
from carts.models import CartAddress
from commerce.kit.core import metadata, places, raw_rows, text
from commerce.kit.core.ids import new_id
from commerce.kit.core.timestamps import now
from commerce.shop.models import Country
from commerce.shop.models.addresses import ADDRESS_TEXTS

Address = Mapping[str, Any]
"""Texts by the columns of an address, and `metadata`; what is left out is null."""


def write_address(stored_id: str | None, given: Address, *, field: str) -> str:
    """Let the stored address, or a new one, be as given; its id. One statement. Raises InvalidData naming the field."""
    values = {**checked_address(given, field), "updated_at": now()}
    if stored_id is not None:
        raw_rows.update(CartAddress, [{"id": stored_id, **values}])
        return stored_id
    address_id = new_id("caaddr")
    raw_rows.insert(CartAddress, [{"id": address_id, **values, "created_at": values["updated_at"], "deleted_at": None}])
    return address_id


def check_country(address_id: str, region_id: str) -> None:
    """Raise CountryOutsideRegion where the address is in a country that the region does not sell to."""
    country = _country_of(address_id)
    if country is not None and not _sells_to(region_id, country):
        raise CountryOutsideRegion(country)


def leave_country(address_id: str, region_id: str) -> None:
    """Let the address lose a country that the region does not sell to, and with it the province."""
    country = _country_of(address_id)
    if country is not None and not _sells_to(region_id, country):
        raw_rows.update(CartAddress, [{"id": address_id, "country_code": None, "province": None, "updated_at": now()}])


def _country_of(address_id: str) -> str | None:
    country: str | None = CartAddress.objects.values_list("country_code", flat=True).get(pk=address_id)
    return country


def _sells_to(region_id: str, country_code: str) -> bool:
    return Country.objects.not_deleted().filter(pk=country_code, region_id=region_id).exists()


def checked_address(given: Address, field: str) -> dict[str, Any]:
    """The columns of the address as they are kept. Raises InvalidData naming the field."""
    values: dict[str, Any] = dict.fromkeys(ADDRESS_TEXTS)
    for name in ADDRESS_TEXTS:
        if given.get(name) is not None:
            values[name] = text.checked(given[name], field=f"{field}, {name}", longest=text.LONGEST, one_line=True)
    country = values["country_code"] = (
        places.country(values["country_code"], field=f"{field}, country_code") if values["country_code"] else None
    )
    values["province"] = places.address_province(values["province"], country_code=country, field=f"{field}, province")
    values["metadata"] = metadata.checked(given.get("metadata"), field=f"{field}, metadata")
    return values
