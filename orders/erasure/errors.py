"""The refusals of an erasure."""

from collections.abc import Sequence

from kit.errors import InvalidData, NotAllowed, NotFound

_MOST_SHOWN = 10


class ErasureBlocked(NotAllowed):
    """Orders are open, or payments or refunds are unfinished. blockers: their texts."""

    def __init__(self, blockers: Sequence[str]) -> None:
        shown = "; ".join(blockers[:_MOST_SHOWN])
        more = f"; and {len(blockers) - _MOST_SHOWN} more" if len(blockers) > _MOST_SHOWN else ""
        super().__init__(f"The personal data cannot be erased yet: {shown}{more}")


class GuestNotFound(NotFound):
    """No guest has that email address, or the guest has been erased."""

    def __init__(self, email: str) -> None:
        super().__init__(f"There is no guest with email: {email}")


class NotGuestOrder(InvalidData):
    """The order belongs to an account, or does not exist."""

    def __init__(self, order_id: str) -> None:
        super().__init__(f"Order {order_id} is not a guest's: value for field 'order_id'")
