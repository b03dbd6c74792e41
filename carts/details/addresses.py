"""The addresses of carts.

Why: docs/decisions/carts.md#a-province-may-stay-as-it-was-typed.
"""

from collections.abc import Mapping

from carts.errors import CountryOutsideRegion
from carts.models import CartAddress
from kit.values import metadata, places, text
from kit.values.ids import new_id
from kit.values.metadata import Metadata
from kit.values.timestamps import now
from kit.writes import raw_rows
from shop.models import Country
from shop.models.addresses import ADDRESS_TEXTS, AddressTexts


class Address(AddressTexts, total=False):
    """An address as it was sent. A field that is left out is null, or as in the address that `id` names."""

    id: str
    metadata: Metadata | None


def write_address(stored_id: str | None, given: Address, *, field: str) -> str:
    """Replace the stored address, or insert one; its id. One statement. Raises InvalidData naming the field."""
    values = {**checked_address(given, field), "updated_at": now()}
    if stored_id is not None:
        raw_rows.update(CartAddress, [{"id": stored_id, **values}])
        return stored_id
    address_id = new_id("caaddr")
    raw_rows.insert(CartAddress, [{"id": address_id, **values, "created_at": values["updated_at"], "deleted_at": None}])
    return address_id


def check_country(address_id: str, region_id: str) -> None:
    """Raise CountryOutsideRegion if the region does not sell to the country of the address."""
    country = _country_of(address_id)
    if country is not None and not sells_to(region_id, country):
        raise CountryOutsideRegion(country)


def leave_country(address_id: str, region_id: str) -> None:
    """Remove country and province from the address if the region does not sell to the country."""
    country = _country_of(address_id)
    if country is not None and not sells_to(region_id, country):
        raw_rows.update(CartAddress, [{"id": address_id, "country_code": None, "province": None, "updated_at": now()}])


def _country_of(address_id: str) -> str | None:
    country: str | None = CartAddress.objects.values_list("country_code", flat=True).get(pk=address_id)
    return country


def sells_to(region_id: str, country_code: str) -> bool:
    """Whether the country is one of the region's. One statement."""
    return Country.objects.not_deleted().filter(pk=country_code, region_id=region_id).exists()


def checked_address(given: Address, field: str) -> dict[str, object]:
    """The columns of the address as they are stored. Raises InvalidData naming the field."""
    sent: Mapping[str, object] = given
    texts: dict[str, str | None] = dict.fromkeys(ADDRESS_TEXTS)
    for name in ADDRESS_TEXTS:
        if isinstance(value := sent.get(name), str):
            texts[name] = text.checked(value, field=f"{field}, {name}", longest=text.LONGEST, one_line=True)
    country = places.country(code, field=f"{field}, country_code") if (code := texts["country_code"]) else None
    return {
        **texts,
        "country_code": country,
        "province": places.address_province(texts["province"], country_code=country),
        "metadata": metadata.checked(given.get("metadata"), field=f"{field}, metadata"),
    }
