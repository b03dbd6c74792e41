"""Who may neither delete nor restore parts of something is refused before anything is read or locked."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.products import option_editing
from catalog.products.product_editing import variant_details
from fulfillment.editing import deletion
from fulfillment.models import FulfillmentSet, ServiceZone, ShippingOption
from kit.domain.actor import ANONYMOUS
from kit.errors import Forbidden


def of_shipping(verb: Callable[..., None], model: type[Any]) -> Callable[..., None]:
    return lambda **given: verb(model, **given)


VERBS = {
    "delete variants": variant_details.VERBS.delete,
    "restore variants": variant_details.VERBS.restore,
    "delete options": option_editing.VERBS.delete,
    **{
        f"{verb.__name__} {model.__name__}": of_shipping(verb, model)
        for verb in (deletion.delete, deletion.restore)
        for model in (FulfillmentSet, ServiceZone, ShippingOption)
    },
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_the_refusal_reads_nothing(verb: Callable[..., None]) -> None:
    with CaptureQueriesContext(connection) as statements, pytest.raises(Forbidden):
        verb(actor=ANONYMOUS, ids=["of_any_row"])
    assert [each["sql"] for each in statements if "SELECT" in each["sql"]] == []
