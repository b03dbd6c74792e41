"""Which tax provider a country has: on its page, and in shop files."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin.utils import quote

from kit.domain.actor import SYSTEM
from kit.editing.states import RowsRefused, RowState
from taxes.editing import tax_region_editing
from taxes.models import TaxRegion
from tests.factories.taxes import tax_region
from tests.kit.admin.forms import sent, submit
from tests.kit.admin.visits import superuser
from tests.operations.shop_file_runs import ShopFiles

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def providers(settings: Any) -> None:
    settings.TAX_PROVIDERS = {"txp_a": "a.A", "txp_b": "b.B"}


def page(region: TaxRegion) -> str:
    return f"/admin/taxes/taxregion/{quote(region.pk)}/change/"


def chosen(region: TaxRegion) -> str | None:
    region.refresh_from_db()
    return region.provider_id


def test_staff_choose_one_for_a_country() -> None:
    client, germany = superuser(), tax_region("de")
    submit(client, page(germany), sent(client, page(germany), provider_id="txp_b"))
    assert chosen(germany) == "txp_b"
    submit(client, page(germany), sent(client, page(germany), metadata='{"a": 1}'))
    assert chosen(germany) == "txp_b"
    submit(client, page(germany), sent(client, page(germany), provider_id=""))
    assert chosen(germany) is None


def test_one_that_settings_no_longer_name_stays_and_is_shown(settings: Any) -> None:
    client, germany = superuser(), tax_region("de")
    TaxRegion.objects.update(provider_id="txp_a")
    settings.TAX_PROVIDERS = {}
    submit(client, page(germany), sent(client, page(germany), metadata='{"a": 1}'))
    assert (chosen(germany), germany.metadata) == ("txp_a", {"a": 1})


def test_without_providers_and_for_provinces_there_is_no_choice(settings: Any) -> None:
    client, quebec = superuser(), tax_region("ca", "ca-qc")
    assert "provider_id" not in client.get(page(quebec)).content.decode()
    assert "provider_id" in client.get(page(tax_region("ca"))).content.decode()
    settings.TAX_PROVIDERS = {}
    assert "provider_id" not in client.get(page(tax_region("ca"))).content.decode()


def test_a_shop_file_chooses_one_and_a_dump_names_it(tmp_path: Path) -> None:
    files = ShopFiles(tmp_path)
    content = {"tax_regions": [{"country_code": "de", "provider_id": "txp_a"}]}
    assert files.load(content) == ["tax_regions: 1 created, 0 updated, 0 unchanged"]
    assert files.load(content) == ["tax_regions: 0 created, 0 updated, 1 unchanged"]
    assert [each["provider_id"] for each in files.dump()["tax_regions"]] == ["txp_a"]


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (
            tax_region_editing.VERBS.state(country_id="de", provider_id="nope"),
            "'nope' is not in the setting TAX_PROVIDERS",
        ),
        (
            tax_region_editing.VERBS.state(country_id="ca", province="ca-qc", provider_id="txp_a"),
            "can only be set on the tax region of a country",
        ),
    ],
)
def test_what_is_refused(state: RowState, message: str) -> None:
    with pytest.raises(RowsRefused) as refused:
        tax_region_editing.VERBS.put(actor=SYSTEM, states=[state])
    (fault,) = refused.value.faults
    assert fault.field == "provider_id"
    assert message in str(fault.error)
    assert not TaxRegion.objects.filter(provider_id__isnull=False).exists()
