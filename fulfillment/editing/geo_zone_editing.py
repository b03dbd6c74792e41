"""Creating, changing and deleting the places of service zones, any number at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from fulfillment.editing.geo_zone_details import missing_fields
from fulfillment.models import GeoZone, ServiceZone
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows
from kit.editing.locked_rows import lock_parents
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values.metadata import Metadata
from kit.values.places import province


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceState(RowState):
    """The desired state of a place. province_code: the code of ISO 3166-2, its suffix, or the name of the province."""

    service_zone_id: str | Absent = ABSENT
    type: str | Absent = ABSENT
    country_id: str | Absent = ABSENT
    province_code: str | Absent | None = ABSENT
    city: str | Absent | None = ABSENT
    postal_expression: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[PlaceState]) -> list[Edited[GeoZone]]:
    """Create and change places: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    lock_parents(ServiceZone, states, "service_zone_id")
    edits = RowEdits(GeoZone, states, actor=actor)
    for index, row in enumerate(edits.rows):
        try:
            if row.province_code:
                code = province(row.province_code, country_code=row.country_id, field="province_code")
                edits.change(index, {"province_code": code})
        except InvalidData as refusal:
            edits.refuse(index, "province_code", refusal)
        given = {name: getattr(row, name) for name in ("type", "province_code", "city", "postal_expression")}
        for field in () if edits.is_refused(index) else missing_fields(given):
            edits.refuse(index, field, InvalidData(f"Field '{field}' is required for a zone of type '{row.type}'"))
    return edits.write()


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Soft-delete places. Raises NotFound, Forbidden."""
    delete_rows(GeoZone, ids, actor=actor)


VERBS = RowVerbs(state=PlaceState, put=put, delete=delete)
