"""Promotions, as programs maintain them."""

from carts.api.admin.inputs import PROMOTION_NAMES, PromotionChangesInput, PromotionInput
from carts.api.admin.resources import PROMOTIONS
from carts.promotions.new_campaigns import VERBS
from kit.rest.row_endpoint import RowEndpoint


class Promotions(RowEndpoint):
    """Promotions. Open carts lose a deleted one with their next change. One can also be read by its code."""

    resource = PROMOTIONS
    verbs = VERBS.naming(PROMOTION_NAMES)
    inputs = {"create": PromotionInput, "update": PromotionChangesInput}
