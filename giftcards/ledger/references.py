"""What entries of the ledger are for: a kind and an id."""

from dataclasses import dataclass

GIFT_CARD, ADJUSTMENT, REFUND = "gift_card", "adjustment", "refund"


@dataclass(frozen=True, slots=True)
class Reference:
    """kind: `gift_card`, `adjustment`, `refund`, or a payer's own, such as `cart` or `order`."""

    kind: str
    id: str

    @property
    def code(self) -> str:
        """The code of the source's group."""
        return f"{self.kind}:{self.id}"


def check_payer(payer: Reference) -> None:
    """Raise ValueError for a kind that the ledger reserves."""
    if payer.kind in (GIFT_CARD, ADJUSTMENT, REFUND):
        raise ValueError(f"'{payer.kind}' is a source of credit, not a payer")
