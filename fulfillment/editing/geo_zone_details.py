"""The fields that a geo zone needs for its type."""

from collections.abc import Mapping

from fulfillment.states import GeoZoneType
from kit.errors import InvalidData

_NEEDS: Mapping[str, tuple[str, ...]] = {
    GeoZoneType.COUNTRY: (),
    GeoZoneType.PROVINCE: ("province_code",),
    GeoZoneType.CITY: ("city",),
    GeoZoneType.ZIP: ("postal_expression",),
}
"""By type. Without them the zone would cover the whole country."""


class FieldRequired(InvalidData):
    """A zone of this type needs the field."""

    def __init__(self, field: str, type: str) -> None:
        super().__init__(f"Field '{field}' is required for a zone of type '{type}'")
        self.field = field


def missing_fields(zone: Mapping[str, object]) -> list[str]:
    """The fields that the zone's type needs and the zone lacks."""
    return [field for field in _NEEDS[str(zone["type"])] if not zone.get(field)]


def require_fields(zone: Mapping[str, object]) -> None:
    """Raise FieldRequired for the first missing field."""
    for field in missing_fields(zone):
        raise FieldRequired(field, str(zone["type"]))
