"""What completing a cart answers where it does not become an order."""

from commerce.kit.core.filtering import ResourceFilterSet
from commerce.kit.core.json import JSONObject
from commerce.kit.projection.computed_resources import ComputedResource
from orders.api.serializers.completion import CompletionErrorSerializer
from orders.completion.settling import Refusal


class NoFilters(ResourceFilterSet):
    """There is no list of errors."""


COMPLETION_ERRORS = ComputedResource(
    name="error",
    plural="errors",
    serializer_class=CompletionErrorSerializer,
    filterset_class=NoFilters,
    default_limit=1,
)


def shown_refusal(refusal: Refusal) -> JSONObject:
    """The error as answers show it."""
    return {"message": refusal.message, "name": refusal.type, "type": refusal.type}
