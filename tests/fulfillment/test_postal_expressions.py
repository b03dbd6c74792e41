"""What is wrong with a postal expression is said by the column itself: to the verb, the form and the shop file."""

from typing import Any

import pytest

from fulfillment.editing import geo_zone_editing
from fulfillment.models import GeoZone
from kit.domain.actor import SYSTEM
from kit.editing.states import RowsRefused
from tests.fulfillment.admin.test_admin import ZONES, a_zone
from tests.kit.admin.forms import errors, row, sent
from tests.kit.admin.visits import superuser
from tests.operations.shop_file_runs import ShopFiles

pytestmark = pytest.mark.django_db

EXPECTED = (
    'Expected a postal code, {"prefix": "10"}, {"from": "75000", "to": "75999"}, {"outward_code": "PA6"} or a list'
    " of these"
)


@pytest.mark.parametrize("expression", [{"a": 1}, {"prefix": ""}, {"prefix": "1", "to": "2"}, {"from": "1"}])
def test_the_verb_refuses_it_at_its_field(expression: Any) -> None:
    zone = a_zone()
    state = geo_zone_editing.VERBS.state(
        service_zone_id=zone.pk, type="zip", country_id="us", postal_expression=expression
    )
    with pytest.raises(RowsRefused) as refused:
        geo_zone_editing.VERBS.put(actor=SYSTEM, states=[state])
    (fault,) = refused.value.faults
    assert (fault.field, fault.error.message) == (
        "postal_expression",
        f"Value for field 'postal_expression': {EXPECTED}",
    )
    assert not GeoZone.objects.exists()


def test_the_form_does() -> None:
    zone, client = a_zone(), superuser()
    address = f"{ZONES}{zone.pk}/change/"
    values = row(sent(client, address), "geo_zones", type="zip", country="us", postal_expression='{"a": 1}')
    assert errors(client.post(address, values)) == {"geo_zones-0-postal_expression": [EXPECTED]}


def test_the_shop_file_does(tmp_path: Any) -> None:
    place = {"type": "zip", "country_code": "us", "postal_expression": {"a": 1}}
    zone = {"name": "Here", "geo_zones": [place], "shipping_options": []}
    content = {"fulfillment_sets": [{"name": "Dock", "type": "shipping", "service_zones": [zone]}]}
    assert ShopFiles(tmp_path).refused(content) == [
        f"fulfillment_sets[0].service_zones[0].geo_zones[0].postal_expression: is invalid: {EXPECTED}"
    ]


@pytest.mark.parametrize("expression", [{"prefix": "10"}, {"from": "75000", "to": "75999"}, {"outward_code": "PA6"}])
def test_a_valid_one_is_stored(expression: Any) -> None:
    state = geo_zone_editing.VERBS.state(
        service_zone_id=a_zone().pk, type="zip", country_id="gb", postal_expression=expression
    )
    geo_zone_editing.VERBS.put(actor=SYSTEM, states=[state])
    assert GeoZone.objects.get().postal_expression == expression
