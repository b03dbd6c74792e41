"""Changes through GraphQL: what REST's verbs do, by those who may, whole or not at all, and once for each key."""

from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from apikeys.models import ApiKey
from auth.account_types import actors
from auth.tokens.tokens import issue
from kit.query.selection import MAX_RELATIONS
from kit.safety.idempotency.models import Record
from kit.safety.throttling.models import Counter
from tests.contract.callers import NOBODY, Caller, importer, refusal, storefront
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.shop import SalesChannelFactory
from tests.factories.staff import PASSWORD, UserFactory
from tests.kit.graphql.calls import ask, data, failures, is_unauthorized, refused

pytestmark = pytest.mark.django_db

CREATE = """mutation ($input: ApiKeyInput!) { createApiKey(input: $input) {
  __typename apiKey { id t: token again: token redacted title type salesChannels { name } } } }"""
WEB = {"input": {"title": "Web shop", "type": "publishable"}}
RENAME = 'mutation ($id: ID!) { renameApiKey(id: $id, input: {title: "New"}) { apiKey { title } } }'


def create(title: str, kind: str = "publishable") -> str:
    return f'createApiKey(input: {{title: "{title}", type: "{kind}"}}) {{ apiKey {{ title }} }}'


def titles() -> set[str]:
    return set(ApiKey.objects.filter(type="publishable").values_list("title", flat=True))


class TestApiKeys:
    def test_a_secret_key_is_shown_this_once(self, admin: Caller) -> None:
        given = {"input": {"title": "Import", "type": "secret"}}
        made = data(ask(admin, CREATE, given))["createApiKey"]
        assert (made["__typename"], list(made["apiKey"])) == (
            "ApiKeyPayload",
            ["id", "t", "again", "redacted", "title", "type", "salesChannels"],
        )
        key = made["apiKey"]
        assert key["t"] == key["again"]
        assert key["t"].startswith("sk_")
        shown = data(ask(admin, f'{{ apiKey(id: "{key["id"]}") {{ token redacted title }} }}'))["apiKey"]
        assert shown == {"token": "", "redacted": key["redacted"], "title": "Import"}
        assert importer_of(key["t"]).get("/admin/api-keys").status_code == 200

    def test_it_is_renamed_scoped_revoked_and_deleted(self, admin: Caller) -> None:
        key, channel = publishable_key().key, SalesChannelFactory()
        given = {"id": key.pk, "channels": [channel.pk]}
        assert data(ask(admin, RENAME, {"id": key.pk})) == {"renameApiKey": {"apiKey": {"title": "New"}}}
        scope = """mutation ($id: ID!, $channels: [String!]) {
          setApiKeySalesChannels(id: $id, input: {add: $channels}) {
          apiKey { salesChannels { id } } } }"""
        assert data(ask(admin, scope, given)) == {
            "setApiKeySalesChannels": {"apiKey": {"salesChannels": [{"id": channel.pk}]}}
        }
        remove = "mutation ($id: ID!) { deleteApiKey(id: $id) { id object deleted } }"
        (early,) = failures(ask(admin, remove, {"id": key.pk}))
        assert early[2] == {"type": "not_allowed"}
        revoke = "mutation ($id: ID!) { revokeApiKey(id: $id) { apiKey { revokedBy revokedAt } } }"
        revoked = data(ask(admin, revoke, {"id": key.pk}))["revokeApiKey"]["apiKey"]
        assert revoked["revokedBy"].startswith("user_")
        assert data(ask(admin, remove, {"id": key.pk})) == {
            "deleteApiKey": {"id": key.pk, "object": "api_key", "deleted": True}
        }

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"title": "", "type": "secret"}, "Value for field 'title' must not be empty"),
            ({"title": "a" * 256}, "Value for field 'title' too big, expected at most: '255' characters"),
            ({"type": "x"}, "Expected: 'publishable, secret' for field 'type', but got: 'x'"),
        ],
    )
    def test_input_is_judged_as_by_rest(self, given: dict[str, str], message: str, admin: Caller) -> None:
        whole = {"title": "A", "type": "secret", **given}
        (failure,) = failures(ask(admin, CREATE, {"input": whole}))
        assert failure == ("createApiKey", f"Invalid request: {message}", {"type": "invalid_data"})
        assert refusal(admin.post("/admin/api-keys", whole)) == (400, f"Invalid request: {message}")

    def test_input_that_does_not_fit_its_type_is_refused_before_execution(self, admin: Caller) -> None:
        for given in ({"title": "A"}, {"title": 1, "type": "secret"}, {"title": "A", "type": "secret", "x": 1}):
            assert refused(ask(admin, CREATE, {"input": given}))

    def test_an_unknown_key_is_not_found(self, admin: Caller) -> None:
        missing = 'mutation { renameApiKey(id: "apk_x", input: {title: "A"}) { apiKey { id } } }'
        assert failures(ask(admin, missing)) == [
            ("renameApiKey", "API key with id: apk_x was not found", {"type": "not_found"})
        ]


