"""The page for programs: its commands run as printed, and its table names every route with its permission."""

import os
import re
import sys

import pytest
from pytest_django.live_server_helper import LiveServer

from apikeys.models import ApiKey
from kit.rest.row_endpoint import RowEndpoint
from kit.rest.viewsets import AdminEndpoint, permissions_on
from payments.models import RefundReason
from pictures.models import Picture
from staff.models import User
from tests.contract.routes import ROUTES, Route
from tests.docs.conftest import EMAIL, PASSWORD
from tests.docs.pages import DOCS, examples, run
from tests.packages import ROOT

PAGE = DOCS / "admin-api.md"


@pytest.mark.django_db(transaction=True)
def test_the_commands_answer_as_described(live_server: LiveServer, process_environment: dict[str, str]) -> None:
    User.objects.create_superuser(EMAIL, PASSWORD)
    given = {**process_environment, "SHOP": live_server.url, "STAFF_EMAIL": EMAIL, "STAFF_PASSWORD": PASSWORD}
    commands = "\n".join(examples(PAGE, "sh")).replace(".venv/bin/python", sys.executable)
    answers = run(["sh", "-e"], commands, given, folder=ROOT)
    reason = RefundReason.objects.get()
    secret, answers = answers.split("\n", 1)
    assert secret.startswith("sk_")
    assert answers.startswith(f'{{"refund_reason":{{"id":"{reason.pk}","label":"Arrived too late"')
    assert f'{{"refund_reasons":[{{"id":"{reason.pk}","label":"Arrived too late","code":"late"}}],"count":1' in answers
    assert '{"payments":[],"count":0,"estimate_count":0,"offset":0,"limit":5}{"files":[{"id":"' in answers
    assert Picture.objects.count() == 2
    on_the_server, over_the_api = ApiKey.objects.order_by("created_at")
    assert on_the_server.permissions == [
        "payments.add_capture",
        "payments.add_refund",
        "payments.view_paymentcollection",
    ]
    assert over_the_api.permissions == [
        "payments.add_refundreason",
        "payments.view_paymentcollection",
        "payments.view_refundreason",
        "pictures.add_picture",
    ]


BATCHED = {route.endpoint for route in ROUTES if "batch" in route.actions.values()}


def is_usual(route: Route, action: str) -> bool:
    """Whether all maintained rows have the action, with the same kind of permission."""
    endpoint = route.endpoint
    if not issubclass(endpoint, RowEndpoint) or endpoint not in BATCHED:
        return False
    meta = endpoint.verbs.model._meta
    usual = {**permissions_on(meta.label_lower), "batch": f"{meta.app_label}.change_{meta.model_name}"}
    return usual.get(action) == endpoint.permissions[action]


def tables() -> tuple[str, str]:
    """One of the resources whose routes are the usual ones, and one of all other routes."""
    resources: dict[str, str] = {}
    others: list[str] = []
    for route in (route for route in ROUTES if issubclass(route.endpoint, AdminEndpoint)):
        path = re.sub(r"<str:(\w+)>", r"{\1}", route.path)
        for method, action in route.actions.items():
            if is_usual(route, action):
                model = route.endpoint.verbs.model._meta.label_lower
                base = re.sub(r"/batch$|/{\w+}$|/{id}/restore$", "", path)
                resources[base] = f"| `{base}` | `{model}` |"
            else:
                is_open = action in route.endpoint.open_to_all_staff
                needed = "none" if is_open else f"`{route.endpoint.permissions[action]}`"
                others.append(f"| `{method.upper()} {path}` | {needed} |")
    return (
        "\n".join(["| resource | model |", "|---|---|", *resources.values()]),
        "\n".join(["| route | permission |", "|---|---|", *others]),
    )


@pytest.mark.once
def test_the_tables_name_every_route_with_its_permission() -> None:
    """WRITE_DOCS=1 writes them."""
    page = PAGE.read_text()
    for table in tables():
        head = table.split("\n", 1)[0]
        (present,) = re.findall(rf"^{re.escape(head)}\n(?:\|.*\n)+", page, re.MULTILINE)
        page = page.replace(present, f"{table}\n")
    if "WRITE_DOCS" in os.environ:
        PAGE.write_text(page)
    assert PAGE.read_text() == page
