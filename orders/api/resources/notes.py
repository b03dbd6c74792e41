"""The resource of notes about orders, for REST and GraphQL."""

from kit.reads.resources import Resource
from orders.api.filters import OrderNoteFilters
from orders.api.serializers.management import OrderNoteSerializer

ORDER_NOTES = Resource(
    name="order_note",
    plural="order_notes",
    serializer_class=OrderNoteSerializer,
    filterset_class=OrderNoteFilters,
    default_limit=50,
    default_order="created_at",
)