def importer_of(token: str) -> Caller:
    return Caller(Authorization=f"Bearer {token}")


class TestWhoMay:
    def test_a_shopper_may_not_and_nothing_changes(self) -> None:
        key = publishable_key()
        for document in (
            CREATE,
            "{ apiKeys { count } }",
            '{ apiKey(id: "x") { id } }',
            "mutation { refresh { token } }",
        ):
            assert is_unauthorized(ask(storefront(key), document, WEB if document == CREATE else None))
        assert titles() == {"Storefront"}

    def test_beside_a_field_that_anybody_may_ask_for_it_is_that_fields_error(self, store: Caller) -> None:
        answer = ask(store, "{ me { id } productCategories(limit: 0) { count } }")
        assert failures(answer) == [("me", "Unauthorized", {"type": "unauthorized"})]
        assert answer.json()["data"] == {"me": None, "productCategories": {"count": 0}}

    def test_of_several_fields_that_need_a_credential_too_nothing_is_answered(self) -> None:
        shopper = storefront(publishable_key())
        assert is_unauthorized(ask(shopper, "{ me { id } apiKeys { count } a: addresses { count } }"))
        assert is_unauthorized(ask(shopper, CREATE, WEB, Idempotency_Key="a-key-of-this-one-request"))

    @pytest.mark.parametrize(
        ("document", "needed"),
        [
            ("{ apiKeys { count } }", "apikeys.view_apikey"),
            ('{ apiKey(id: "x") { id } }', "apikeys.view_apikey"),
            ("mutation { " + create("A") + " }", "apikeys.add_apikey"),
            ('mutation { renameApiKey(id: "x", input: {title: ""}) { apiKey { id } } }', "apikeys.change_apikey"),
            ('mutation { revokeApiKey(id: "x", input: {revokeIn: -1}) { apiKey { id } } }', "apikeys.change_apikey"),
            ('mutation { setApiKeySalesChannels(id: "x") { apiKey { id } } }', "apikeys.change_apikey"),
            ('mutation { deleteApiKey(id: "x") { id } }', "apikeys.delete_apikey"),
        ],
    )
    def test_staff_need_the_permission_before_anything_else_counts(self, document: str, needed: str) -> None:
        others = {"apikeys.view_apikey", "apikeys.add_apikey", "apikeys.change_apikey", "apikeys.delete_apikey"} - {
            needed
        }
        (failure,) = failures(ask(importer(secret_key(UserFactory(permissions=others))), document))
        assert failure[1:] == (f"The permission '{needed}' is required", {"type": "not_allowed"})

    def test_those_who_may_change_one_see_it(self) -> None:
        key = publishable_key()
        editor = importer(secret_key(UserFactory(permissions=["apikeys.change_apikey"])))
        assert data(ask(editor, RENAME, {"id": key.key.pk})) == {"renameApiKey": {"apiKey": {"title": "New"}}}


