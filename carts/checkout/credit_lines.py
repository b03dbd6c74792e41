"""The credit lines of a locked cart: gift cards and store credit. Their app sets the amounts in its cart step."""

from carts.pricing.cart_rows import CreditLineRow
from carts.pricing.locked_cart import LockedCart
from kit.values.ids import new_id
from kit.values.metadata import Metadata


def find(cart: LockedCart, *, reference: str, reference_id: str) -> CreditLineRow | None:
    """The locked cart's credit line with that reference, or None."""
    for line in cart.credit_lines:
        if (line.reference, line.reference_id) == (reference, reference_id):
            return line
    return None


def upsert(
    cart: LockedCart, *, reference: str, reference_id: str, most: int | None = None, metadata: Metadata | None = None
) -> CreditLineRow:
    """Add a credit line, or update the one with that reference. Its amount is 0 until its app's cart step runs.

    most: in 1/10,000 of the cart's currency. metadata: of a new line.
    """
    line = find(cart, reference=reference, reference_id=reference_id)
    if line is None:
        constants = {"cart_id": cart.id, "metadata": metadata}
        line = CreditLineRow(new_id("cacl"), reference, reference_id, amount=0, most=most, constants=constants)
        cart.credit_lines.append(line)
    line.most = most
    return line


def remove(cart: LockedCart, line: CreditLineRow) -> None:
    """Remove the credit line from the locked cart."""
    cart.credit_lines.remove(line)
    if not line.is_new:
        cart.removed_credit_lines.append(line)
