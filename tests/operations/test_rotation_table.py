"""Each row of the table "Changing secrets" (docs/operators/secrets.md) has a test, here or beside, of two changes."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.hashers import check_password, make_password
from django.test import Client
from pytest_django import Settings

from auth.signing_in.staff_registration import register_staff
from giftcards.models import GiftCard
from kit.errors import TooManyRequests
from kit.messages.mails.address_limit import digests_of
from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from kit.messages.mails.tokens import mail_token, token_digest
from kit.safety.throttling.counters import hit
from orders.access.lookups.requesting import request_lookup
from orders.access.signed_documents import address_of
from orders.models import OrderLookup
from staff.actors import staff_actor
from staff.invitations import invitation_of, invite
from staff.models import User
from tests.docs.pages import OPERATORS
from tests.factories import shop
from tests.factories.apikeys import secret_key
from tests.factories.carts import shopper
from tests.factories.invitations import sent_invitation
from tests.factories.invoices import document
from tests.kit.admin.forms import sent
from tests.operations import test_rotation as beside
from tests.operations.test_rotation import EMAIL, Rotate, ann, rotate
from tests.orders.placed import placed

__all__ = ["ann", "rotate"]
pytestmark = pytest.mark.django_db
PASSWORD = "staple battery horse correct"


@pytest.fixture
def browser(ann: User) -> Client:
    """Signed in without a session in the database, which would end with the second change."""
    client = Client()
    client.force_login(ann)
    return client


def test_links_of_invitations_live_through_two_changes(ann: User, rotate: Rotate, settings: Settings) -> None:
    """As tokens of transfers and of payment links: the table has an unkeyed digest of each."""
    settings.PUBLIC_URL = "https://api.shop.example"
    made = invite(actor=staff_actor(ann), email="eve@example.com", groups=[]).invitation
    send_due()
    token = mail_token("invitation", made.pk, 1)
    rotate(2)
    assert mail_token("invitation", made.pk, 1) != token
    assert invitation_of(token_digest(token)) == made


@pytest.mark.parametrize(("changes", "status"), [(1, 200), (2, 404)])
def test_links_to_orders_live_through_one_change(rotate: Rotate, changes: int, status: int) -> None:
    made = placed()
    request_lookup(actor=shopper(), display_id=str(made.display_id), email=str(made.email), client="")
    send_due()
    token = mail_token("order_lookup", OrderLookup.objects.get().pk, 1)
    rotate(changes)
    assert Client().post(f"/orders/lookup/{token}").status_code == status


@pytest.mark.parametrize(("changes", "status"), [(1, 200), (2, 404)])
def test_addresses_of_documents_live_through_one_change(
    rotate: Rotate, settings: Settings, changes: int, status: int
) -> None:
    settings.PUBLIC_URL = ""
    address = address_of(document(placed()).pk)
    rotate(changes)
    assert Client().get(address).status_code == status


@pytest.mark.parametrize(("changes", "is_shown"), [(1, True), (2, False)])
def test_notices_live_through_one_change(
    ann: User, rotate: Rotate, settings: Settings, changes: int, is_shown: bool
) -> None:
    settings.PUBLIC_URL = "https://api.shop.example"
    made = invite(actor=staff_actor(ann), email="eve@example.com", groups=[]).invitation
    send_due()
    client = Client()
    client.get(f"/admin/invitation/{mail_token('invitation', made.pk, 1)}/")
    names = {"first_name": "Eve", "last_name": "", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/admin/invitation/", names).status_code == 302
    rotate(changes)
    assert ("Your account is ready" in client.get("/admin/login/").content.decode()) == is_shown


def test_staff_find_mails_by_their_address_until_the_second_change(browser: Client, rotate: Rotate) -> None:
    Mail.objects.create(
        kind="note", about="order_1", recipient="p•••@example.com", recipient_digest=digests_of(EMAIL)[0]
    )
    found = []
    for number in (0, 1):
        rotate(number)
        found.append(len(browser.get("/admin/mails/mail/", {"q": EMAIL}).context["cl"].result_list))
    beside.reseal()
    rotate(2)
    found.append(len(browser.get("/admin/mails/mail/", {"q": EMAIL}).context["cl"].result_list))
    assert found == [1, 1, 0]


def test_a_form_for_gift_cards_acts_once_until_the_second_change(browser: Client, rotate: Rotate) -> None:
    shop.RegionFactory(currency_id="usd")
    page = "/admin/giftcards/giftcard/add/"
    form = sent(browser, page, value="50", currency="usd", count="1")
    issued = []
    for number in (0, 1):
        rotate(number)
        browser.post(page, form)
        issued.append(GiftCard.objects.count())
    beside.reseal()
    rotate(2)
    browser.post(page, form)
    assert [*issued, GiftCard.objects.count()] == [1, 1, 2]


def test_attempts_are_counted_from_zero_after_each_change(rotate: Rotate, settings: Settings) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "order_transfers": (1, 3600)}
    for number in (0, 1, 2):
        rotate(number)
        hit(throttle="order_transfers", subject="cus_ann")
        with pytest.raises(TooManyRequests):
            hit(throttle="order_transfers", subject="cus_ann")


def test_keys_and_passwords_do_not_depend_on_them(ann: User, rotate: Rotate) -> None:
    key, hashed = secret_key(ann), make_password(PASSWORD)
    rotate(2)
    assert check_password(PASSWORD, hashed)
    sent_with = {"Authorization": f"Bearer {key.token}"}
    assert Client().get("/admin/api-keys", headers=sent_with).status_code == 200


@pytest.mark.parametrize(("changes", "statuses"), [(1, [200, 400]), (2, [401, 400])])
def test_tokens_by_which_staff_join_live_through_one_change(rotate: Rotate, changes: int, statuses: list[int]) -> None:
    """First with the registration from before, then with one from after the change."""
    rotate(0)
    invited = sent_invitation("eve@example.com").token
    registrations = [register_staff(email="eve@example.com", password=PASSWORD, client="")]
    rotate(changes)
    registrations.append(register_staff(email="eve@example.com", password=PASSWORD, client=""))
    path = f"/admin/invites/accept?token={invited}"
    answers = [
        Client().post(path, {}, "application/json", headers={"Authorization": f"Bearer {each}"})
        for each in registrations
    ]
    assert [answer.status_code for answer in answers] == statuses


TESTED: dict[str, Callable[..., None]] = {
    "access tokens (JWT) of customers and staff": beside.test_tokens_live_through_one_change_and_not_through_two,
    "tokens and links for a new password": beside.test_links_for_a_new_password_live_through_one_change,
    "tokens of invitations that programs send": test_tokens_by_which_staff_join_live_through_one_change,
    "tokens of registrations of staff": test_tokens_by_which_staff_join_live_through_one_change,
    "sessions in the database": beside.test_sessions_live_through_two_changes_if_they_are_resealed,
    "one-time notices on the admin site (a cookie)": test_notices_live_through_one_change,
    "stored responses of an `Idempotency-Key`": (
        beside.test_stored_answers_are_replayed_after_one_change_and_conflicts_after_two
    ),
    "secrets of webhook endpoints": beside.test_webhook_secrets_live_through_two_changes_if_they_are_resealed,
    "tokens in emails about transfers of orders and invitations, and in payment links": (
        test_links_of_invitations_live_through_two_changes
    ),
    "digests of customers' and staff's addresses of sign-ins": (
        beside.test_addresses_of_sign_ins_stay_known_and_are_recorded_under_the_new_secret
    ),
    "digests of email addresses in requests to see an order": test_links_to_orders_live_through_one_change,
    "digests of recipients of emails": test_staff_find_mails_by_their_address_until_the_second_change,
    "digests of ids and email addresses in stored responses": (
        beside.test_erasures_find_what_was_recorded_before_a_change
    ),
    "digests of attempts (`LOGIN_ATTEMPTS` and the others)": test_attempts_are_counted_from_zero_after_each_change,
    "addresses of documents of orders that guests have found": test_addresses_of_documents_live_through_one_change,
    "references of gift cards issued by form": test_a_form_for_gift_cards_acts_once_until_the_second_change,
    "API keys, passwords, second factors, the ledger": test_keys_and_passwords_do_not_depend_on_them,
}
OF_NEITHER = {
    "copies of sessions in Redis",
    "addresses passed on by a storefront's server",
    "Stripe's and carriers' events",
    "backups",
}


def test_each_row_of_the_table_has_a_test() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ", (OPERATORS / "secrets.md").read_text(), re.MULTILINE)
    assert set(rows) - {"what"} == TESTED.keys() | OF_NEITHER
