"""Deleting carts for good."""

from collections.abc import Sequence

from carts.models import Cart, CartAddress


def delete_carts(cart_ids: Sequence[str]) -> None:
    """Delete the locked carts with everything that belongs to them. Their payments must be gone (ProtectedError)."""
    carts = Cart.objects.filter(pk__in=cart_ids)
    pairs = carts.values_list("shipping_address", "billing_address")
    addresses = [address_id for pair in pairs for address_id in pair if address_id is not None]
    carts.delete()
    CartAddress.objects.filter(pk__in=addresses).delete()
