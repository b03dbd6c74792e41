"""Whole drafts and their changes ask a tax provider at most once, outside transactions."""

from typing import Any

import pytest

from tests.contract.callers import Caller
from tests.contract.conftest import admin
from tests.factories import carts as make
from tests.kit.graphql.calls import ask, data
from tests.orders.changes.shop import goods
from tests.taxes.quotes.fake_tax_provider import FakeTaxProvider, provider

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["admin", "provider"]
ADDRESS = 'shippingAddress: {address1: "1 Elm", city: "New York", countryCode: "us", postalCode: "10001"}'


def asked(caller: Caller, field: str, given: str) -> Any:
    """Id and total of the draft that the field answers."""
    shown = data(ask(caller, f"mutation {{ {field}({given}) {{ draftOrder {{ id total taxTotal }} }} }}"))
    return shown[field]["draftOrder"]


def test_a_change_is_confirmed_by_the_answer_that_its_preview_got(
    provider: type[FakeTaxProvider], admin: Caller
) -> None:
    region, mug, tee = make.selling_region(), goods("mug", 100), goods("tee", 40)
    new = f'input: {{regionId: "{region.pk}", {ADDRESS}, items: [{{variantId: "{mug.pk}", quantity: 1}}]}}'
    for times, field in enumerate(("previewDraftOrder", "createDraftOrder"), start=1):
        made = asked(admin, field, new)
        assert (made["taxTotal"], len(provider.requests)) == (7.5, times)
    change = f'id: "{made["id"]}", input: {{addedItems: [{{variantId: "{tee.pk}", quantity: 1}}]}}'
    for field in ("previewDraftOrderEdit", "editDraftOrder"):
        changed = asked(admin, field, change)
        assert (changed["taxTotal"], len(provider.requests)) == (10.5, 3)
