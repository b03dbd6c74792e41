"""The errors of exchanges and claims."""

from kit.errors import InvalidData, NotAllowed


class ClaimTypeRequired(InvalidData):
    """A claim is of one type, an exchange of none."""

    def __init__(self, *, is_claim: bool) -> None:
        super().__init__(f"Field 'type' {'is required for a claim' if is_claim else 'is for claims only'}")


class NotBothWays(NotAllowed):
    """An exchange brings something back, and sends something out."""

    message = "An exchange needs at least one item to return and one to send: add inbound and outbound items"


class NothingClaimed(NotAllowed):
    """A claim is about at least one unit."""

    message = "A claim needs at least one item: add claim items or inbound items"


class NothingToSend(NotAllowed):
    """A claim that replaces units sends something out."""

    message = "A claim of type 'replace' needs at least one item to send: add outbound items"


class RefundsOnly(NotAllowed):
    """A claim that refunds units sends nothing out."""

    message = "A claim of type 'refund' sends no items: choose type 'replace' to send others"


class OnlyClaims(NotAllowed):
    """Only units of a claim can be written off."""

    message = "Only a claim has claim items"


class ShippingWithoutUnits(NotAllowed):
    """Inbound shipping belongs to a return, which has units."""

    message = "Inbound shipping needs at least one item to return"


class ShippingWithoutItems(NotAllowed):
    """Nothing is sent that it could bring."""

    message = "Outbound shipping needs at least one item to send"


class NotConfirmed(NotAllowed):
    """An open exchange or claim is discarded, not canceled."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"The {kind} is still open: cancel its request instead")


class AlreadyCanceled(NotAllowed):
    """It was canceled, before or after its confirmation."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"The {kind} is already canceled")


class AddedUnitsFulfilled(NotAllowed):
    """What it sends was packed. line: its id and title."""

    def __init__(self, kind: str, line: str) -> None:
        super().__init__(
            f"Cannot cancel the {kind}: item {line} is fulfilled. Cancel its fulfillment first. What was shipped comes "
            "back by a return"
        )
