"""Edits, exchanges and claims of orders by their forms: previewed, and confirmed."""

from typing import Any

from django.test import Client

from orders.admin.actions import action_url
from orders.models import Order
from tests.factories.staff import UserFactory
from tests.kit.admin.forms import Values, changed, filled_in
from tests.orders.admin.forms.desk import filled, send
from tests.orders.changes.shop import line, outcome


def units(order: Order, title: str) -> str:
    """The name of the field for the line's quantity."""
    return f"quantity_{line(order, title).pk}"


def previewed(client: Client, order: Order, values: Values, name: str = "edit", about: str = "") -> tuple[Any, Values]:
    """Send the form once: what it then says that it will do, and the form as it would be sent again."""
    before = outcome(order)
    answer = client.post(action_url(order.pk, name, about), values)
    assert answer.status_code == 200, answer["Location"]
    form = answer.context["form"]
    assert form.errors == {}
    assert outcome(order) == before
    return list(form.effects()), filled_in(answer)


def edited(client: Client, order: Order, form: str = "edit", /, **values: Any) -> tuple[list[str], str]:
    """Preview and confirm: the effects that were shown, and the message."""
    told, entered = previewed(client, order, changed(filled(client, order, form), **values), form)
    return told, send(client, order, form, "", entered)


def refusals(client: Client, order: Order, form: str = "edit", /, **values: Any) -> dict[str, list[str]]:
    """The errors by field, as the preview shows them; "" stands above the form."""
    entered = changed(filled(client, order, form), **values)
    answer = client.post(action_url(order.pk, form), entered)
    assert answer.status_code == 200
    found = answer.context["form"].errors
    return {"" if name == "__all__" else name: [str(each) for each in errors] for name, errors in found.items()}


def by(*permissions: str) -> Client:
    client = Client()
    client.force_login(UserFactory(permissions=permissions))
    return client
