"""Writing an order's first invoice by hand, and correcting an invoice."""

from collections.abc import Sequence

from django.http import Http404

from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from orders.admin.forms.action_form import ActionForm
from orders.admin.order_page.formatting import address_lines
from orders.invoices.correcting import correct
from orders.invoices.errors import SellerIncomplete
from orders.invoices.issuing import issue
from orders.invoices.parties import require_seller
from orders.models import Invoice


class _DocumentForm(ActionForm):
    """Nothing to enter."""

    def buyer(self) -> str:
        """The buyer's address, as the next document copies it."""
        address = address_lines(self.order.billing_address) or address_lines(self.order.shipping_address)
        return ", ".join(address) or self.order.email or "nobody: the order has no address"

    def lacking(self) -> Sequence[str]:
        """What the seller lacks."""
        try:
            require_seller()
        except SellerIncomplete as refusal:
            return [f"{refusal.message}."]
        return []


class WriteInvoiceForm(_DocumentForm):
    """The first invoice."""

    title = "Write invoice"
    button = "Write invoice"

    def effects(self) -> Sequence[str]:
        return [
            *self.lacking(),
            f"Writes an invoice of what the order is worth by now, to: {self.buyer()}.",
            "It gets the next number, and never changes.",
            "From then on, what changes the value of the order, such as a return, writes the document that it needs.",
        ]

    def act(self, actor: Actor) -> str:
        return f"Wrote invoice {_numbers([issue(actor=actor, order_id=self.order.pk)])}."


class CorrectInvoiceForm(_DocumentForm):
    """A credit note over everything, and a new invoice."""

    title = "Correct invoice"
    button = "Correct"

    def prepare(self) -> None:
        """Raises Http404 for a document of another order."""
        found = next((row for row in self.state.documents if row.pk == self.about), None)
        if found is None:
            raise Http404
        self.invoice = found
        self.names = {found.pk: found.shown_number}

    def effects(self) -> Sequence[str]:
        total = shown(self.state.invoiced_total, self.order.currency_id)
        return [
            *self.lacking(),
            f"Writes a credit note over {total}, all that the documents of the order sum to.",
            f"Writes a new invoice to: {self.buyer()}.",
            "If that address is wrong, correct it first: Change details. The seller is as the store has it now.",
            f"{self.invoice} stays as it is. Payments and the totals of the order do not change.",
        ]

    def act(self, actor: Actor) -> str:
        written = correct(actor=actor, invoice_id=self.invoice.pk)
        return f"Corrected invoice {self.invoice} by {_numbers(written)}."


def _numbers(ids: Sequence[str]) -> str:
    rows = Invoice.objects.filter(pk__in=ids).order_by("issued_at", "pk")
    return " and ".join(rows.values_list("shown_number", flat=True))
