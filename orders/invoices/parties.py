"""The seller and the buyer of a document, copied as texts by name."""

from collections.abc import Mapping
from typing import NamedTuple

from kit.reads.sql.keyed_rows import KeyedRows
from orders.invoices.errors import SellerIncomplete
from orders.models import OrderAddress
from shop.models import Store
from shop.models.store import SellerColumns

Texts = Mapping[str, object]
SELLER = tuple(field.name for field in SellerColumns._meta.get_fields())
REQUIRED = ("legal_name", "address_1", "city", "country_code", "tax_number")
"""The columns of the store without which no invoice is written."""


def seller_of(store: Store) -> Texts:
    """The seller's data that are given, by the names of the store's columns."""
    return {name: value for name in SELLER if (value := getattr(store, name))}


def missing_of(seller: Texts) -> list[str]:
    """The names of the required columns that the store lacks."""
    return [name for name in REQUIRED if not str(seller.get(name, "")).strip()]


def require_seller() -> Texts:
    """The seller of the shop's documents. Raises SellerIncomplete. One statement."""
    seller = seller_of(Store.objects.get())
    if missing := missing_of(seller):
        raise SellerIncomplete(missing)
    return seller


def buyer_of(
    billing_address_id: str | None,
    shipping_address_id: str | None,
    *,
    email: str | None,
    tax_number: str | None,
    is_tax_exempt: bool,
) -> Texts:
    """What is given of the buyer: the texts of the billing address, else of the shipping address. One statement."""
    address_id = billing_address_id or shipping_address_id
    rows = _ADDRESSES.read([address_id] if address_id else [])
    address = rows[0]._asdict() if rows else {}
    texts = {**address, "email": email, "tax_number": tax_number, "is_tax_exempt": is_tax_exempt}
    return {name: value for name, value in texts.items() if value}


class _Address(NamedTuple):
    first_name: str | None
    last_name: str | None
    company: str | None
    address_1: str | None
    address_2: str | None
    postal_code: str | None
    city: str | None
    province: str | None
    country_code: str | None


_ADDRESSES = KeyedRows(OrderAddress.objects.all, key="id", row=_Address)
