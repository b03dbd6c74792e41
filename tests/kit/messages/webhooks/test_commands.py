"""`manage.py webhooks`."""

import io

import pytest
from django.core.management import CommandError, call_command

from kit.messages.webhooks.models import Delivery, WebhookAddress
from tests.factories import webhooks as make

pytestmark = pytest.mark.django_db


def run(*words: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("webhooks", *words, stdout=out, stderr=err)
    return out.getvalue().strip(), err.getvalue().strip()


def test_an_address_from_its_beginning_to_its_end() -> None:
    secret, said = run("add", make.URL, "--event", "order.placed")
    address = WebhookAddress.objects.get()
    assert secret.startswith("whsec_")
    assert said == f"Added {make.URL} with the id {address.pk}. The secret is never shown again."
    assert run("list")[0] == f"{address.pk}  {make.URL}  order.placed  active"
    other, said = run("rotate", make.URL)
    assert other != secret
    assert said.endswith("Deliveries are signed with the former secret too for 24 hours.")
    assert run("rotate", address.pk, "--leaked")[1].endswith("The secret is never shown again.")
    run("disable", address.pk)
    assert run("list")[0].endswith("disabled")
    run("enable", address.pk)
    assert run("list")[0].endswith("active")
    run("delete", make.URL)
    assert run("list")[0] == ""


def test_resending() -> None:
    event = make.event()
    address = make.address().address
    run("resend", address.pk, "--event", event.event_id)
    assert Delivery.objects.get().event == event
    make.event("order_2")
    assert run("resend", make.URL, "--since", "2026-01-01")[0] == "1 event(s) sent again"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["add", "http://erp.example/"], "Value for field 'url' must begin with https://"),
        (
            ["add", "https://erp.example/", "--event", "order.lost"],
            "Value for field 'events' has no event 'order.lost'",
        ),
        (["rotate", "webhook_none"], "Webhook endpoint with id: webhook_none was not found"),
        (["resend", "webhook_none"], "one of the arguments --event --since is required"),
        (["resend", "webhook_none", "--since", "soon"], "argument --since: invalid"),
        (["nothing"], "invalid choice: 'nothing'"),
    ],
)
def test_what_it_refuses(words: list[str], problem: str) -> None:
    with pytest.raises(CommandError, match=problem.replace("(", r"\(")):
        run(*words)
