"""The statement of the changelog that completes what servers of the previous version leave out."""

import re

import pytest
from django.db import connection

from payments.models import PaymentCollection
from payments.models.collections import MISMATCHED
from shop.models import Currency
from tests.factories.payments import captured_payment
from tests.packages import ROOT

pytestmark = pytest.mark.django_db


def test_collections_with_money_in_another_currency_are_noted() -> None:
    euro, _ = Currency.objects.get_or_create(code="eur")
    kept, changed = (captured_payment().collection_id for _ in range(2))
    # The previous version wrote a new currency, and did not know the column.
    PaymentCollection.objects.filter(pk=changed).update(currency=euro)
    assert not PaymentCollection.objects.filter(MISMATCHED).exists()
    (statement,) = re.findall(r"```sql\n(.*?)```", (ROOT / "CHANGELOG.md").read_text(), re.DOTALL)
    with connection.cursor() as cursor:
        cursor.execute(statement)
        assert cursor.rowcount == 1
    assert list(PaymentCollection.objects.filter(MISMATCHED).values_list("pk", flat=True)) == [changed]
    assert not PaymentCollection.objects.get(pk=kept).has_other_currency


def test_what_breaks_is_marked_in_one_way() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    _, *entries = text.split("## Unreleased")
    marks = re.findall(r"(?i)^- .*\bbreaking\b.*", "".join(entries), re.MULTILINE)
    assert marks
    assert [mark for mark in marks if not mark.startswith("- **Breaking.** ")] == []
