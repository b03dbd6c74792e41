"""Invoices and credit notes in GraphQL, for staff. Shoppers read those of their orders."""

from typing import Any

from kit.domain.actor import Actor
from kit.graphql.fields.mutations import Change, Written
from kit.graphql.fields.reads import ListField, SingleField
from orders.api.resources.invoices import ADMIN_INVOICES
from orders.api.serializers.invoices import InvoicedOrderInput
from orders.invoices import correcting, issuing

_VIEWING = "orders.view_invoice"


def _corrected(*, actor: Actor, id: str) -> Written:
    *_, invoice_id = correcting.correct(actor=actor, invoice_id=id)
    return Written(invoice_id)


def _issued(*, actor: Actor, **given: Any) -> Written:
    return Written(issuing.issue(actor=actor, **given))


INVOICE_QUERIES = {
    "admin_invoices": ListField(ADMIN_INVOICES, "Invoices and credit notes. For staff.", permission=_VIEWING),
    "admin_invoice": SingleField(ADMIN_INVOICES, "One invoice or credit note. For staff.", permission=_VIEWING),
}
INVOICE_MUTATIONS = {
    "create_invoice": Change(
        ADMIN_INVOICES,
        "Write the first invoice of an order now, whatever INVOICE_ON says. Later documents follow its value.",
        act=_issued,
        permission="orders.add_invoice",
        viewing=_VIEWING,
        input=InvoicedOrderInput,
        by_id=False,
    ),
    "correct_invoice": Change(
        ADMIN_INVOICES,
        "Credit all that the documents of an invoice's order state, and write one invoice of its present value.",
        act=_corrected,
        permission="orders.correct_invoice",
        viewing=_VIEWING,
    ),
}
