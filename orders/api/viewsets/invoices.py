"""The routes of invoices and credit notes."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from rest_framework.request import Request

from kit.query.conditions import Is
from kit.query.paging import MAX_LIMIT
from kit.query.selection import Selection
from kit.rest.reads import List, ReadEndpoint, Retrieve
from kit.rest.viewsets import AdminEndpoint, StoreEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.guess_limits import OrderMissesCounted
from orders.api.resources import ORDERS
from orders.api.resources.invoices import ADMIN_INVOICES, INVOICES
from orders.api.serializers.invoices import OrderInvoicesSerializer
from orders.invoices import correcting, issuing

VIEWING_INVOICES = "orders.view_invoice"


class OrderInvoices(OrderMissesCounted, ReadEndpoint, StoreEndpoint):
    """The documents of an order, which is the customer's own, or a guest's."""

    resource = INVOICES
    answers = {"documents": OrderInvoicesSerializer}
    private = True

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        return ("fields",)

    def documents(self, request: Request, id: str) -> dict[str, Any]:
        """List the invoices and credit notes of an order, the oldest first."""
        ORDERS.one(id, ORDERS.single_query({}, Selection(("id",))), self.actor)
        query = replace(self.resource.list_query({**self.query, "limit": str(MAX_LIMIT)}), condition=Is("order_id", id))
        return {"invoices": self.resource.page(query, self.actor).answers}


class AdminInvoices(List, Retrieve, WriteEndpoint, AdminEndpoint):
    """Invoices and credit notes, the newest first."""

    resource = ADMIN_INVOICES
    permissions = {
        **dict.fromkeys(("list", "retrieve"), VIEWING_INVOICES),
        "correct": "orders.correct_invoice",
        "issue": "orders.add_invoice",
    }
    dry_runs = frozenset({"correct", "issue"})

    def correct(self, request: Request, id: str) -> JSONObject:
        """Credit all that the documents of an invoice's order state, and write one invoice of its present value.

        The answer is the new invoice. It has the order's present address, and the seller's present data.
        """
        *_, invoice_id = correcting.correct(actor=self.actor, invoice_id=id)
        return self._written(invoice_id)

    def issue(self, request: Request, id: str) -> JSONObject:
        """Write the first invoice of an order now, whatever INVOICE_ON says. Later documents follow its value."""
        return self._written(issuing.issue(actor=self.actor, order_id=id))

    def _written(self, invoice_id: str) -> JSONObject:
        """Who may write a document also sees it."""
        return {self.resource.name: self.read(invoice_id, actor=self.actor.with_permission(VIEWING_INVOICES))}
