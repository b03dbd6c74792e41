"""Invoices and credit notes in GraphQL, for staff. Shoppers read those of their orders."""

from kit.graphql.fields.reads import ListField, SingleField
from orders.api.resources.invoices import ADMIN_INVOICES

VIEWING = "orders.view_invoice"

INVOICE_QUERIES = {
    "admin_invoices": ListField(ADMIN_INVOICES, "Invoices and credit notes. For staff.", permission=VIEWING),
    "admin_invoice": SingleField(ADMIN_INVOICES, "One invoice or credit note. For staff.", permission=VIEWING),
}
