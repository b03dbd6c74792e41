"""Two members of staff who write the same unique value on the admin site at the same moment."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Model

from shop.models import SalesChannel
from staff.models import User
from tests.concurrency.crowd import at_once
from tests.factories.shop import SalesChannelFactory
from tests.factories.staff import UserFactory
from tests.kit.admin.forms import save
from tests.kit.admin.visits import history, superuser

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORDS = {"password1": "staple battery horse", "password2": "staple battery horse"}
NEW: list[tuple[type[Model], str, dict[str, str], str]] = [
    (User, "/admin/staff/user/add/", {"email": "eve@example.com", **PASSWORDS}, "email"),
    (SalesChannel, "/admin/shop/saleschannel/add/", {"name": "Web"}, "name"),
    (Group, "/admin/auth/group/add/", {"name": "Editors"}, "name"),
]


@pytest.fixture
def meeting(monkeypatch: pytest.MonkeyPatch) -> Callable[[type[Model]], None]:
    """Lets two requests meet after their forms were found good; where the database lets one begin only, it goes on."""

    def arrange(model: type[Model]) -> None:
        screen, middle = admin.site.get_model_admin(model), threading.Barrier(2)
        save = screen.save_model

        def save_together(*given: Any) -> None:
            with suppress(threading.BrokenBarrierError):
                middle.wait(timeout=1)
            save(*given)

        monkeypatch.setattr(screen, "save_model", save_together)

    return arrange


@pytest.mark.parametrize(("model", "address", "given", "field"), NEW, ids=["user", "channel", "group"])
def test_of_two_new_ones_one_is_made_and_the_other_refused_with_the_reason(model, address, given, field, meeting):
    meeting(model)
    clients = [superuser(), superuser()]
    before = model._default_manager.count()
    answers = at_once(lambda number: clients[number].post(address, given), threads=2)
    assert sorted(answer.status_code for answer in answers) == [200, 302]
    (refused,) = (answer for answer in answers if answer.status_code == 200)
    assert list(refused.context["adminform"].form.errors) == [field]
    assert model._default_manager.count() == before + 1
    assert len(history()) == 1


def test_of_two_changes_to_one_value_one_is_made(meeting):
    meeting(User)
    people, clients = [UserFactory(), UserFactory()], [superuser(), superuser()]

    def take(number: int) -> int:
        address = f"/admin/staff/user/{people[number].pk}/change/"
        return save(clients[number], address, {"email": "eve@example.com", "is_active": "on"}).status_code

    assert sorted(at_once(take, threads=2)) == [200, 302]
    assert User.objects.filter(email="eve@example.com").count() == 1


def test_of_two_channels_that_take_one_name_the_other_keeps_its_own(meeting):
    meeting(SalesChannel)
    channels, clients = (
        [SalesChannelFactory(name="Till"), SalesChannelFactory(name="Stall")],
        [superuser(), superuser()],
    )

    def take(number: int) -> int:
        address = f"/admin/shop/saleschannel/{channels[number].pk}/change/"
        return save(clients[number], address, {"name": "Web"}).status_code

    assert sorted(at_once(take, threads=2)) == [200, 302]
    names = set(SalesChannel.objects.filter(pk__in=[channel.pk for channel in channels]).values_list("name", flat=True))
    assert names in ({"Web", "Till"}, {"Web", "Stall"})
