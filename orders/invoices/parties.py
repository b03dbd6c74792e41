"""Who sells and who buys, as documents copy them: texts by name, without empty ones.

Why: docs/decisions/invoices.md#what-the-seller-must-state.
"""

from collections.abc import Mapping
from typing import NamedTuple

from django.db.models import Value

from kit.reads.sql.keyed_rows import KeyedRows
from orders.invoices.errors import SellerIncomplete
from orders.models import OrderAddress
from shop.models import Store
from shop.models.addresses import ADDRESS_TEXTS
from shop.models.store import SELLER_TEXTS

Texts = Mapping[str, str]
EXEMPTION = "Tax-exempt: no tax is charged to this buyer."
"""The text of a document's exempt lines."""
_NEEDED = {
    "legal name": ("legal_name",),
    "address": ("address_1",),
    "city": ("city",),
    "country": ("country_code",),
    "tax number or registration number": ("tax_number", "registration_number"),
}
"""What documents need, with the columns of which one must have a text."""


class Seller(NamedTuple):
    """The seller of the shop's next document. missing: what it lacks, in words; no invoice is written until then."""

    texts: Texts
    missing: list[str]


def seller_of() -> Seller:
    """The seller, from the store. One statement."""
    (texts,) = (_filled(dict(zip(SELLER_TEXTS, row, strict=True))) for row in _STORES.read([_ONLY]))
    return Seller(texts, [words for words, columns in _NEEDED.items() if not texts.keys() & {*columns}])


def require_seller() -> Texts:
    """The seller's texts. Raises SellerIncomplete. One statement."""
    texts, missing = seller_of()
    if missing:
        raise SellerIncomplete(missing)
    return texts


def buyer_of(
    billing_address_id: str | None,
    shipping_address_id: str | None,
    *,
    email: str | None,
    tax_number: str | None,
    is_tax_exempt: bool,
) -> Texts:
    """The buyer of an order: its billing address, else its shipping address, else its email address. One statement.

    With its `tax_number`, and `exemption` where it is exempt.
    """
    address_id = billing_address_id or shipping_address_id
    rows = _ADDRESSES.read([address_id] if address_id else [])
    texts = dict(zip(ADDRESS_TEXTS, rows[0], strict=True)) if rows else {"email": email}
    return _filled({**texts, "tax_number": tax_number, "exemption": EXEMPTION if is_tax_exempt else None})


def _filled(texts: Mapping[str, str | None]) -> dict[str, str]:
    return {name: text for name, text in texts.items() if text}


_ONLY = "only"
_STORES = KeyedRows(lambda: Store.objects.annotate(which=Value(_ONLY)), key="which", columns=SELLER_TEXTS)
"""Of the one store: every capture reads it, and the ORM would take as long as for all that the document writes."""
_ADDRESSES = KeyedRows(OrderAddress.objects.all, key="id", columns=ADDRESS_TEXTS)
