"""Which fields the key routes send and offer."""

from apikeys.api.serializers import ApiKeySerializer
from commerce.core.selection import FieldSet
from commerce.projection.shapes import shape_of

API_KEYS = FieldSet(shape_of(ApiKeySerializer), defaults="*sales_channels")
CREATED_API_KEY = FieldSet(shape_of(ApiKeySerializer))
