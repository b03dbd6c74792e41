"""SECRET_KEY and JWT_SECRET are changed twice: what goes on working, and until when (docs/operators/secrets.md)."""

import io
from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from apikeys.models import ApiKey
from auth.account_types.actors import resolve
from auth.passwords.reset_tokens import account_of_reset_token, issue_reset_token
from auth.signing_in import known_networks
from kit.messages.mails.address_limit import digests_of
from kit.messages.mails.models import Mail
from kit.messages.webhooks.delivery.message import message
from kit.messages.webhooks.endpoints.signing_secrets import is_current, is_readable, unseal
from kit.messages.webhooks.models import WebhookAddress
from kit.safety.idempotency import mentions as mentioned
from kit.safety.idempotency.models import Record
from kit.values.timestamps import now
from orders.erasure.traces import erase_recipient
from staff.models import User
from tests.auth.conftest import token_of
from tests.factories import webhooks
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db
SECRETS = [f"{number}-vT5xqLmZ2cKb8yRdWg9sPfAe4nHuJt7" for number in range(3)]
EMAIL = "pia@example.com"
REPLAYED = "Idempotent-Replayed"

Rotate = Callable[[int], None]


def test_resealing_shows_its_progress_on_a_terminal(
    ann: User, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session_of(token_of(ann))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    reseal()
    assert "sessions:   0%|          | 0/1 " in capsys.readouterr().err


@pytest.fixture
def rotate(settings: Settings) -> Rotate:
    """Makes the numbered secrets the present ones, and those before them their only fallbacks."""

    def change(number: int) -> None:
        settings.SECRET_KEY, settings.JWT_SECRET = SECRETS[number], f"jwt-{SECRETS[number]}"
        settings.SECRET_KEY_FALLBACKS = SECRETS[number - 1 : number]
        settings.JWT_SECRET_FALLBACKS = [f"jwt-{former}" for former in settings.SECRET_KEY_FALLBACKS]

    change(0)
    return change


@pytest.fixture
def ann(rotate: Rotate) -> User:
    return UserFactory(email="ann@example.com", is_superuser=True)


def reseal() -> str:
    out = io.StringIO()
    call_command("reseal", stdout=out)
    return out.getvalue()


def status_of(token: str) -> int:
    return Client().get("/admin/api-keys", headers={"Authorization": f"Bearer {token}"}).status_code


def session_of(token: str) -> Client:
    browser = Client()
    sent = {"Authorization": f"Bearer {token}"}
    assert browser.post("/auth/session", content_type="application/json", headers=sent).status_code == 200
    return browser


def test_tokens_live_through_one_change_and_not_through_two(ann: User, rotate: Rotate) -> None:
    first = token_of(ann)
    rotate(1)
    second = token_of(ann)
    assert [status_of(first), status_of(second)] == [200, 200]
    rotate(2)
    assert [status_of(first), status_of(second), status_of(token_of(ann))] == [401, 200, 200]


def test_a_token_of_a_fallback_is_judged_like_any_other(ann: User, rotate: Rotate, settings: Settings) -> None:
    settings.JWT_LIFETIME *= -1
    expired = token_of(ann)
    settings.JWT_LIFETIME *= -1
    rotate(1)
    assert status_of(expired) == 401


def test_links_for_a_new_password_live_through_one_change(ann: User, rotate: Rotate) -> None:
    account = resolve("user", ann.pk, ann.stamp)
    assert account is not None
    token = issue_reset_token(account)
    rotate(1)
    assert account_of_reset_token(token) == account
    rotate(2)
    assert account_of_reset_token(token) is None


def test_sessions_live_through_two_changes_if_they_are_resealed(ann: User, rotate: Rotate) -> None:
    resealed, _ = session_of(token_of(ann)), session_of(token_of(ann))
    rotate(1)
    assert resealed.get("/admin/api-keys").status_code == 200
    assert "2 sessions rewritten" in reseal()
    assert "0 sessions rewritten" in reseal()
    rotate(2)
    assert resealed.get("/admin/api-keys").status_code == 200
    assert resealed.get("/admin/").status_code == 200


def test_sessions_end_with_the_second_change_if_they_are_not(ann: User, rotate: Rotate) -> None:
    browser = session_of(token_of(ann))
    rotate(2)
    assert browser.get("/admin/api-keys").status_code == 401
    assert "0 sessions rewritten" in reseal()
    assert Session.objects.count() == 1


def test_webhook_secrets_live_through_two_changes_if_they_are_resealed(rotate: Rotate) -> None:
    made = webhooks.address()
    webhooks.address("https://other.example/")
    call_command("webhooks", "rotate", made.address.pk, stdout=io.StringIO(), stderr=io.StringIO())
    made.address.refresh_from_db()
    delivery = webhooks.delivery(made.address)
    before = [unseal(made.address.sealed_secret), unseal(made.address.sealed_former_secret)]
    signature = message(delivery, made.address).headers["webhook-signature"]
    rotate(1)
    assert reseal().startswith("3 webhook secrets rewritten\n")
    assert reseal().startswith("0 webhook secrets rewritten\n")
    rotate(2)
    address = WebhookAddress.objects.get(pk=made.address.pk)
    assert [unseal(address.sealed_secret), unseal(address.sealed_former_secret)] == before
    assert len(message(delivery, address).headers["webhook-signature"]) == len(signature)
    assert not is_current(address.sealed_secret)


def test_a_webhook_secret_that_no_secret_opens_is_reported_and_the_others_are_resealed(rotate: Rotate) -> None:
    lost = webhooks.address().address
    rotate(1)
    kept = webhooks.address("https://other.example/").address
    rotate(2)
    with pytest.raises(CommandError) as refused:
        reseal()
    assert str(refused.value) == (
        f"Neither SECRET_KEY nor SECRET_KEY_FALLBACKS opens the secrets of https://erp.example/hooks ({lost.pk}). Add "
        "the former SECRET_KEY to SECRET_KEY_FALLBACKS and run this again, or run `manage.py webhooks rotate` for each."
    )
    lost.refresh_from_db()
    kept.refresh_from_db()
    assert (is_readable(lost.sealed_secret), is_current(kept.sealed_secret)) == (False, True)


def test_stored_answers_are_replayed_after_one_change_and_conflicts_after_two(ann: User, rotate: Rotate) -> None:
    def create() -> tuple[int, str | None]:
        sent = {"Authorization": f"Bearer {token_of(ann)}", "Idempotency-Key": "create-the-key-of-the-web"}
        body = {"title": "Web", "type": "publishable"}
        answer = Client().post("/admin/api-keys", body, content_type="application/json", headers=sent)
        return answer.status_code, answer.get(REPLAYED)

    assert create() == (200, None)
    rotate(1)
    reseal()
    assert create() == (200, "true")
    rotate(2)
    assert create() == (409, None)
    assert ApiKey.objects.count() == 1


def test_erasures_find_what_was_recorded_before_a_change(rotate: Rotate) -> None:
    address = digests_of(EMAIL)
    Mail.objects.create(kind="note", about="order_1", recipient="p•••@example.com", recipient_digest=address[0])
    stored = {"actor": "anonymous", "key_digest": "1", "fingerprint": "1", "status": 200, "body": b"x"}
    Record.objects.create(**stored, mentions=mentioned.mentions(EMAIL.encode()), created_at=now())
    rotate(1)
    erase_recipient(EMAIL)
    assert Mail.objects.get().recipient == ""
    assert mentioned.erase_responses(names=[EMAIL], actors=[]) == 1


def test_addresses_of_sign_ins_stay_known_and_are_recorded_under_the_new_secret(rotate: Rotate) -> None:
    known_networks.remember("ann", "192.0.2.7")
    rotate(1)
    assert known_networks.is_known("ann", "192.0.2.7")
    assert not known_networks.is_known("ann", "192.0.2.8")
    known_networks.remember("ann", "192.0.2.7")
    rotate(2)
    assert known_networks.is_known("ann", "192.0.2.7")
