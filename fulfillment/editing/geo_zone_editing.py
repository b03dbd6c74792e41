"""The places of service zones, as staff maintain them."""

import json
from collections.abc import Sequence
from functools import partial

from fulfillment.editing.geo_zone_details import missing_fields
from fulfillment.models import GeoZone, ServiceZone
from kit.editing.deletion import delete_rows
from kit.editing.locked_rows import lock_parents
from kit.editing.rows import RowEdits
from kit.editing.states import RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values.places import province


def _check(edits: RowEdits[GeoZone], _: Sequence[RowState]) -> None:
    seen: set[str] = set()
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
        place = json.dumps([row.service_zone_id, row.country_id, given], sort_keys=True)
        if place in seen:
            edits.refuse(index, "", InvalidData("The zone has this place twice"))
        seen.add(place)


VERBS = RowVerbs(
    GeoZone,
    ("service_zone_id", "type", "country_id", "province_code", "city", "postal_expression"),
    lock=partial(lock_parents, ServiceZone, field="service_zone_id"),
    check=_check,
    delete=delete_rows,
)
"""province_code: the code of ISO 3166-2, its suffix, or the name of the province."""
