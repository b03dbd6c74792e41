"""The screens of staff: users, groups, second factors."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from staff.models import User
from tests.factories.staff import PASSWORD, UserFactory
from tests.kit.admin.forms import save
from tests.kit.admin.visits import history, reported, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

USERS = "/admin/staff/user/"
GROUPS = "/admin/auth/group/"
DEVICES = "/admin/otp_totp/totpdevice/"
NEW_PASSWORD = "staple battery horse correct"


def user_form(user: User) -> str:
    return f"{USERS}{user.pk}/change/"


def filled(user: User, **changes: Any) -> dict[str, Any]:
    """The user's form as a browser sends it, with the changes; None is a box that is not ticked."""
    values = {
        "email": user.email,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "is_active": "on" if user.is_active else None,
        "is_superuser": "on" if user.is_superuser else None,
        "groups": [group.pk for group in user.groups.all()],
        "user_permissions": [permission.pk for permission in user.user_permissions.all()],
        **changes,
    }
    return {name: value for name, value in values.items() if value is not None}


def permission(name: str) -> Permission:
    app, _, codename = name.partition(".")
    return Permission.objects.get(content_type__app_label=app, codename=codename)


def group_of(*permissions: str, name: str = "Editors") -> Group:
    group = Group.objects.create(name=name)
    group.permissions.set([permission(each) for each in permissions])
    return group


def fresh(user: User) -> User:
    return User.objects.get(pk=user.pk)


