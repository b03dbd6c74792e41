"""What completing a cart answers where it does not become an order."""

from rest_framework import serializers

from commerce.kit.core.filtering import ResourceFilterSet
from commerce.kit.core.json import JSONObject
from commerce.kit.projection.computed_resources import ComputedResource
from commerce.kit.projection.fields import ResourceSerializer
from orders.completion.settling import Refusal
from orders.models import CompletionAttempt


class NoFilters(ResourceFilterSet):
    """There is no list of errors."""


class CompletionErrorSerializer(ResourceSerializer):
    """Why a cart's payment did not pass."""

    message = serializers.CharField()
    name = serializers.CharField(help_text="The same as type.")
    type = serializers.CharField(help_text="`payment_authorization_error` or `payment_requires_more_error`.")

    class Meta:
        model = CompletionAttempt


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
