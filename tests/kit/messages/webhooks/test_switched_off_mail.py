"""Staff who can change webhook endpoints get an email when the shop disables one."""

from pathlib import Path

import pytest
from django.contrib.auth.models import Group, Permission
from django.core import mail
from pytest_django import Settings

from kit.domain.actor import SYSTEM
from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from kit.messages.webhooks.delivery.working import deliver_all
from kit.messages.webhooks.endpoints.disabling import disable, switch_off_failing
from kit.messages.webhooks.endpoints.enabling import enable
from kit.messages.webhooks.endpoints.endpoint_lock import lock_endpoint
from kit.messages.webhooks.models import WebhookAddress
from shop.models import Store
from staff.models import User
from tests.factories import webhooks as make
from tests.factories.clock import at
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db
CHANGE = "webhooks.change_webhookaddress"


@pytest.fixture
def ann() -> User:
    return UserFactory(email="ann@example.com", permissions=[CHANGE])


def switched_off(url: str = make.URL, reason: str = "Every delivery failed") -> WebhookAddress:
    address = make.address(url).address
    switch_off_failing(lock_endpoint(address.pk), reason)
    return address


def recipients() -> list[str]:
    send_due()
    return [address for letter in mail.outbox for address in letter.to]


def test_it_goes_to_all_who_may_switch_addresses_on_and_to_nobody_else(ann: User) -> None:
    root, keeper = UserFactory(is_superuser=True), UserFactory()
    webhooks = Group.objects.create(name="Webhooks")
    webhooks.permissions.add(Permission.objects.get(codename="change_webhookaddress"))
    keeper.groups.add(webhooks)
    UserFactory(permissions=["webhooks.view_webhookaddress"])
    UserFactory(is_superuser=True, is_active=False)
    switched_off()
    assert sorted(recipients()) == sorted([ann.email, root.email, keeper.email])


def test_it_names_the_addresses_and_the_reason(ann: User) -> None:
    Store.objects.update(name="Quayside Tea")
    with at(make.MOMENT):
        switched_off("https://erp.example/?a=1&b=2", "No connection within 5 seconds")
    send_due()
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == ([ann.email], "A webhook endpoint of Quayside Tea was disabled")
    assert (
        "\n  https://erp.example/?a=1&b=2\n  since 2026-11-22 12:00 UTC. No connection within 5 seconds.\n"
    ) in letter.body
    ((page, _),) = letter.alternatives
    assert "https://erp.example/?a=1&amp;b=2" in page


def test_each_time_is_a_mail_of_its_own(ann: User) -> None:
    address = switched_off()
    assert recipients() == [ann.email]
    enable(actor=SYSTEM, address_id=address.pk)
    switch_off_failing(lock_endpoint(address.pk), "Every delivery failed")
    switched_off("https://other.example/")
    assert list(Mail.objects.order_by("number").values_list("about", "number")) == [(ann.pk, n) for n in (1, 2, 3)]
    assert recipients() == [ann.email] * 3


def test_a_disabled_endpoint_is_not_disabled_again(ann: User) -> None:
    address = switched_off()
    switch_off_failing(lock_endpoint(address.pk), "Its secret cannot be read")
    address.refresh_from_db()
    assert (address.disabled_reason, Mail.objects.count()) == ("Every delivery failed", 1)


def test_what_staff_switch_off_is_no_news_to_them(ann: User) -> None:
    disable(actor=SYSTEM, address_id=make.address().address.pk)
    assert not Mail.objects.exists()


def test_an_address_that_works_again_or_a_user_who_may_not_mend_it_needs_no_mail(ann: User) -> None:
    bob = UserFactory(permissions=[CHANGE])
    address = switched_off()
    bob.user_permissions.clear()
    assert recipients() == [ann.email]
    assert Mail.objects.get(about=bob.pk).status == "not needed"
    enable(actor=SYSTEM, address_id=address.pk)
    switch_off_failing(lock_endpoint(address.pk), "Every delivery failed")
    enable(actor=SYSTEM, address_id=address.pk)
    assert recipients() == [ann.email]


def test_a_secret_that_cannot_be_read_is_reported_too(ann: User, settings: Settings) -> None:
    make.address()
    make.event()
    settings.SECRET_KEY = "another-" + settings.SECRET_KEY
    deliver_all()
    assert recipients() == [ann.email]
    assert "since SECRET_KEY was changed" in mail.outbox[0].body


def test_the_shop_can_use_a_template_of_its_own(ann: User, tmp_path: Path, settings: Settings) -> None:
    settings.MAIL_TEMPLATES = str(tmp_path)
    (tmp_path / "webhook_switched_off.txt").write_text("Off: {{ addresses.0.url }}")
    switched_off()
    send_due()
    assert mail.outbox[0].body == f"Off: {make.URL}\n"
