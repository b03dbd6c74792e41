"""Where the parts of a refund go, and what has become of them, in words."""

from orders.models import RefundPart
from orders.states import RefundPartStatus
from payments.states import Result


def part_status(part: RefundPart) -> RefundPartStatus:
    """The status that the API shows."""
    if part.intent is None:
        return RefundPartStatus.SUCCEEDED
    if part.intent.done_at is None:
        return RefundPartStatus.PENDING
    return RefundPartStatus.FAILED if part.intent.result == Result.REFUSED else RefundPartStatus.SUCCEEDED


def status_note(part: RefundPart, *, sees_error: bool = True) -> str:
    """`declined: Card expired`, or `pending`; empty once the part has succeeded.

    sees_error: whether to add the provider's message.
    """
    match part_status(part):
        case RefundPartStatus.PENDING:
            return "pending"
        case RefundPartStatus.FAILED:
            error = part.intent.error if part.intent is not None and sees_error else ""
            return f"declined: {error}" if error else "declined"
    return ""
