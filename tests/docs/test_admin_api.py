"""The page for programs: its commands run as printed, and its table names every route with its permission."""

import re
import sys

import pytest
from pytest_django.live_server_helper import LiveServer

from apikeys.models import ApiKey
from kit.rest.viewsets import AdminEndpoint
from payments.models import RefundReason
from pictures.models import Picture
from staff.models import User
from tests.contract.routes import ROUTES
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


@pytest.mark.once
def test_the_table_names_every_route_with_its_permission() -> None:
    routes = [
        (method.upper(), re.sub(r"<str:(\w+)>", r"{\1}", route.path), route.endpoint.permissions[action])
        for route in ROUTES
        if issubclass(route.endpoint, AdminEndpoint)
        for method, action in route.actions.items()
    ]
    assert re.findall(r"^\| `([A-Z]+) (/admin/\S+)` \| `(\S+)` \|$", PAGE.read_text(), re.MULTILINE) == routes