class TestWholeOrNotAtAll:
    def test_fields_run_one_after_the_other_and_one_failing_leaves_the_others(self, admin: Caller) -> None:
        document = f"mutation {{ a: {create('A')} b: {create('', 'secret')} c: {create('C')} }}"
        response = ask(admin, document)
        assert [failure[0] for failure in failures(response)] == ["b"]
        assert response.json()["data"] == {"a": {"apiKey": {"title": "A"}}, "b": None, "c": {"apiKey": {"title": "C"}}}
        assert titles() == {"A", "C"}

    def test_what_cannot_be_shown_has_not_been_done(self, admin: Caller) -> None:
        key = publishable_key(SalesChannelFactory(), SalesChannelFactory())
        document = """mutation ($id: ID!) { renameApiKey(id: $id, input: {title: "New"}) {
          apiKey { salesChannels { id } } } }"""
        with override_settings(MAX_RELATED_ROWS=1):
            (failure,) = failures(ask(admin, document, {"id": key.key.pk}))
        assert "more than 1 related rows" in failure[1]
        assert titles() == {"Storefront"}

    def test_a_selection_that_asks_too_much_is_refused_before_the_verb(self, admin: Caller) -> None:
        aliases = " ".join(f"a{n}: salesChannels {{ id }}" for n in range(MAX_RELATIONS + 1))
        refused(
            ask(
                admin,
                f'mutation {{ createApiKey(input: {{title: "A", type: "secret"}}) {{ apiKey {{ {aliases} }} }} }}',
            )
        )
        assert titles() == set()

    def test_a_query_changes_nothing_whatever_it_is_called(self, admin: Caller) -> None:
        assert refused(ask(admin, f"query {{ {create('A')} }}"))
        assert titles() == set()


class TestIdempotencyKeys:
    def test_the_work_of_one_key_is_done_once(self, admin: Caller) -> None:
        first, second = (ask(admin, CREATE, WEB, Idempotency_Key="once") for _ in range(2))
        assert data(first) == data(second)
        assert (first.get("Idempotent-Replayed"), second["Idempotent-Replayed"]) == (None, "true")
        assert ApiKey.objects.filter(title="Web shop").count() == 1

    def test_another_document_or_other_variables_are_another_request(self, admin: Caller) -> None:
        ask(admin, CREATE, WEB, Idempotency_Key="once")
        for query, given in ((CREATE, {"input": {**WEB["input"], "title": "B"}}), (CREATE + " ", WEB)):
            response = ask(admin, query, given, Idempotency_Key="once")
            assert (response.status_code, response.json()["type"]) == (422, "duplicate_error")
        assert ApiKey.objects.filter(type="publishable").count() == 1

    def test_a_refusal_is_kept_and_has_changed_nothing(self, admin: Caller) -> None:
        given = {"input": {"title": "", "type": "secret"}}
        first, second = (ask(admin, CREATE, given, Idempotency_Key="once") for _ in range(2))
        assert failures(first) == failures(second)
        assert second["Idempotent-Replayed"] == "true"

    def test_a_missing_permission_is_not_kept(self) -> None:
        user = UserFactory()
        caller = importer(secret_key(user))
        assert failures(ask(caller, CREATE, WEB, Idempotency_Key="once"))[0][2] == {"type": "not_allowed"}
        assert not Record.objects.exists()
        user.is_superuser = True
        user.save()
        assert data(ask(caller, CREATE, WEB, Idempotency_Key="once"))["createApiKey"]["apiKey"]["title"] == "Web shop"

    def test_with_a_key_a_document_changes_one_thing(self, admin: Caller) -> None:
        document = f"mutation {{ a: {create('A')} b: {create('B')} }}"
        assert refused(ask(admin, document, Idempotency_Key="once")) == [
            "A document with an Idempotency-Key must have exactly one mutation field"
        ]
        assert (titles(), Record.objects.count()) == (set(), 0)
        assert data(ask(admin, f"mutation {{ __typename {create('A')} }}", Idempotency_Key="once"))

    @pytest.mark.parametrize("key", ["", "a b", "é", "a" * 256])
    def test_a_malformed_key_is_refused(self, key: str, admin: Caller) -> None:
        status, message = refusal(ask(admin, CREATE, WEB, Idempotency_Key=key))
        assert (status, message[:31]) == (400, "The header Idempotency-Key must")
        assert titles() == set()

    def test_reading_and_signing_in_ignore_one(self, admin: Caller) -> None:
        user = UserFactory()
        login = f'mutation {{ login(input: {{email: "{user.email}", password: "{PASSWORD}"}}) {{ token }} }}'
        for document in ("{ apiKeys { count } }", login):
            for _ in range(2):
                assert "Idempotent-Replayed" not in ask(admin, document, Idempotency_Key="once")
        assert not Record.objects.exists()

    def test_answers_are_kept_apart_by_caller(self, admin: Caller) -> None:
        other = importer(secret_key(UserFactory(is_superuser=True)))
        ids = {
            data(ask(caller, CREATE, WEB, Idempotency_Key="once"))["createApiKey"]["apiKey"]["id"]
            for caller in (admin, other)
        }
        assert len(ids) == 2


