"""Who sells and who buys, as documents copy them: texts by name, without empty ones.

Why: docs/decisions/invoices.md#what-the-seller-must-state.
"""

from collections.abc import Mapping
from typing import NamedTuple

from orders.models import Order
from shop.models import Store
from shop.models.addresses import ADDRESS_TEXTS
from shop.models.store import SELLER_TEXTS

EXEMPTION = "Tax-exempt: no tax is charged to this buyer."
"""The text of a document's exempt lines."""
_NEEDED = {
    "legal name": ("legal_name",),
    "address": ("address_1",),
    "city": ("city",),
    "country": ("country_code",),
    "tax number or registration number": ("tax_number", "registration_number"),
}
"""What the first invoice needs, with the columns of which one must have a text."""


class Seller(NamedTuple):
    """The seller of the shop's next document. missing: what it lacks, in words; no invoice is written until then."""

    texts: Mapping[str, str]
    missing: list[str]


def seller_of() -> Seller:
    """The seller, from the store. One statement."""
    texts = _filled(Store.objects.values(*SELLER_TEXTS).get())
    return Seller(texts, [words for words, columns in _NEEDED.items() if not texts.keys() & {*columns}])


def buyer_of(order: Order) -> Mapping[str, str]:
    """The buyer: the order's billing address, else its shipping address, else its email address.

    With the order's `tax_number`, and `exemption` where the order is exempt. At most one statement per address.
    """
    address = order.billing_address or order.shipping_address
    texts = {name: getattr(address, name) for name in ADDRESS_TEXTS} if address else {"email": order.email}
    exemption = EXEMPTION if order.is_tax_exempt else None
    return _filled({**texts, "tax_number": order.tax_number, "exemption": exemption})


def _filled(texts: Mapping[str, str | None]) -> dict[str, str]:
    return {name: text for name, text in texts.items() if text}
