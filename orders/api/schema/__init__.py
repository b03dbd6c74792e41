"""Orders in GraphQL."""

from orders.api.schema.admin_fulfillments import FULFILLMENT_MUTATIONS
from orders.api.schema.completion import COMPLETION_MUTATIONS
from orders.api.schema.drafts import DRAFT_MUTATIONS, DRAFT_QUERIES
from orders.api.schema.exchanges import EXCHANGE_MUTATIONS, EXCHANGE_QUERIES
from orders.api.schema.invoices import INVOICE_MUTATIONS, INVOICE_QUERIES
from orders.api.schema.lookups import LOOKUP_MUTATIONS
from orders.api.schema.management import MANAGEMENT_MUTATIONS, MANAGEMENT_QUERIES
from orders.api.schema.order_edits import EDIT_MUTATIONS, EDIT_QUERIES
from orders.api.schema.orders import ORDER_QUERIES
from orders.api.schema.payment_collections import COLLECTION_MUTATIONS
from orders.api.schema.refunds import REFUND_MUTATIONS, REFUND_QUERIES
from orders.api.schema.reordering import REORDER_MUTATIONS
from orders.api.schema.return_reasons import REASON_MUTATIONS, REASON_QUERIES
from orders.api.schema.returns import RETURN_MUTATIONS, RETURN_QUERIES
from orders.api.schema.transfers import TRANSFER_MUTATIONS

QUERIES = {
    **ORDER_QUERIES,
    **MANAGEMENT_QUERIES,
    **EDIT_QUERIES,
    **EXCHANGE_QUERIES,
    **DRAFT_QUERIES,
    **INVOICE_QUERIES,
    **REFUND_QUERIES,
    **REASON_QUERIES,
    **RETURN_QUERIES,
}
MUTATIONS = {
    **COMPLETION_MUTATIONS,
    **TRANSFER_MUTATIONS,
    **REORDER_MUTATIONS,
    **LOOKUP_MUTATIONS,
    **MANAGEMENT_MUTATIONS,
    **EDIT_MUTATIONS,
    **EXCHANGE_MUTATIONS,
    **DRAFT_MUTATIONS,
    **FULFILLMENT_MUTATIONS,
    **COLLECTION_MUTATIONS,
    **REFUND_MUTATIONS,
    **INVOICE_MUTATIONS,
    **REASON_MUTATIONS,
    **RETURN_MUTATIONS,
}
