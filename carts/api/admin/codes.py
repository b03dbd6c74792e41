"""The codes of promotions, as programs make and delete them."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from carts.api.admin.resources import PROMOTION_CODES
from carts.promotions.code_batches import LONGEST, LONGEST_PREFIX, MOST_AT_ONCE, SHORTEST, USUAL, VERBS, create_codes
from kit.rest.nested_endpoint import NestedEndpoint
from kit.rest.requests.input_fields import CharField, IntegerField, ListField
from kit.rest.requests.inputs import Input
from kit.values.json import JSONObject

_LARGEST = 2**31 - 1


class NewPromotionCodesInput(Input):
    """New codes: so many random ones, or those given."""

    count = IntegerField(required=False, min_value=1, max_value=MOST_AT_ONCE, help_text="How many random codes.")
    prefix = CharField(required=False, max_length=LONGEST_PREFIX, help_text="What random codes begin with.")
    length = IntegerField(
        required=False,
        min_value=SHORTEST,
        max_value=LONGEST,
        help_text=f"Random letters after the prefix, {USUAL} by default; each has five random bits.",
    )
    codes = ListField(required=False, max_length=MOST_AT_ONCE, help_text="In the place of count.")
    usage_limit = IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=_LARGEST,
        help_text="Completed carts that may use each code; 1 for single use. Null for no limit.",
    )


class DeletedCodesInput(Input):
    """Codes to delete, by their ids."""

    delete = ListField(max_length=500)


class NewCodesSerializer(serializers.Serializer[Any]):
    """The new codes, as customers enter them."""

    codes = serializers.ListField(child=serializers.CharField())


class PromotionCodes(NestedEndpoint):
    """The codes that customers enter: the promotion's own, or those of its batches."""

    resource = PROMOTION_CODES
    verbs = VERBS
    within = "promotion_id"
    permissions = {"batch": "carts.delete_promotioncode"}
    dry_runs = frozenset({"create", "batch"})
    inputs = {"create": NewPromotionCodesInput, "batch": DeletedCodesInput}
    answers = {"create": NewCodesSerializer}

    def list(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # the path names the promotion
        """List the codes of a promotion."""
        self.nested.require_parent(id)
        return super().list(request)

    def create(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # as above
        """Make codes for a promotion, or add those given. From the first on, its own code is only a name.

        In a dry run, codes are made up anew.
        """
        return {"codes": [*create_codes(actor=self.actor, promotion_id=id, **self.body())]}

    def batch(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # as above
        """Delete up to 500 codes of a promotion: all of them, or none. They then open nothing."""
        return super().batch(request, id)
