"""The screens of API keys."""

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.test import Client

from apikeys import revocation
from apikeys.models import ApiKey
from apikeys.states import KeyType
from apikeys.tokens import digest
from apikeys.verification import publishable_scope, secret_key_owner
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from shop.models import SalesChannel
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.shop import SalesChannelFactory
from tests.kit.admin.forms import save
from tests.kit.admin.visits import history, refusals, reported, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

LIST = "/admin/apikeys/apikey/"
ADD = f"{LIST}add/"
VIEW, ADDING, CHANGE, DELETE = (f"apikeys.{verb}_apikey" for verb in ("view", "add", "change", "delete"))


def form_of(key: ApiKey) -> str:
    return f"{LIST}{key.pk}/change/"


def fresh(key: ApiKey) -> ApiKey:
    return ApiKey.objects.get(pk=key.pk)


def shown_token(answer: Any) -> str:
    return re.search(r'<code id="token"[^>]*>(.*?)</code>', answer.content.decode())[1]


def revoked(key: ApiKey) -> ApiKey:
    return revocation.revoke(actor=SYSTEM, key_id=key.pk)


class TestCreation:
    def test_a_title_of_two_lines_is_refused(self):
        answer = superuser().post(ADD, {"title": "Key\nroot", "type": "secret"})
        assert "must not contain control characters" in answer.content.decode()
        assert not ApiKey.objects.exists()

    def test_a_secret_keys_token_is_on_the_page_that_answers_and_works(self):
        client = superuser()
        answer = client.post(ADD, {"title": "Importer", "type": "secret"})
        token = shown_token(answer)
        assert answer.status_code == 200
        assert "Copy the token now." in answer.content.decode()
        assert "no-store" in answer["Cache-Control"]
        assert secret_key_owner(token) == (ApiKey.objects.get(), client.user)
        assert history() == [(f"Importer ({token[:6]}***{token[-3:]})", 1)]

    def test_the_token_and_the_digest_are_nowhere_else(self):
        client = superuser()
        token = shown_token(client.post(ADD, {"title": "Importer", "type": "secret"}))
        key = ApiKey.objects.get()
        pages = ["/admin/", LIST, form_of(key), f"{LIST}{key.pk}/history/", f"{LIST}{key.pk}/revoke/"]
        pages += [f"{LIST}?q={key.redacted}", "/admin/admin/logentry/", "/admin/search/?s=import"]
        secrets = (token, token[6:-3], digest(token))
        for page in pages:
            content = client.get(page).content.decode()
            assert not any(secret in content for secret in secrets), page
        kept = [str(session.get_decoded()) for session in Session.objects.all()]
        kept += [f"{entry.object_repr} {entry.change_message}" for entry in LogEntry.objects.all()]
        kept += [cookie.value for cookie in client.cookies.values()]
        assert not any(token in text for text in kept)
        assert key.token == ""

    def test_a_publishable_key_opens_the_chosen_channels(self):
        web, _other = SalesChannelFactory(), SalesChannelFactory()
        answer = superuser().post(ADD, {"title": "Shop", "type": "publishable", "sales_channels": [web.pk]})
        assert "Copy the token now." not in answer.content.decode()
        assert publishable_scope(shown_token(answer)).sales_channel_ids == (web.pk,)

    def test_a_refusal_stands_above_the_form_and_nothing_is_made(self):
        given = {"title": "Importer", "type": "secret", "sales_channels": [SalesChannelFactory().pk]}
        answer = superuser().post(ADD, given)
        assert refusals(answer) == ["Sales channels can only be associated with publishable API keys"]
        assert (ApiKey.objects.count(), history()) == (0, [])

    def test_channels_demand_the_permission_to_change_keys(self):
        client, web = visitor(VIEW, ADDING), SalesChannelFactory()
        given = {"title": "Shop", "type": "publishable", "sales_channels": [web.pk]}
        assert refusals(client.post(ADD, given)) == [f"The permission '{CHANGE}' is required"]
        assert not ApiKey.objects.exists()
        assert client.post(ADD, {**given, "sales_channels": []}).status_code == 200
        assert ApiKey.objects.get().created_by == client.user

    @pytest.mark.parametrize("given", [{"title": " "}, {"title": "a" * 256}, {"type": "both"}, {"type": ""}])
    def test_what_is_no_key_is_refused(self, given):
        answer = superuser().post(ADD, {"title": "Shop", "type": "publishable", **given})
        assert list(answer.context["adminform"].form.errors) == list(given)
        assert not ApiKey.objects.exists()

    def test_a_deleted_channel_is_not_offered(self):
        gone = SalesChannelFactory(deleted_at=now())
        assert gone.pk not in superuser().get(ADD).content.decode()


