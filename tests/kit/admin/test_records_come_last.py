"""JSON and ids come after what people need: never above the tables of a page, except in a closed section."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.admin.utils import flatten
from django.core.exceptions import FieldDoesNotExist
from django.db.models import JSONField, Model
from django.test import RequestFactory

from kit.admin.base_admin import BaseAdmin
from tests.kit.admin.pages import every_screen
from tests.kit.admin.shop import build_shop
from tests.kit.admin.visits import superuser

pytestmark = [pytest.mark.once, pytest.mark.django_db]

WHAT_MATTERS = {
    ("shop.PaymentProvider", "id"): "shop files and regions name providers by it",
    ("shop.FulfillmentProvider", "id"): "the same",
    ("webhooks.WebhookAddress", "events"): "a choice of events",
    ("outbox.Event", "data"): "what the event says",
    ("orders.Order", "metadata"): "the page of an order has its own template, which shows it last",
}
RECORDED = {
    "created_at",
    "updated_at",
    "deleted_at",
    "last_login",
    "created_by",
    "last_used_at",
    "revoked_by",
    "revoked_at",
}


def is_record(model: type[Model], name: str) -> bool:
    """Whether the field is for programs rather than people."""
    if (model._meta.label, name) in WHAT_MATTERS:
        return False
    try:
        return name == "id" or isinstance(model._meta.get_field(name), JSONField)
    except FieldDoesNotExist:
        return False


def faults(model: type[Model], screen: BaseAdmin, request: Any) -> Iterator[str]:
    row = model._default_manager.order_by("-pk").first()
    if row is None:
        return
    sections = screen.get_fieldsets(request, row)
    names = [
        name
        for title, given in sections
        if "collapse" not in given.get("classes", ())
        for name in flatten(given["fields"])
    ]
    records = [name for name in names if is_record(model, name)]
    if records and screen.get_inlines(request, row):
        yield f"{model._meta.label}: {records} above its tables"
    behind = names[names.index(records[0]) :] if records else []
    if {*behind} - {*records} - RECORDED:
        yield f"{model._meta.label}: {records} above {behind}"


def test_forms_show_json_and_ids_last() -> None:
    request = RequestFactory().get("/")
    request.user = superuser().user
    build_shop(request.user)
    assert [fault for model, screen in every_screen() for fault in faults(model, screen, request)] == []
