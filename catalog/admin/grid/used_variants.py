"""What pages that delete variants say about the carts and orders that contain them."""

from collections.abc import Sequence

from catalog.products.variant_uses import VARIANT_USES

_EFFECT = "can no longer be bought; orders keep their lines."


def question(product_id: str, variant_ids: Sequence[str], *, confirmed: bool) -> str:
    """What a page asks before it deletes these variants of the product; empty if it need not ask."""
    uses = "" if confirmed or not variant_ids else str(VARIANT_USES.get()(product_id, variant_ids))
    return f"The variants to delete are in {uses}. They {_EFFECT} Save again to confirm." if uses else ""


def note(product_id: str, variant_id: str) -> str:
    """What the page that deletes the variant says about it; empty if no cart or order contains it."""
    uses = str(VARIANT_USES.get()(product_id, [variant_id]))
    return f"It is in {uses}. It {_EFFECT}" if uses else ""
