"""The errors of payments."""

from kit.domain.missing_row import RowNotFound, missing
from kit.errors import Conflict, Duplicate, InvalidData, NotAllowed, TooManyRequests, shown


class CollectionNotFound(RowNotFound):
    """No collection has that id, or it belongs to another customer's cart."""

    noun = "Payment collection"


class SessionNotFound(RowNotFound):
    """No session has that id."""

    noun = "Payment session"


class PaymentNotFound(RowNotFound):
    """No payment has that id."""

    noun = "Payment"


class ProviderNotFound(RowNotFound):
    """settings.PAYMENT_PROVIDERS has no such provider."""

    noun = "Payment provider"


class ProviderNotEnabled(InvalidData):
    """Staff choose the providers of a region."""

    def __init__(self, provider_id: str, region_id: str | None = None) -> None:
        where = "order's region" if region_id is None else f"cart's region {region_id}"
        super().__init__(f"Payment provider {shown(provider_id)} is not enabled in the {where}.")


class TooManySessions(TooManyRequests):
    """The collection has reached the limit of payment sessions."""

    def __init__(self, *, retry_after: int) -> None:
        super().__init__("Too many payment sessions for the cart, try again later", retry_after=retry_after)


class PaymentProviderRefused(InvalidData):
    """The provider refused the request for good."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The payment provider refused: {shown(reason)}")


class PaidInAnotherCurrency(NotAllowed):
    """A cart keeps the currency of its captured payments."""

    def __init__(self, currency_code: str) -> None:
        super().__init__(f"The cart already has payments in {currency_code}, so its currency cannot change")


class BeingCaptured(NotAllowed):
    """Until the provider has answered, the amount due is unknown."""

    message = "A payment of this collection is being captured; try again when that has finished"


class CaptureUnderWay(Conflict):
    """Until the provider has responded to one capture of a payment, no other one starts."""

    message = "A capture of this payment is already under way; try again when it has finished"


class CollectionOfOrder(NotAllowed):
    """An order keeps its payment."""

    message = "The payment collection belongs to an order and cannot be canceled"


class CollectionCanceled(NotAllowed):
    """An order that was canceled is not paid anymore."""

    message = "The payment collection was canceled with its order"


class NothingLeftToPay(NotAllowed):
    """No amount is due."""

    message = "The payment collection is already paid"


class CollectionPaid(NotAllowed):
    """The collection holds money, or will."""

    message = "A payment of this collection is captured, authorized or announced"


class AmountChanged(Duplicate):
    """The same idempotency key came with a different amount."""

    message = "This request was already sent with a different amount; check its result first"


class PartiallyCaptured(NotAllowed):
    """Staff decide about the rest of a partially captured payment."""

    message = "A payment of this collection is partially captured, so no other payment can be started"


class NothingToCapture(InvalidData):
    """The amount exceeds what can be captured."""

    def __init__(self, left: object, currency_code: str) -> None:
        super().__init__(f"At most {left} {currency_code} of the payment can be captured")


class NothingToRefund(InvalidData):
    """The amount exceeds what can be refunded."""

    def __init__(self, left: object, currency_code: str) -> None:
        super().__init__(f"At most {left} {currency_code} of the payment can be refunded")


class UnknownRefundReason(InvalidData):
    """A refund names no reason that exists."""

    def __init__(self, refund_reason_id: str) -> None:
        super().__init__(missing("Refund reason", refund_reason_id, field="refund_reason_id"))


class RefundReasonInUse(NotAllowed):
    """A reason that refunds name cannot be deleted."""

    def __init__(self, label: str, uses: int) -> None:
        super().__init__(f"'{label}' is used by {uses} refund{'' if uses == 1 else 's'} and cannot be deleted")


class InvalidSignature(NotAllowed):
    """The provider did not sign the event."""

    message = "The event's signature is invalid"


class UnreadablePaymentEvent(InvalidData):
    """The provider's code cannot read the event."""

    message = "The event cannot be read"
