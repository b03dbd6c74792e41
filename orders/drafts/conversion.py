"""Making the order of a draft: completing its cart without a payment.

Why: docs/decisions/orders.md#a-draft-becomes-an-order-that-is-not-paid.
"""

from collections.abc import Callable

from carts.errors import CartNotFound
from carts.models import Cart
from carts.pricing.refreshing import refresh
from kit.domain.actor import SYSTEM, Actor
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.text import is_storable
from orders.completion.claims import claim
from orders.completion.completing import complete
from orders.completion.placing import used_promotions
from orders.completion.readiness import check_ready
from orders.drafts.errors import DraftNotFound
from orders.drafts.locked_draft import lock_draft

CONVERTING = "orders.add_order"


def convert(
    *,
    actor: Actor,
    draft_id: str,
    idempotency_digest: str | None = None,
    confirm: Callable[[], None] | None = None,
) -> str:
    """Make the draft's order, and return its id; a draft has one order, however often it is converted.

    Stock is reserved, uses of promotions count, and an unpaid collection asks for the total. If amounts have changed
    since the draft's last change, it is refused once with TotalChanged, and shows them from then on.
    confirm: called once the draft is locked, unless it has its order; what it raises refuses the conversion.
    Must not be called inside a transaction (RuntimeError).
    Raises DraftNotFound, the errors of `completing.complete` that are not about payments, Forbidden.
    """
    actor.require(CONVERTING)
    if not (is_storable(draft_id) and _DRAFTS.read([draft_id])):
        raise DraftNotFound(draft_id)
    try:
        done = complete(actor=SYSTEM, cart_id=draft_id, idempotency_digest=idempotency_digest, confirm=confirm)
    except CartNotFound as error:  # deleted meanwhile
        raise DraftNotFound(draft_id) from error
    return str(done.order_id)


def check_convertible(draft_id: str) -> None:
    """Raise what would refuse to make the draft's order now. It claims what the order takes: roll that back."""
    cart = lock_draft(draft_id)
    refresh(cart)
    check_ready(cart)
    claim(cart, promotions=used_promotions(cart))


_DRAFTS = KeyedRows(lambda: Cart.objects.not_deleted().filter(is_draft=True), key="pk", columns=("id",))
"""Also those that were converted."""
