"""The print page of invoices and credit notes."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.test import RequestFactory

from commerce.admin_site import load_admin_site
from orders.admin.invoices.printing import print_invoices
from tests.factories.staff import UserFactory
from tests.orders.invoices.documents import credit_note, one_rate, quebec

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def page(*ids: str, user: Any = None) -> HttpResponse:
    load_admin_site()
    request = RequestFactory().get("/")
    request.user = user or UserFactory(permissions=["orders.view_invoice"])
    return print_invoices(request, ids)


def test_documents_are_printed_in_the_order_that_was_asked_for() -> None:
    first, second = one_rate(), quebec(number=2)
    note = credit_note(first)
    answer = page(second.pk, note.pk, first.pk, "inv_none", second.pk)
    shown = answer.content.decode()
    heads = ["Invoice R-2026-000002", "Credit note G-2026-000001", "Invoice R-2026-000001"]
    places = [shown.index(f"<h1>{head}</h1>") for head in heads]
    assert places == sorted(places)
    assert shown.count("<article>") == 3
    assert shown.count('<button type="button" id="print">') == 1
    assert answer["Cache-Control"] == "no-store"


def test_who_may_not_view_documents_may_not_print_them() -> None:
    row = one_rate()
    for user in (UserFactory(permissions=["orders.view_order"]), AnonymousUser()):
        with pytest.raises(PermissionDenied):
            page(row.pk, user=user)


def test_unknown_documents_are_a_404() -> None:
    one_rate()
    with pytest.raises(Http404):
        page("inv_none")
    with pytest.raises(Http404):
        page()