class TestUsers:
    def test_a_new_one_begins_with_a_password_and_no_permission(self):
        given = {"email": "Eve@Example.com", "first_name": "Eve", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
        answer = superuser().post(f"{USERS}add/", given)
        eve = User.objects.get(email="eve@example.com")
        assert answer["Location"] == user_form(eve).replace("user_", "user_5F")
        assert eve.check_password(NEW_PASSWORD)
        assert (eve.first_name, eve.is_superuser, eve.is_active) == ("Eve", False, True)
        assert not eve.get_all_permissions()
        assert ("eve@example.com", 1) in history()

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"email": "ANN@example.com"}, "email"),
            ({"email": "nobody"}, "email"),
            ({"password1": "12345678", "password2": "12345678"}, "password2"),
            ({"password2": "another one"}, "password2"),
            ({"password1": "", "password2": ""}, "password1"),
        ],
    )
    def test_what_is_no_user_is_refused(self, given, field):
        UserFactory(email="ann@example.com")
        client = superuser()
        whole = {"email": "eve@example.com", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD, **given}
        answer = client.post(f"{USERS}add/", whole)
        assert field in answer.context["adminform"].form.errors
        assert User.objects.count() == 2

    def test_names_permissions_and_groups_are_changed(self):
        eve, editors = UserFactory(), group_of("catalog.view_productcategory")
        changes = {
            "last_name": "Berg",
            "groups": [editors.pk],
            "user_permissions": [permission("apikeys.view_apikey").pk],
        }
        assert save(superuser(), user_form(eve), filled(eve, **changes)).status_code == 302
        assert fresh(eve).last_name == "Berg"
        assert fresh(eve).get_all_permissions() == {"catalog.view_productcategory", "apikeys.view_apikey"}

    def test_a_deactivated_user_is_out_at_once(self):
        eve = visitor()
        save(superuser(), user_form(eve.user), filled(eve.user, is_active=None))
        assert eve.get("/admin/")["Location"].startswith("/admin/login/")

    def test_another_password_ends_what_went_on_under_the_old_one(self):
        eve, client = visitor(), superuser()
        assert f"{eve.user.pk}/set_password/" in client.get(user_form(eve.user)).content.decode().replace("_5F", "_")
        form = client.get(client.get(f"{USERS}{eve.user.pk}/set_password/")["Location"])
        assert b'name="password1"' in form.content
        client.post(f"{USERS}{eve.user.pk}/password/", {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
        assert fresh(eve.user).check_password(NEW_PASSWORD)
        assert fresh(eve.user).stamp != eve.user.stamp
        assert eve.get("/admin/")["Location"].startswith("/admin/login/")

    def test_ones_own_new_password_keeps_ones_own_session(self):
        client = visitor()
        given = {"old_password": PASSWORD, "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
        assert client.post("/admin/password_change/", given).status_code == 302
        assert client.get("/admin/").status_code == 200

    def test_digest_and_stamp_are_on_no_page(self):
        eve, client = UserFactory(), superuser()
        for page in (USERS, user_form(eve), f"{USERS}{eve.pk}/password/", f"{USERS}{eve.pk}/history/"):
            content = client.get(page).content.decode()
            assert eve.stamp not in content
            assert "argon2" not in content
            assert eve.password[-20:] not in content

    def test_nobody_is_deleted(self):
        eve, client = UserFactory(), superuser()
        assert client.post(f"{USERS}{eve.pk}/delete/", {"post": "yes"}).status_code == 403
        client.post(USERS, {"action": "delete_selected", "_selected_action": [eve.pk], "post": "yes"})
        assert User.objects.filter(pk=eve.pk).exists()

    def test_nobody_locks_themselves_out(self):
        client = superuser()
        save(client, user_form(client.user), filled(client.user, is_active=None, is_superuser=None, first_name="Ada"))
        assert (fresh(client.user).is_active, fresh(client.user).is_superuser) == (True, True)
        assert fresh(client.user).first_name == "Ada"


class TestDelegation:
    """A user administrator who is no superuser gains nothing by the accounts that they run."""

    OWN = ("staff.view_user", "staff.add_user", "staff.change_user", "catalog.view_productcategory")
    BEYOND = "apikeys.add_apikey"

    def test_they_run_accounts_that_give_no_more_than_their_own(self):
        client, eve = visitor(*self.OWN), UserFactory(permissions=["catalog.view_productcategory"])
        assert save(client, user_form(eve), filled(eve, first_name="Eve")).status_code == 302
        assert fresh(eve).first_name == "Eve"

    @pytest.mark.parametrize("activity", [True, False])
    @pytest.mark.parametrize("fields", [{"is_superuser": True}, {"permissions": [BEYOND]}])
    def test_they_may_look_at_the_others_and_change_nothing(self, fields, activity):
        client, eve = visitor(*self.OWN), UserFactory(is_active=activity, **fields)
        page = client.get(user_form(eve)).content
        assert b'name="_save"' not in page
        assert b"/set_password/" not in page
        assert client.post(user_form(eve), filled(eve, email="mine@example.com")).status_code == 403
        given = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
        assert client.post(f"{USERS}{eve.pk}/password/", given).status_code == 403
        assert (fresh(eve).email, fresh(eve).password) == (eve.email, eve.password)

    def test_a_group_that_gives_more_counts_as_well(self):
        client, eve = visitor(*self.OWN), UserFactory()
        eve.groups.add(group_of(self.BEYOND))
        assert client.post(user_form(eve), filled(eve)).status_code == 403

    def test_a_superuser_is_more_than_all_permissions_together(self):
        client, ada = visitor(*self.OWN), UserFactory(is_superuser=True)
        client.user.user_permissions.set(Permission.objects.all())
        assert client.post(user_form(ada), filled(ada)).status_code == 403

    def test_they_make_no_superuser(self):
        client, eve = visitor(*self.OWN), UserFactory()
        client.post(user_form(eve), filled(eve, is_superuser="on"))
        client.post(user_form(client.user), filled(client.user, is_superuser="on"))
        assert not User.objects.filter(is_superuser=True).exists()

    def test_they_give_what_they_hold_and_no_more(self):
        client, eve = visitor(*self.OWN), UserFactory()
        held, beyond = permission(self.OWN[-1]), permission(self.BEYOND)
        save(client, user_form(eve), filled(eve, user_permissions=[held.pk]))
        assert fresh(eve).get_all_permissions() == {self.OWN[-1]}
        answer = save(client, user_form(eve), filled(eve, user_permissions=[beyond.pk]))
        assert list(answer.context["adminform"].form.errors) == ["user_permissions"]
        assert fresh(eve).get_all_permissions() == {self.OWN[-1]}

    def test_they_put_users_into_groups_that_give_no_more(self):
        client, eve = visitor(*self.OWN), UserFactory()
        within, beyond = group_of(self.OWN[-1], name="Within"), group_of(self.OWN[-1], self.BEYOND, name="Beyond")
        assert list(save(client, user_form(eve), filled(eve, groups=[beyond.pk])).context["errors"])
        save(client, user_form(eve), filled(eve, groups=[within.pk]))
        assert list(eve.groups.all()) == [within]

    def test_groups_are_bounded_alike(self):
        rights = [f"auth.{verb}_group" for verb in ("view", "add", "change", "delete")]
        client = visitor(*rights, self.OWN[-1])
        held, more = permission(self.OWN[-1]).pk, permission(self.BEYOND).pk
        beyond = group_of(self.BEYOND, name="Beyond")
        assert client.post(f"{GROUPS}add/", {"name": "Mine", "permissions": [more]}).status_code == 200
        assert client.post(f"{GROUPS}add/", {"name": "Mine", "permissions": [held]}).status_code == 302
        assert save(client, f"{GROUPS}{beyond.pk}/change/", {"name": "Mine too"}).status_code == 403
        assert client.post(f"{GROUPS}{beyond.pk}/delete/", {"post": "yes"}).status_code == 403
        mine = Group.objects.get(name="Mine")
        assert save(client, f"{GROUPS}{mine.pk}/change/", {"name": "Ours", "permissions": []}).status_code == 302
        assert client.post(f"{GROUPS}{mine.pk}/delete/", {"post": "yes"}).status_code == 302
        assert list(Group.objects.all()) == [beyond]


class TestPermissions:
    @pytest.mark.parametrize("address", [USERS, f"{USERS}add/", GROUPS, f"{GROUPS}add/", DEVICES, f"{DEVICES}add/"])
    def test_without_any_there_is_no_screen(self, address):
        assert visitor().get(address).status_code == 403

    def test_to_view_users_is_only_to_view(self):
        eve, client = UserFactory(), visitor("staff.view_user")
        assert client.get(user_form(eve)).status_code == 200
        assert client.post(user_form(eve), filled(eve, email="mine@example.com")).status_code == 403
        assert client.get(f"{USERS}{eve.pk}/set_password/").status_code == 403
        assert client.get(f"{USERS}{eve.pk}/password/").status_code == 403


class TestDevices:
    def enrol(self, client: Client) -> tuple[TOTPDevice, str]:
        """A device that waits for its first code, and the address that asks for it."""
        address = client.post(f"{DEVICES}add/", {"name": "Phone"})["Location"]
        return TOTPDevice.objects.get(user=client.user), address

    def code(self, device: TOTPDevice) -> str:
        return f"{totp(device.bin_key):06}"

    def test_one_is_enrolled_for_oneself_whatever_the_form_says(self):
        client, eve = superuser(), UserFactory()
        client.post(f"{DEVICES}add/", {"name": "Phone", "user": eve.pk, "confirmed": "on", "key": "0" * 40})
        device = TOTPDevice.objects.get()
        assert (device.user, device.confirmed) == (client.user, False)
        assert device.key != "0" * 40

    def test_its_secret_is_a_picture_and_a_text_until_the_first_code(self):
        client = superuser()
        device, address = self.enrol(client)
        page = client.get(address).content.decode()
        assert "data:image/svg+xml;base64," in page
        secret = re.search(r"Key: <code[^>]*>([A-Z2-7]{32})</code>", page)[1]
        answer = client.post(address, {"code": self.code(device)})
        assert reported(answer) == ["From now on, signing in requires a code from this device."]
        assert TOTPDevice.objects.get().confirmed
        assert client.get(address).status_code == 404
        for later in (DEVICES, f"{DEVICES}{device.pk}/change/", f"{DEVICES}{device.pk}/history/"):
            content = client.get(later).content.decode()
            assert secret not in content
            assert device.key not in content

    def test_another_code_confirms_nothing(self):
        client = superuser()
        device, address = self.enrol(client)
        wrong = f"{(int(self.code(device)) + 1) % 10**6:06}"
        assert "not the current code" in client.post(address, {"code": wrong}).content.decode()
        assert not TOTPDevice.objects.get().confirmed

    def test_a_confirmed_one_is_asked_for_at_the_next_login(self):
        client = superuser()
        device, address = self.enrol(client)
        client.post(address, {"code": self.code(device)})
        answer = Client().post("/admin/login/", {"username": client.user.email, "password": PASSWORD})
        assert "A one-time password is required" in answer.content.decode()

    def test_nobody_sees_or_confirms_anothers(self):
        eve, client = visitor("otp_totp.add_totpdevice"), superuser()
        device, address = self.enrol(eve)
        assert client.get(address).status_code == 404
        assert client.post(address, {"code": self.code(device)}).status_code == 404
        page = client.get(f"{DEVICES}{device.pk}/change/").content.decode()
        assert "/confirm/" not in page
        assert device.key not in page

    def test_the_owner_finds_the_way_back_to_an_unconfirmed_one(self):
        client = superuser()
        device, address = self.enrol(client)
        assert address.encode() in client.get(f"{DEVICES}{device.pk}/change/").content

    def test_one_is_taken_from_who_lost_it_by_who_may_run_the_account(self):
        manager = visitor("otp_totp.view_totpdevice", "otp_totp.delete_totpdevice")
        lost = TOTPDevice.objects.create(user=UserFactory(), name="Phone")
        kept = TOTPDevice.objects.create(user=UserFactory(is_superuser=True), name="Phone")
        assert manager.post(f"{DEVICES}{lost.pk}/delete/", {"post": "yes"}).status_code == 302
        assert manager.post(f"{DEVICES}{kept.pk}/delete/", {"post": "yes"}).status_code == 403
        assert list(TOTPDevice.objects.all()) == [kept]

    def test_many_at_once_are_bounded_alike(self):
        manager = visitor("otp_totp.view_totpdevice", "otp_totp.delete_totpdevice")
        kept = TOTPDevice.objects.create(user=UserFactory(is_superuser=True), name="Phone")
        manager.post(DEVICES, {"action": "delete_selected", "_selected_action": [kept.pk], "post": "yes"})
        assert TOTPDevice.objects.filter(pk=kept.pk).exists()
