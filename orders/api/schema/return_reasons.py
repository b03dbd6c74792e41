"""Return reasons in GraphQL."""

from kit.graphql.fields.reads import ListField, SingleField
from kit.graphql.fields.rows import row_mutations, row_queries
from orders.api.resources import RETURN_REASONS
from orders.api.viewsets.return_reasons import AdminReturnReasons

REASON_QUERIES = {
    "return_reasons": ListField(RETURN_REASONS, "Reasons for returns."),
    "return_reason": SingleField(RETURN_REASONS, "One reason for returns."),
    **row_queries(AdminReturnReasons, "admin_"),
}
REASON_MUTATIONS = row_mutations(AdminReturnReasons)
