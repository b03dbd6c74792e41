"""What payments refuse."""

from commerce.kit.core.errors import Duplicate, InvalidData, NotAllowed, TooManyRequests
from commerce.kit.core.missing_row import RowNotFound
from commerce.kit.core.paging import shown


class CollectionNotFound(RowNotFound):
    """No collection with that id, or one of somebody else's cart."""

    noun = "Payment collection"


class SessionNotFound(RowNotFound):
    """No session with that id."""

    noun = "Payment session"


class PaymentNotFound(RowNotFound):
    """No payment with that id."""

    noun = "Payment"


class ProviderNotFound(RowNotFound):
    """Nobody of that id takes payments here."""

    noun = "Payment provider"


class CartAlreadyCompleted(InvalidData):
    """Nothing is left to be paid for it."""

    def __init__(self, cart_id: str) -> None:
        super().__init__(f"Cart {cart_id} is already completed.")


class ProviderNotEnabled(InvalidData):
    """Who takes payments in the cart's region is for staff to say."""

    def __init__(self, provider_id: str, region_id: str) -> None:
        super().__init__(f"Payment provider {shown(provider_id)} is not enabled in the cart's region {region_id}.")


class TooManySessions(TooManyRequests):
    """Nobody tries as often as that to pay."""

    def __init__(self, *, retry_after: int) -> None:
        super().__init__("Too many payment sessions for the cart, try again later", retry_after=retry_after)


class ProviderRefused(InvalidData):
    """The provider does not take that payment, and says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The payment provider refused: {shown(reason)}")


class PaidInAnotherCurrency(NotAllowed):
    """A cart keeps the currency that money has come in."""

    def __init__(self, currency_code: str) -> None:
        super().__init__(f"The cart is paid in {currency_code} already, and can be in no other currency")


class BeingCaptured(NotAllowed):
    """Until the provider has answered, nobody knows what is left to pay."""

    def __init__(self) -> None:
        super().__init__("A payment of the collection is being captured; try again once that is done")


class NothingLeftToPay(NotAllowed):
    """All of it has come."""

    def __init__(self) -> None:
        super().__init__("The payment collection is paid already")


class AskedForAnotherAmount(Duplicate):
    """What is sent twice moves money once."""

    def __init__(self) -> None:
        super().__init__("The same was sent before with another amount; see what became of that, and begin anew")


class CapturedInPart(NotAllowed):
    """Some of the money is there already: staff decide about the rest."""

    def __init__(self) -> None:
        super().__init__("A payment of the collection is captured in part, so that no other can be started")


class NothingToCapture(NotAllowed):
    """No more can be taken than was authorized."""

    def __init__(self, left: object, currency_code: str) -> None:
        super().__init__(f"At most {left} {currency_code} can be captured of the payment")


class NothingToRefund(NotAllowed):
    """No more can go back than was taken."""

    def __init__(self, left: object, currency_code: str) -> None:
        super().__init__(f"At most {left} {currency_code} can be refunded of the payment")


class RefundReasonNotFound(RowNotFound):
    """No reason with that id."""

    noun = "Refund reason"


class RefundReasonInUse(NotAllowed):
    """What a refund was for stays told."""

    def __init__(self, label: str, uses: int) -> None:
        super().__init__(f"'{label}' is the reason of {uses} refund{'' if uses == 1 else 's'}, and cannot be deleted")


class EventNotGenuine(NotAllowed):
    """The provider has not signed it."""

    def __init__(self) -> None:
        super().__init__("The signature of the event is not the provider's")
