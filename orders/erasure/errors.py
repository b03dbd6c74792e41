"""The refusals of an erasure."""

from collections.abc import Sequence

from commerce.kit.core.errors import InvalidData, NotAllowed, NotFound

_MOST_SHOWN = 10


class PersonIsBusy(NotAllowed):
    """Orders are open, or money is on its way. matters: a sentence for each."""

    def __init__(self, matters: Sequence[str]) -> None:
        shown = "; ".join(matters[:_MOST_SHOWN])
        more = f"; and {len(matters) - _MOST_SHOWN} more" if len(matters) > _MOST_SHOWN else ""
        super().__init__(f"The personal data cannot be erased yet: {shown}{more}")


class NobodyFound(NotFound):
    """No guest has that e-mail address, or their data has been erased."""

    def __init__(self, email: str) -> None:
        super().__init__(f"There is no guest with email: {email}")


class NotOfGuest(InvalidData):
    """The order belongs to an account, or was erased."""

    def __init__(self, order_id: str) -> None:
        super().__init__(f"Order {order_id} is not a guest's: value for field 'order_id'")
