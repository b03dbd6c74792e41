"""Draft orders by their form on the admin site."""

from typing import Any

from django.contrib.admin.utils import quote
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from carts.models import Cart
from shop.models import Region
from tests.factories.carts import selling_region
from tests.factories.fulfillment import option
from tests.factories.payments import PROVIDER
from tests.kit.admin.forms import Values, changed, filled_in

ADD = "/admin/orders/draftorder/add/"
LIST = "/admin/orders/draftorder/"
ADDRESS = {"first_name": "Ann", "last_name": "Lee", "address_1": "1 Elm", "postal_code": "10001", "city": "New York"}
CONTACT = {"email": "ann@example.com", **{f"shipping_{name}": value for name, value in ADDRESS.items()}}


def region_at_20(shipping: Any = 5) -> Region:
    """Where 20 % are added, with one shipping option."""
    region = selling_region(tax_rate=20)
    region.payment_providers.add(PROVIDER)
    option(shipping, name="Post")
    return region


def address_of(draft: Cart) -> str:
    return reverse("admin:orders_draftorder_change", args=[quote(draft.pk)])


def filled(client: Client, address: str = ADD, /, **values: Any) -> Values:
    """The form as it would be sent, with the changes."""
    answer = client.get(address)
    assert answer.status_code == 200, answer.status_code
    return changed(filled_in(answer), **values)


def shown(answer: Any) -> dict[str, str]:
    """The lines and amounts of the form that is shown."""
    assert answer.status_code == 200, answer["Location"]
    assert answer.context["form"].errors == {}
    return {each.meaning: each.amount.split(">")[1].split("<")[0] for each in answer.context["form"].figures.sums}


def errors(answer: Any, values: Values) -> dict[str, list[str]]:
    """The errors by field, of a form that has kept all that was entered; "" stands above the form."""
    assert answer.status_code == 200, answer["Location"]
    form = answer.context["form"]
    for field in form.visible_fields():
        assert str(field.value() or "") == values.get(field.name, [""])[0], field.name
    return {"" if name == "__all__" else name: [str(each) for each in found] for name, found in form.errors.items()}


def refused(client: Client, address: str = ADD, /, button: str = "", **values: Any) -> dict[str, list[str]]:
    """Send the form with that button; the errors that it then shows."""
    entered = filled(client, address, **values)
    return errors(client.post(address, {**entered, **({button: "1"} if button else {})}), entered)


def saved(client: Client, address: str = ADD, /, **values: Any) -> Cart:
    """Save the form; the draft."""
    answer = client.post(address, {**filled(client, address, **values), "_save": "1"})
    assert answer.status_code == 302, answer.context["form"].errors
    draft = Cart.objects.order_by("-updated_at")[0]
    assert answer["Location"] == address_of(draft)
    return draft


def messages_of(answer: Any) -> list[str]:
    return [str(message) for message in get_messages(answer.wsgi_request)]
