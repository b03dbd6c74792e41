"""The demo's shop goes out and comes back: nothing changes, and a second file has the same bytes."""

from io import BytesIO, StringIO
from typing import Any

import pytest
from django.core.management import call_command

from catalog.models import Product
from kit.domain.actor import SYSTEM
from kit.messages.outbox.models import Event
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.exports import export
from kit.spreadsheets.previews import preview
from kit.spreadsheets.uploads import upload

pytestmark = pytest.mark.django_db


def _exported(format: str) -> BytesIO:
    file = BytesIO()
    export(file, format, spreadsheet=SPREADSHEETS.get()["products"], actor=SYSTEM)
    file.seek(0)
    return file


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_the_demo_comes_back_unchanged(format: str, settings: Any) -> None:
    call_command("demo", "--no-serve", stdout=StringIO())
    first, events = _exported("csv").getvalue(), Event.objects.count()
    moments = [*Product.objects.order_by("pk").values_list("updated_at", flat=True)]
    number = len(moments)

    one = upload(
        actor=SYSTEM, spreadsheet="products", file=_exported(format), name=f"a.{format}", options={"stock": "set"}
    )
    preview(one, actor=SYSTEM)
    confirm(one)
    apply(one, actor=SYSTEM)

    assert one.problems == []
    assert one.done == {"unchanged": number}
    assert "" not in one.mapping
    assert number > 3
    assert [*Product.objects.order_by("pk").values_list("updated_at", flat=True)] == moments
    assert Event.objects.count() == events
    assert _exported("csv").getvalue() == first