class TestPermissionsOfANewKey:
    def test_only_those_of_its_maker_are_offered_by_app(self):
        client = visitor(VIEW, ADDING, "payments.add_refund", "payments.add_capture", "staff.view_user")
        field = client.get(ADD).context["adminform"].form.fields["permissions"]
        assert field.choices == [
            ("API keys", [(ADDING, "Add API key"), (VIEW, "View API key")]),
            ("Payments", [("payments.add_capture", "Add capture"), ("payments.add_refund", "Add refund")]),
        ]

    def test_the_chosen_ones_are_the_keys_and_its_page_shows_them(self):
        client = superuser()
        client.post(ADD, {"title": "Books", "type": "secret", "permissions": ["payments.add_refund", VIEW]})
        key = ApiKey.objects.get()
        assert key.permissions == [VIEW, "payments.add_refund"]
        page = client.get(form_of(key)).content.decode()
        assert "API keys: view api key" in page
        assert "Payments: add refund" in page
        client.post(form_of(key), {"title": "Books", "permissions": []})
        assert fresh(key).permissions == [VIEW, "payments.add_refund"]

    def test_without_any_the_key_has_all(self):
        client = superuser()
        client.post(ADD, {"title": "Books", "type": "secret"})
        assert ApiKey.objects.get().permissions is None
        assert "all that its creator has" in client.get(form_of(ApiKey.objects.get())).content.decode()

    def test_one_that_the_maker_lacks_is_no_choice(self):
        given = {"title": "Books", "type": "secret", "permissions": ["payments.add_refund"]}
        answer = visitor(VIEW, ADDING).post(ADD, given)
        assert list(answer.context["adminform"].form.errors) == ["permissions"]
        assert refusals(superuser().post(ADD, {**given, "type": "publishable"})) == [
            "Only secret API keys can be limited to permissions"
        ]
        assert not ApiKey.objects.exists()


class TestList:
    def test_it_shows_what_a_key_is_and_never_its_token(self):
        web = SalesChannelFactory(name="Web shop")
        issued = publishable_key(web, title="Shop")
        page = superuser().get(LIST).content.decode()
        assert all(text in page for text in ("Shop", "Publishable", issued.key.redacted, "Web shop", "active"))
        assert issued.token not in page

    @pytest.mark.parametrize(
        ("query", "titles"),
        [
            ("", ["Later", "Old", "Shop"]),
            ("?state=active", ["Later", "Shop"]),
            ("?state=revoked", ["Old"]),
            ("?deleted=yes", ["Gone"]),
            ("?type__exact=secret", ["Later"]),
            ("?q=old", ["Old"]),
        ],
    )
    def test_filters(self, query, titles):
        publishable_key(title="Shop")
        revoked(publishable_key(title="Old").key)
        revocation.revoke(actor=SYSTEM, key_id=secret_key(title="Later").key.pk, revoke_in=60)
        gone = revoked(publishable_key(title="Gone").key)
        ApiKey.objects.filter(pk=gone.pk).update(deleted_at=now())
        page = superuser().get(LIST + query).content.decode()
        cells = re.findall(r'<th class="field-title.*?</th>', page, re.DOTALL)
        assert [re.sub(r"<.*?>", "", cell).strip() for cell in cells] == titles


class TestChange:
    def test_the_title_is_changed_and_nothing_else_can_be(self):
        issued = publishable_key(title="Shop")
        before = fresh(issued.key)
        given = {
            "title": "Storefront",
            "type": "secret",
            "token": "pk_1",
            "digest": "1",
            "redacted": "x",
            "revoked_at": "now",
        }
        assert save(superuser(), form_of(issued.key), given).status_code == 302
        after = fresh(issued.key)
        assert after.title == "Storefront"
        for field in ("type", "token", "digest", "redacted", "revoked_at", "created_by", "created_at", "last_used_at"):
            assert getattr(after, field) == getattr(before, field)
        assert history() == [(f"Storefront ({before.redacted})", 2)]

    def test_channels_are_added_and_taken(self):
        first, second, third = (SalesChannelFactory() for _ in range(3))
        issued = publishable_key(first, second, title="Shop")
        save(superuser(), form_of(issued.key), {"title": "Shop", "sales_channels": [second.pk, third.pk]})
        assert publishable_scope(issued.token).sales_channel_ids == (second.pk, third.pk)

    def test_a_channel_that_was_deleted_meanwhile_can_still_be_taken(self):
        gone, web = SalesChannelFactory(), SalesChannelFactory()
        issued = publishable_key(gone, web, title="Shop")
        SalesChannel.objects.filter(pk=gone.pk).update(deleted_at=now())
        client = superuser()
        assert gone.pk in client.get(form_of(issued.key)).content.decode()
        save(client, form_of(issued.key), {"title": "Shop", "sales_channels": [web.pk]})
        assert list(issued.key.sales_channels.all()) == [web]

    def test_a_secret_key_has_no_channels_to_choose(self):
        issued, web = secret_key(title="Importer"), SalesChannelFactory()
        client = superuser()
        assert b"sales_channels" not in client.get(form_of(issued.key)).content
        client.post(form_of(issued.key), {"title": "Importer", "sales_channels": [web.pk]})
        assert not issued.key.sales_channels.exists()

    def test_a_publishable_token_can_be_read_again(self):
        issued = publishable_key()
        assert issued.token in superuser().get(form_of(issued.key)).content.decode()


