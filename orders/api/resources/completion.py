"""What completing a cart answers where it does not become an order."""

from kit.reads.computed_resources import ComputedResource
from kit.reads.filters.filtering import ResourceFilterSet
from kit.values.json import JSONObject
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
