"""A member of staff at the forms of an order."""

from html import unescape
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from commerce.operations.roles.role_setup import set_up_roles
from orders.admin.actions import action_url
from orders.models import Order
from staff.models import User
from tests.factories.staff import UserFactory
from tests.kit.admin.forms import Values, changed, sent


def desk(role: str = "") -> tuple[Client, User]:
    """A new member of staff who has signed in: of that role, otherwise a superuser."""
    user = UserFactory(is_superuser=not role)
    if role:
        set_up_roles()
        user.groups.set(user.groups.model.objects.filter(name=role))
    client = Client()
    client.force_login(user)
    return client, user


def page(client: Client, order: Order, name: str, about: str = "") -> str:
    """What the form says."""
    return text_of(client.get(action_url(order.pk, name, about)))


def filled(client: Client, order: Order, name: str, about: str = "", /, **values: Any) -> Values:
    """The form as it would be sent."""
    return sent(client, action_url(order.pk, name, about), **values)


def act(client: Client, order: Order, name: str, about: str = "", /, **values: Any) -> str:
    """Send the form; the message that the order's page will show."""
    return send(client, order, name, about, filled(client, order, name, about, **values))


def send(client: Client, order: Order, name: str, about: str, values: Values) -> str:
    """Send these values, which must be taken; the message."""
    response = client.post(action_url(order.pk, name, about), values)
    assert response.status_code == 302, text_of(response)
    assert response["Location"] == reverse("admin:orders_order_change", args=[quote(order.pk)])
    return str(list(get_messages(response.wsgi_request))[-1])


def refused(client: Client, order: Order, name: str, about: str = "", /, **values: Any) -> list[str]:
    """Send the form; the errors that it then shows, with all that was entered."""
    entered = filled(client, order, name, about, **values)
    return refusal(client, order, name, about, entered)


def refusal(client: Client, order: Order, name: str, about: str, values: Values) -> list[str]:
    """Send these values; the errors that the form shows with all that was entered."""
    response = client.post(action_url(order.pk, name, about), values)
    assert response.status_code == 200
    form = response.context["form"]
    for field in form.visible_fields():
        if field.name in values:
            shown = "on" if field.value() is True else str(field.value() or "")
            assert shown == values[field.name][0], field.name
    return [str(error) for errors in form.errors.values() for error in errors]


def history(order: Order) -> list[tuple[str, str]]:
    """Who did what, by the order's history."""
    entries = LogEntry.objects.filter(object_id=order.pk).order_by("pk")
    return list(entries.values_list("user__email", "change_message"))


def text_of(response: Any) -> str:
    """What the page says, without its markup."""
    assert response.status_code == 200, response.status_code
    return " ".join(unescape(strip_tags(response.content.decode())).split())


__all__ = ["act", "changed", "desk", "filled", "history", "page", "refusal", "refused", "send", "text_of"]
