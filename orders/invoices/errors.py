"""The errors of invoices and credit notes."""

from collections.abc import Iterable

from kit.domain.missing_row import GuessedRowNotFound
from kit.errors import NotAllowed, listed


class InvoiceNotFound(GuessedRowNotFound):
    """No document has that id."""

    noun = "Invoice"


class SellerIncomplete(NotAllowed):
    """Invoices name the seller."""

    def __init__(self, missing: Iterable[str]) -> None:
        super().__init__(f"Invoices need these fields of the store: {listed(missing)}")


class AlreadyInvoiced(NotAllowed):
    """Later documents follow the order's value."""

    message = "The order already has an invoice. Changes of its value write further documents by themselves"


class NothingToInvoice(NotAllowed):
    """The order was canceled, or all of it was returned."""

    message = "The order has nothing to invoice: it was canceled, or all of it was returned"


class NothingToCorrect(NotAllowed):
    """Credit notes have taken back everything that the order's invoices state."""

    message = "The order's invoices are taken back completely: there is nothing to correct"


class BuyerErased(NotAllowed):
    """Documents keep the buyer of an erased order, whose present data are empty."""

    message = "The order's personal data were erased: a corrected invoice would have no present address of its buyer"


class OnlyInvoicesCorrected(NotAllowed):
    """A credit note is no subject of a correction."""

    message = "Only an invoice can be corrected, not a credit note"
