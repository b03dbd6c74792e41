"""What screens declare instead of spelling it out: bulk actions, and secrets that are shown once."""

import pytest

from tests.factories.pricing import PriceListFactory
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

PRICE_LISTS = "/admin/catalog/pricelist/"
VIEWING, CHANGING = "catalog.view_pricelist", "catalog.change_pricelist"


@pytest.mark.parametrize(("permissions", "is_offered"), [((VIEWING,), False), ((VIEWING, CHANGING), True)])
def test_a_bulk_action_is_offered_to_those_with_its_permission(permissions: tuple[str, ...], is_offered: bool) -> None:
    PriceListFactory()
    page = visitor(*permissions).get(PRICE_LISTS).content.decode()
    assert ('value="activate_selected"' in page) is is_offered


@pytest.mark.parametrize("screen", ["apikeys/apikey", "webhooks/webhookaddress", "giftcards/giftcard"])
def test_the_form_before_a_secret_has_a_single_button(screen: str) -> None:
    """Whoever continued on another page would never see the secret."""
    page = superuser().get(f"/admin/{screen}/add/").content.decode()
    assert 'name="_save"' in page
    assert 'name="_continue"' not in page
    assert 'name="_addanother"' not in page
