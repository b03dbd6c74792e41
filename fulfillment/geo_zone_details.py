"""What a geo zone keeps to: it names as much of a country as its type says."""

from collections.abc import Mapping

from commerce.kit.core.errors import InvalidData
from fulfillment.states import GeoZoneType

_NEEDS: Mapping[str, tuple[str, ...]] = {
    GeoZoneType.COUNTRY: (),
    GeoZoneType.PROVINCE: ("province_code",),
    GeoZoneType.CITY: ("city",),
    GeoZoneType.ZIP: ("postal_expression",),
}
"""The fields without which a zone of the type would cover the whole country."""


class FieldRequired(InvalidData):
    """A zone of this type says nothing without the field."""

    def __init__(self, field: str, type: str) -> None:
        super().__init__(f"Field '{field}' is required for a zone of type '{type}'")
        self.field = field


def missing_fields(zone: Mapping[str, object]) -> list[str]:
    """What the zone, by field, leaves out of what its type is about."""
    return [field for field in _NEEDS[str(zone["type"])] if not zone.get(field)]


def require_fields(zone: Mapping[str, object]) -> None:
    """Raise FieldRequired where the zone, by field, lacks what its type is about."""
    for field in missing_fields(zone):
        raise FieldRequired(field, str(zone["type"]))
