"""The errors of payment links."""

from kit.domain.missing_row import GuessedRowNotFound
from kit.errors import InvalidData, NotAllowed


class PaymentLinkNotFound(GuessedRowNotFound):
    """The token is wrong or has expired, or its order was canceled or erased."""

    noun = "Payment link"


class NothingToPay(NotAllowed):
    """The order is paid, or its authorized payments suffice."""

    message = "Nothing is outstanding of the order"


class NoProviderForLinks(NotAllowed):
    """The order's region has no payment provider by which a link can be paid."""

    message = (
        "No link can be sent: the order's region offers no payment provider that asks the customer. "
        "Providers that agree to every payment are not offered by links"
    )


class NoPaymentPage(NotAllowed):
    """The shop does not know where its payment page is."""

    message = "No link can be made: neither PAYMENT_PAGE nor PUBLIC_URL is set"


class NotMailed(InvalidData):
    """The customer of the order gets no emails."""

    message = "Field 'no_notification' must be true: the order's customer gets no emails"


class OutstandingAmountChanged(InvalidData):
    """What is outstanding has changed since the customer saw the amount."""

    def __init__(self, amount: str) -> None:
        super().__init__(f"Field 'amount' must be what is outstanding of the order by now: {amount}")


class ProviderNotOffered(InvalidData):
    """The link cannot be paid by that provider."""

    def __init__(self, provider_id: str) -> None:
        super().__init__(f"Field 'provider_id' must be a payment provider that the link offers, not '{provider_id}'")