def login_of(**given: Any) -> tuple[str, dict[str, Any]]:
    document = "mutation ($input: SignInInput!) { login(input: $input) { token } }"
    of_staff = {"actorType": "user", "email": "staff@example.com", "password": PASSWORD}
    return document, {"input": {**of_staff, **given}}


class TestSigningIn:
    def test_the_token_opens_what_the_account_may(self, store: Caller) -> None:
        UserFactory(email="staff@example.com", is_superuser=True)
        token = data(ask(store, *login_of(email=" STAFF@example.com ")))["login"]["token"]
        caller = importer_of(token)
        assert data(ask(caller, "{ apiKeys(limit: 0) { limit } }")) == {"apiKeys": {"limit": 0}}
        refreshed = data(ask(caller, "mutation { refresh { token } }"))["refresh"]["token"]
        assert data(ask(importer_of(refreshed), "{ apiKeys(limit: 0) { limit } }")) == {"apiKeys": {"limit": 0}}

    def test_a_failure_is_reported_and_counted_as_by_rest(self, store: Caller) -> None:
        UserFactory(email="staff@example.com")
        wrong = {"email": "staff@example.com", "password": "wrong"}
        rest = NOBODY.post("/auth/user/emailpass", wrong).json()
        with override_settings(THROTTLES={**settings.THROTTLES, "login_account": (3, 900)}):
            for _ in range(2):
                (failure,) = failures(ask(store, *login_of(password="wrong")))
                assert failure == ("login", rest["message"], {"type": rest["type"]})
            (failure,) = failures(ask(store, *login_of()))
            throttled = NOBODY.post("/auth/user/emailpass", {**wrong, "password": PASSWORD})
            assert throttled.status_code == 429
            seconds = failure[2].pop("retryAfter")
            assert failure[2] == {"type": "not_allowed"}
            assert 0 <= seconds - int(throttled["Retry-After"]) <= 5
        assert Counter.objects.exists()

    def test_a_secret_key_signs_nobody_in(self, admin: Caller) -> None:
        for field in ("refresh { token }", "createSession { user { actorId } }", "deleteSession { success }"):
            (failure,) = failures(ask(admin, f"mutation {{ {field} }}"))
            assert failure[1:] == ("Unauthorized", {"type": "unauthorized"})

    def test_a_session_is_opened_with_a_token_and_closed(self) -> None:
        user = UserFactory()
        account = actors.resolve("user", user.pk, user.stamp)
        assert account is not None
        caller = importer_of(issue(account))
        opened = data(ask(caller, "mutation { createSession { user { actorId actorType exp } } }"))["createSession"][
            "user"
        ]
        assert (opened["actorId"], opened["actorType"]) == (user.pk, "user")
        caller.headers = {}
        assert data(ask(caller, "mutation { deleteSession { success } }")) == {"deleteSession": {"success": True}}
        assert ask(caller, "{ __typename }").status_code == 401