class TestRevocation:
    def test_the_button_asks_and_then_revokes_for_good(self):
        client, issued = superuser(), publishable_key(title="Shop")
        address = f"{LIST}{issued.key.pk}/revoke/"
        assert b"Revoke API keys?" in client.get(address).content
        assert publishable_scope(issued.token) is not None
        answer = client.post(address, {"post": "yes"})
        assert reported(answer) == ["1 API key revoked."]
        assert publishable_scope(issued.token) is None
        assert fresh(issued.key).revoked_by == client.user
        assert history() == [(str(issued.key), 2)]

    def test_a_revoked_key_has_no_button_and_refuses(self):
        key, client = revoked(publishable_key(title="Shop").key), superuser()
        assert b"/revoke/" not in client.get(form_of(key)).content
        answer = client.post(f"{LIST}{key.pk}/revoke/", {"post": "yes"})
        assert reported(answer) == [f"{key}: The API key is revoked and cannot become revoked"]
        assert fresh(key).revoked_at == key.revoked_at

    def test_of_many_each_is_revoked_or_refused_by_itself(self):
        old, shop = revoked(publishable_key(title="Old").key), publishable_key(title="Shop").key
        client = superuser()
        chosen = {"action": "revoke_selected", "_selected_action": [old.pk, shop.pk]}
        assert b"Revoke API keys?" in client.post(LIST, chosen).content
        assert fresh(shop).revoked_at is None
        answer = client.post(LIST, {**chosen, "post": "yes"})
        assert reported(answer) == ["1 API key revoked.", f"{old}: The API key is revoked and cannot become revoked"]
        assert fresh(shop).revoked_at is not None

    def test_many_refusals_are_summed_up(self):
        keys = [revoked(publishable_key(title="Old").key).pk for _ in range(12)]
        answer = superuser().post(LIST, {"action": "revoke_selected", "_selected_action": keys, "post": "yes"})
        assert len(reported(answer)) == 11
        assert reported(answer)[-1] == "2 more were refused."


class TestDeletion:
    def test_an_active_key_offers_none_and_refuses(self):
        key, client = publishable_key(title="Shop").key, superuser()
        assert f"{key.pk}/delete/" not in client.get(form_of(key)).content.decode()
        assert client.post(f"{LIST}{key.pk}/delete/", {"post": "yes"}).status_code == 403
        answer = client.post(LIST, {"action": "delete_selected", "_selected_action": [key.pk], "post": "yes"})
        assert reported(answer) == [f"{key}: The API key is active and cannot become deleted"]
        assert (fresh(key).deleted_at, history()) == (None, [])

    def test_a_revoked_key_is_asked_about_and_deleted(self):
        key, client = revoked(publishable_key(title="Shop").key), superuser()
        assert b"Only revoked keys can be deleted." in client.get(f"{LIST}{key.pk}/delete/").content
        client.post(f"{LIST}{key.pk}/delete/", {"post": "yes"})
        assert fresh(key).deleted_at is not None
        assert history() == [(str(key), 3)]
        assert client.post(form_of(key), {"title": "Again"}).status_code == 403


class TestPermissions:
    def addresses(self, key: ApiKey) -> list[str]:
        return [LIST, ADD, form_of(key), f"{LIST}{key.pk}/revoke/", f"{LIST}{key.pk}/delete/"]

    def statuses(self, client: Client, key: ApiKey) -> list[int]:
        return [client.get(address).status_code for address in self.addresses(key)]

    @pytest.mark.parametrize(
        ("permissions", "statuses"),
        [
            ([], [403, 403, 403, 403, 403]),
            ([VIEW], [200, 403, 200, 403, 403]),
            ([VIEW, ADDING], [200, 200, 200, 403, 403]),
            ([VIEW, CHANGE], [200, 403, 200, 200, 403]),
            ([VIEW, DELETE], [200, 403, 200, 403, 200]),
        ],
    )
    def test_each_screen_by_its_own(self, permissions, statuses):
        assert self.statuses(visitor(*permissions), revoked(publishable_key().key)) == statuses

    def test_to_view_is_only_to_view(self):
        key, client = publishable_key(title="Shop").key, visitor(VIEW)
        assert b'name="_save"' not in client.get(form_of(key)).content
        assert client.post(form_of(key), {"title": "Mine"}).status_code == 403
        for action in ("revoke_selected", "delete_selected"):
            client.post(LIST, {"action": action, "_selected_action": [key.pk], "post": "yes"})
        after = fresh(key)
        assert (after.title, after.revoked_at, after.deleted_at, after.type) == (
            "Shop",
            None,
            None,
            KeyType.PUBLISHABLE,
        )
        assert history() == []
