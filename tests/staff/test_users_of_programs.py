"""The routes of users: what programs read, change and delete, and that nobody gets beyond their own rights by them."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.core import mail
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from apikeys.errors import SecretKeyNeedsOwner
from apikeys.issuance import issue
from apikeys.models import ApiKey
from apikeys.revocation import revoke
from auth.models import PasswordReset
from kit.domain.actor import SYSTEM
from kit.messages.mails.sending import send_due
from staff.actors import staff_actor
from staff.models import Invitation, User
from tests.auth.conftest import limits
from tests.contract.callers import NOBODY, Caller, importer, refusal
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.invitations import sent_invitation
from tests.factories.staff import PASSWORD, UserFactory
from tests.kit.admin.forms import save
from tests.kit.graphql.calls import ask

pytestmark = [pytest.mark.once, pytest.mark.django_db]

MANAGING = ("staff.view_user", "staff.change_user", "staff.delete_user")
BEYOND = (403, "This needs rights that you do not have: you cannot give or manage more than your own")


def caller(user: User, permissions: list[str] | None = None) -> Caller:
    return importer(secret_key(user, permissions=permissions))


@pytest.fixture
def boss() -> User:
    return UserFactory(email="boss@example.com", is_superuser=True)


@pytest.fixture
def manager() -> User:
    return UserFactory(email="max@example.com", permissions=[*MANAGING, "orders.view_order"])


class TestReading:
    def test_a_user_has_all_that_the_sdk_names_and_no_secret(self, boss: User) -> None:
        eve = UserFactory(email="eve@example.com", first_name="Eve", metadata={"desk": 4})
        eve.groups.add(Group.objects.create(name="Warehouse"), Group.objects.create(name="Orders"))
        shown = caller(boss).get(f"/admin/users/{eve.pk}").json()["user"]
        dates = {name: shown.pop(name) for name in ("created_at", "updated_at")}
        assert all(moment.endswith("Z") for moment in dates.values())
        assert shown == {
            "id": eve.pk,
            "email": "eve@example.com",
            "first_name": "Eve",
            "last_name": "",
            "avatar_url": None,
            "is_active": True,
            "is_superuser": False,
            "roles": ["Orders", "Warehouse"],
            "metadata": {"desk": 4},
            "deleted_at": None,
        }

    def test_me_is_open_to_all_staff_and_names_their_permissions(self) -> None:
        eve = UserFactory(permissions=["orders.view_order", "catalog.view_product"])
        me = caller(eve).get("/admin/users/me").json()["user"]
        assert (me["id"], me["permissions"]) == (eve.pk, ["catalog.view_product", "orders.view_order"])
        answer = ask(caller(eve), "{ adminMe { id permissions } }").json()
        assert answer["data"]["adminMe"] == {
            "id": eve.pk,
            "permissions": ["catalog.view_product", "orders.view_order"],
        }

    def test_through_a_limited_key_they_are_those_of_the_key(self, boss: User) -> None:
        every = caller(boss).get("/admin/users/me", "fields=permissions").json()["user"]["permissions"]
        assert len(every) == Permission.objects.count()
        limited = caller(boss, ["orders.view_order"])
        assert limited.get("/admin/users/me", "fields=permissions").json()["user"]["permissions"] == [
            "orders.view_order"
        ]

    def test_a_session_reads_them_too(self, boss: User) -> None:
        client = Client()
        client.force_login(boss)
        assert client.get("/admin/users/me").json()["user"]["email"] == boss.email

    def test_how_they_sign_in(self, boss: User) -> None:
        eve, nobody = UserFactory(), UserFactory(password="!")
        for user, providers in ((eve, ["emailpass"]), (nobody, [])):
            assert caller(boss).get(f"/admin/users/{user.pk}/auth-providers").json() == {"providers": providers}
        assert caller(boss).get("/admin/users/user_x/auth-providers").status_code == 404


class TestChanging:
    def test_names_avatar_and_metadata_are_changed_and_recorded(self, manager: User) -> None:
        eve = UserFactory(first_name="Eve", last_name="Lee", metadata={"desk": 4})
        sent = {"first_name": "Eva", "last_name": None, "avatar_url": "https://x.example/a.png", "metadata": {"b": 1}}
        shown = caller(manager).post(f"/admin/users/{eve.pk}", sent).json()["user"]
        assert {name: shown[name] for name in sent} == {**sent, "last_name": "", "metadata": {"desk": 4, "b": 1}}
        entry = LogEntry.objects.get(object_id=eve.pk)
        assert (entry.user, entry.action_flag) == (manager, 2)
        assert entry.get_change_message() == "Changed avatar_url, first_name, last_name and metadata."

    @pytest.mark.parametrize(
        "sent",
        [
            {"email": "eve@evil.example"},
            {"password": "staple battery horse"},
            {"is_superuser": True},
            {"is_active": True},
            {"roles": ["Owners"]},
            {"user_permissions": ["orders.view_order"]},
            {"stamp": "x"},
        ],
    )
    def test_what_would_open_the_account_cannot_be_sent(self, boss: User, sent: dict[str, object]) -> None:
        eve = UserFactory()
        answer = caller(boss).post(f"/admin/users/{eve.pk}", sent)
        assert refusal(answer) == (400, f"Invalid request: Unrecognized fields: '{next(iter(sent))}'")

    @pytest.mark.parametrize("url", ["javascript:alert(1)", "x", "https://x.example/" + "a" * 2050])
    def test_an_avatar_is_an_address(self, boss: User, url: str) -> None:
        status, message = refusal(caller(boss).post(f"/admin/users/{boss.pk}", {"avatar_url": url}))
        assert status == 400
        assert "'avatar_url'" in message


class TestPasswords:
    def test_the_user_gets_the_email_and_the_caller_no_token(self, manager: User) -> None:
        eve = UserFactory(email="eve@example.com")
        answer = caller(manager).post(f"/admin/users/{eve.pk}/reset-password")
        assert answer.json() == {"token": ""}
        send_due()
        (sent,) = mail.outbox
        assert sent.to == ["eve@example.com"]
        entry = LogEntry.objects.get(object_id=eve.pk)
        assert (entry.user, entry.get_change_message()) == (manager, "Sent an email to set a new password.")
        assert ask(caller(manager), f'mutation {{ resetUserPassword(id: "{eve.pk}") {{ token }} }}').json() == {
            "data": {"resetUserPassword": {"token": ""}}
        }

    def test_there_is_a_limit_for_each_user_whoever_asks(self, manager: User, settings: Settings) -> None:
        settings.THROTTLES = limits(account=2, client=100)
        eve, bob = UserFactory(email="eve@example.com"), UserFactory()
        path = f"/admin/users/{eve.pk}/reset-password"
        NOBODY.post("/auth/user/emailpass/reset-password", {"identifier": " EVE@example.com"})
        assert [caller(manager).post(path).status_code for _ in range(3)] == [200, 429, 429]
        assert int(caller(manager).post(path)["Retry-After"]) > 0
        (fault,) = ask(caller(manager), f'mutation {{ resetUserPassword(id: "{eve.pk}") {{ token }} }}').json()[
            "errors"
        ]
        assert fault["extensions"]["type"] == "not_allowed"
        assert caller(manager).post(f"/admin/users/{bob.pk}/reset-password").status_code == 200
        assert (PasswordReset.objects.count(), LogEntry.objects.count()) == (3, 2)

    def test_what_is_refused_does_not_count(self, manager: User, boss: User, settings: Settings) -> None:
        settings.THROTTLES = limits(account=1, client=100)
        path = f"/admin/users/{boss.pk}/reset-password"
        assert [refusal(caller(manager).post(path)) for _ in range(2)] == [BEYOND] * 2
        assert caller(boss).post(path).status_code == 200

    def test_whoever_cannot_sign_in_gets_none(self, boss: User) -> None:
        gone = UserFactory(is_active=False)
        assert caller(boss).post(f"/admin/users/{gone.pk}/reset-password").status_code == 404
        assert not PasswordReset.objects.exists()


class TestDeleting:
    def test_the_account_ends_with_its_sessions_tokens_keys_devices_and_invitations(self, boss: User) -> None:
        eve = UserFactory(email="eve@example.com", is_superuser=True)
        TOTPDevice.objects.create(user=eve, confirmed=False)
        login, browser = {"email": eve.email, "password": PASSWORD}, Caller()
        token = browser.post("/auth/user/emailpass", login).json()["token"]
        browser.post("/auth/session", Authorization=f"Bearer {token}")
        opened, before = [browser, Caller(Authorization=f"Bearer {token}"), caller(eve)], eve.stamp
        assert [each.get("/admin/users/me").status_code for each in opened] == [200] * 3
        invitation = sent_invitation("bob@example.com")
        Invitation.objects.update(invited_by=eve)
        answer = caller(boss).send("DELETE", f"/admin/users/{eve.pk}")
        assert answer.json() == {"id": eve.pk, "object": "user", "deleted": True}
        assert [each.get("/admin/users/me").status_code for each in opened] == [401] * 3
        assert NOBODY.post("/auth/user/emailpass", login).status_code == 401
        eve.refresh_from_db()
        assert (eve.is_active, eve.deleted_at is None, eve.stamp == before) == (False, False, False)
        assert not TOTPDevice.objects.exists()
        invitation.invitation.refresh_from_db()
        assert invitation.invitation.deleted_at is not None
        entry = LogEntry.objects.get(object_id=eve.pk)
        assert (entry.user, entry.action_flag) == (boss, 3)

    def test_a_deleted_user_is_no_longer_read(self, boss: User) -> None:
        eve = UserFactory()
        boss_key = caller(boss)
        boss_key.send("DELETE", f"/admin/users/{eve.pk}")
        assert boss_key.get(f"/admin/users/{eve.pk}").status_code == 404
        assert boss_key.post(f"/admin/users/{eve.pk}", {"first_name": "x"}).status_code == 404
        assert boss_key.send("DELETE", f"/admin/users/{eve.pk}").status_code == 404
        assert [user["id"] for user in boss_key.get("/admin/users").json()["users"]] == [boss.pk]

    def test_reactivated_on_the_admin_site_they_are_back_without_keys_and_password(self, boss: User) -> None:
        """Of their own deleted and revoked keys, those of others and publishable ones, nothing changes."""
        eve = UserFactory(email="eve@example.com")
        key, published, others = caller(eve), publishable_key(), secret_key(boss)
        before = secret_key(eve).key
        revoke(actor=SYSTEM, key_id=before.pk)
        caller(boss).send("DELETE", f"/admin/users/{eve.pk}")
        self.save(boss, eve, is_active="on")
        assert caller(boss).get(f"/admin/users/{eve.pk}").json()["user"]["is_active"] is True
        assert key.get("/admin/users/me").status_code == 401
        assert caller(eve).get("/admin/users/me").status_code == 200
        eve.refresh_from_db()
        assert not eve.has_usable_password()
        by = dict(ApiKey.objects.values_list("pk", "revoked_by"))
        assert (by[before.pk], by[published.key.pk], by[others.key.pk]) == (None, None, None)
        assert sorted(user for user in by.values() if user) == [boss.pk]

    def test_deactivated_on_the_admin_site_their_keys_pause(self, boss: User) -> None:
        eve = UserFactory(email="eve@example.com")
        key = caller(eve)
        self.save(boss, eve)
        assert key.get("/admin/users/me").status_code == 401
        self.save(boss, eve, is_active="on")
        assert key.get("/admin/users/me").status_code == 200

    def test_a_key_that_is_issued_while_its_user_is_deleted_is_refused(self, boss: User) -> None:
        eve = UserFactory()
        caller(boss).send("DELETE", f"/admin/users/{eve.pk}")
        with pytest.raises(SecretKeyNeedsOwner):
            issue(actor=staff_actor(UserFactory.build(pk=eve.pk, is_superuser=True)), title="Late", type="secret")

    def save(self, boss: User, user: User, **fields: str) -> None:
        client = Client()
        client.force_login(boss)
        save(client, f"/admin/staff/user/{user.pk}/change/", {"email": user.email, **fields})


class TestNobodyGetsMoreRights:
    """Whoever changes, resets or deletes an account must have all of its rights, and a key only has its own."""

    ACTS = (("POST", "", {"first_name": "x"}), ("POST", "/reset-password", b""), ("DELETE", "", b""))

    def is_beyond(self, who: Caller, target: User) -> bool:
        sent = [who.send(method, f"/admin/users/{target.pk}{path}", body) for method, path, body in self.ACTS]
        return [refusal(answer) for answer in sent] == [BEYOND] * len(sent)

    def test_a_manager_cannot_act_for_a_superuser(self, manager: User, boss: User) -> None:
        assert self.is_beyond(caller(manager), boss)

    def test_nor_for_whoever_has_one_permission_more(self, manager: User) -> None:
        assert self.is_beyond(caller(manager), UserFactory(permissions=["orders.view_order", "orders.cancel_order"]))
        grouped = UserFactory()
        grouped.groups.add(owners := Group.objects.create(name="Owners"))
        owners.permissions.add(Permission.objects.get(codename="cancel_order"))
        assert self.is_beyond(caller(manager), grouped)
        assert PasswordReset.objects.count() == 0
        assert User.objects.filter(is_active=False).count() == 0

    def test_but_for_whoever_has_the_same_or_fewer(self, manager: User) -> None:
        for rights in ([], ["orders.view_order"], [*MANAGING, "orders.view_order"]):
            eve = UserFactory(permissions=rights)
            for method, path, body in self.ACTS:
                assert caller(manager).send(method, f"/admin/users/{eve.pk}{path}", body).status_code == 200

    def test_a_superusers_limited_key_has_the_rights_of_its_limit(self, boss: User) -> None:
        limited = caller(boss, [*MANAGING, "orders.view_order"])
        other = UserFactory(is_superuser=True)
        assert self.is_beyond(limited, other)
        assert self.is_beyond(limited, UserFactory(permissions=["orders.cancel_order"]))
        eve = UserFactory(permissions=["orders.view_order"])
        assert limited.send("DELETE", f"/admin/users/{eve.pk}").status_code == 200

    def test_all_permissions_are_not_those_of_a_superuser(self, boss: User) -> None:
        almost = UserFactory()
        almost.user_permissions.set(Permission.objects.all())
        assert self.is_beyond(caller(almost), boss)

    def test_the_last_superuser_stays(self, boss: User) -> None:
        other = UserFactory(is_superuser=True)
        both = caller(boss), caller(other)
        assert both[0].send("DELETE", f"/admin/users/{other.pk}").status_code == 200
        assert both[1].send("DELETE", f"/admin/users/{boss.pk}").status_code == 401
        status, message = refusal(both[0].send("DELETE", f"/admin/users/{boss.pk}"))
        assert (status, message) == (400, "You cannot delete your own account")
        assert User.objects.filter(is_superuser=True, is_active=True).get() == boss
