"""The routes of return reasons."""

from kit.rest.reads import List, Retrieve
from kit.rest.requests.input_fields import CharField
from kit.rest.row_endpoint import RowEndpoint
from kit.rest.viewsets import StoreEndpoint
from orders.api.resources import ADMIN_RETURN_REASONS, RETURN_REASONS
from orders.returns.return_reasons.editing import VERBS
from shop.models.reasons import LONGEST_DESCRIPTION


class ReturnReasons(List, Retrieve, StoreEndpoint):
    """Reasons for returns."""

    resource = RETURN_REASONS


class AdminReturnReasons(RowEndpoint):
    """Reasons for returns. One that is the parent of others cannot be deleted."""

    resource = ADMIN_RETURN_REASONS
    verbs = VERBS
    body_fields = {"description": CharField(required=False, allow_null=True, max_length=LONGEST_DESCRIPTION)}
