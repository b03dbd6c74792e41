"""How the payment of a cart stands while the cart is completed."""

from carts.pricing.locked_cart import LockedCart
from kit.values.money import digits, major
from orders.common.errors import AmountChanging, PartlyPaid, PaymentNotInitiated, PaymentSessionRequired
from payments.lifecycle.completion import PaymentProgress, SessionState, session_for
from payments.states import SessionStatus


def amount_due(cart: LockedCart) -> int:
    """What payments have to pay of the refreshed cart, in 1/10,000."""
    assert cart.costs is not None  # noqa: S101 - the cart was refreshed
    return cart.costs.cart.total


def session_of(cart: LockedCart) -> SessionState:
    """How the cart's payment stands. A draft is paid once it is an order.

    Raises PaymentNotInitiated, PaymentSessionRequired, PartlyPaid, AmountChanging.
    """
    if cart.row.is_draft:
        return SessionState(PaymentProgress.NOT_INITIATED)
    state, due = session_for(cart), amount_due(cart)
    match state.progress:
        case PaymentProgress.NOT_INITIATED if due:
            raise PaymentNotInitiated
        case PaymentProgress.NO_SESSION if due:
            raise PaymentSessionRequired(is_again=_was_canceled(state))
        case PaymentProgress.TO_UPDATE:
            raise AmountChanging
        case PaymentProgress.PARTLY_PAID:
            currency = cart.row.currency_id
            raise PartlyPaid(f"{major(state.amount_due):.{digits(currency)}f}", currency)
    return state


def _was_canceled(state: SessionState) -> bool:
    """Whether money was authorized and released."""
    sessions = state.collection.sessions if state.collection else []
    return any(session.status == SessionStatus.CANCELED for session in sessions)
