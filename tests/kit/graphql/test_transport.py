"""What becomes of a request to /graphql before its document counts: who may send one, and how."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from apikeys.api.authentication import KEY_INVALID
from apikeys.models import ApiKey
from auth.account_types import actors
from auth.tokens.tokens import issue
from shop.models import SalesChannel, Store
from staff.models import User
from tests.catalog import secret_shop
from tests.contract.callers import NOBODY, Caller, importer, invalid, refusal, reported, storefront
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.customers import CustomerFactory, token_of
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import PATH, ask, data, failures

pytestmark = pytest.mark.django_db

WHO = "{ __typename }"
UNAUTHORIZED = (401, "text/plain", b"Unauthorized")


def token(user: User) -> str:
    account = actors.resolve("user", user.pk, user.stamp)
    assert account is not None
    return issue(account)


def bearer(text: str, **headers: str) -> Caller:
    return Caller(Authorization=f"Bearer {text}", **headers)


class TestCredentials:
    def test_any_acceptable_one_is_enough(self) -> None:
        user = UserFactory()
        for caller in (
            storefront(publishable_key()),
            importer(secret_key(user)),
            bearer(token(user)),
            bearer(token(user), x_publishable_api_key=publishable_key().token),
        ):
            assert data(ask(caller, WHO)) == {"__typename": "Query"}

    def test_a_session_is_one(self) -> None:
        caller = signed_in(UserFactory())
        assert data(ask(caller, WHO)) == {"__typename": "Query"}

    def test_without_any_nobody_is_served(self) -> None:
        dead = Caller()
        dead.client.cookies["connect.sid"] = "a" * 32
        for caller in (NOBODY, dead):
            assert reported(ask(caller, WHO)) == UNAUTHORIZED

    @pytest.mark.parametrize("text", ["", "Bearer", "Bearer x.y.z", "Basic abc", "Bearer sk_unknown", "Digest a"])
    def test_an_authorization_that_is_none_is_refused_whatever_stands_beside_it(self, text: str) -> None:
        beside = {"x_publishable_api_key": publishable_key().token}
        response = ask(Caller(Authorization=text, **beside), WHO)
        assert reported(response) == UNAUTHORIZED if text else response.status_code == 200
        assert reported(ask(Caller(Authorization=text), WHO)) == UNAUTHORIZED

    def test_a_bad_publishable_key_is_refused_whatever_stands_beside_it(self) -> None:
        revoked = publishable_key()
        ApiKey.objects.filter(pk=revoked.key.pk).update(revoked_at=timezone.now() - timedelta(seconds=1))
        secret = secret_key()
        for key in ("pk_unknown", secret.token, revoked.token):
            for caller in (Caller(x_publishable_api_key=key), bearer(token(UserFactory()), x_publishable_api_key=key)):
                assert refusal(ask(caller, WHO)) == (400, KEY_INVALID)

    def test_a_dead_cookie_beside_a_key_counts_as_none(self) -> None:
        caller = storefront(publishable_key())
        caller.client.cookies["connect.sid"] = "a" * 32
        assert data(ask(caller, WHO)) == {"__typename": "Query"}


def signed_in(user: User) -> Caller:
    caller = Caller()
    caller.post("/auth/session", Authorization=f"Bearer {token(user)}")
    assert "connect.sid" in caller.client.cookies
    return caller


class TestBrowsers:
    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({"Origin": "https://evil.example"}, 403),
            ({"Origin": "null"}, 403),
            ({"Sec_Fetch_Site": "cross-site"}, 403),
            ({"Origin": "http://testserver"}, 200),
            ({"Origin": "http://localhost:3000", "Sec_Fetch_Site": "cross-site"}, 200),
        ],
    )
    def test_a_cookie_counts_for_our_own_pages_alone(self, headers: dict[str, str], status: int) -> None:
        shopper = Caller()
        shopper.post("/auth/session", Authorization=f"Bearer {token_of(CustomerFactory())}")
        assert ask(shopper, WHO, **headers).status_code == status

    def test_production_demands_the_header_before_it_looks_at_anything_else(self, settings: LazySettings) -> None:
        settings.PRODUCTION = True
        key = publishable_key()
        reported_so = (400, "The header x-graphql-request: true is required")
        for caller in (NOBODY, storefront(key), Caller(x_publishable_api_key="pk_unknown"), bearer("x")):
            assert refusal(ask(caller, WHO)) == reported_so
            assert refusal(ask(caller, WHO, x_graphql_request="yes")) == reported_so
        assert data(ask(storefront(key), WHO, x_graphql_request="true")) == {"__typename": "Query"}

    def test_development_does_not(self) -> None:
        assert data(ask(storefront(publishable_key()), WHO)) == {"__typename": "Query"}


class TestBodies:
    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({}, "Field 'query' is required"),
            ({"query": None}, "Expected type: 'string' for field 'query', got: 'null'"),
            ({"query": ["{ a }"]}, "Expected type: 'string' for field 'query', got: '{ a }'"),
            ({"query": WHO, "variables": []}, "Expected type: 'object' for field 'variables', got: ''"),
            ({"query": WHO, "variables": "{}"}, "Expected type: 'object' for field 'variables', got: '{}'"),
            ({"query": WHO, "operationName": 1}, "Expected type: 'string' for field 'operationName', got: '1'"),
            ({"query": WHO, "id": 1, "batch": 1}, "Unrecognized fields: 'id, batch'"),
            ({"query": WHO, "extensions": []}, "Expected type: 'object' for field 'extensions', got: ''"),
        ],
    )
    def test_others_than_one_document_are_refused(self, body: Any, message: str) -> None:
        assert refusal(storefront(publishable_key()).post(PATH, body)) == invalid(message)

    def test_there_is_no_batching(self) -> None:
        response = storefront(publishable_key()).post(PATH, [{"query": WHO}])
        assert refusal(response) == invalid("Expected type: 'object' for the body")

    def test_nulls_stand_for_nothing(self) -> None:
        nothing = {"variables": None, "operationName": None, "extensions": None}
        assert data(storefront(publishable_key()).post(PATH, {"query": WHO, **nothing})) == {"__typename": "Query"}

    def test_extensions_are_taken_and_mean_nothing(self) -> None:
        extended = {"query": WHO, "extensions": {"persistedQuery": {"version": 1, "sha256Hash": "0"}}}
        assert data(storefront(publishable_key()).post(PATH, extended)) == {"__typename": "Query"}

    def test_another_method_is_refused(self) -> None:
        response = storefront(publishable_key()).get(PATH, "query=%7B__typename%7D")
        assert (refusal(response), response["Allow"]) == ((405, 'Method "GET" not allowed.'), "OPTIONS, POST")

    def test_nobody_keeps_the_answer(self) -> None:
        assert ask(storefront(publishable_key()), WHO)["Cache-Control"] == "no-store"


class TestTheStoreAsItIsSeen:
    SHOWN = '{ products(q: "") { products { title categories { name products { title } } } } }'

    def test_staff_see_there_what_the_store_sees(self) -> None:
        shop = secret_shop.build()
        user = UserFactory(is_superuser=True)
        shown = [{"title": "Shown", "categories": [{"name": "Open", "products": [{"title": "Shown"}]}]}]
        for caller in (
            storefront(publishable_key()),
            bearer(token(user)),
            importer(secret_key(user)),
            bearer(token(user), x_publishable_api_key=publishable_key().token),
            signed_in(user),
        ):
            assert data(ask(caller, self.SHOWN)) == {"products": {"products": shown}}
            for key in (shop.secret_ids["Product"][0], shop.secret_ids["Product"][2]):
                assert failures(ask(caller, f'{{ product(id: "{key}") {{ id }} }}'))[0][2] == {"type": "not_found"}

    def test_without_a_key_the_default_channel_is_seen(self) -> None:
        caller = bearer(token(UserFactory()))
        elsewhere = SalesChannelFactory()
        ProductFactory(title="Here")
        ProductFactory(title="There", sales_channels=[elsewhere])
        query = "{ products { products { title } } }"
        assert data(ask(caller, query)) == {"products": {"products": [{"title": "Here"}]}}
        there = publishable_key(elsewhere).token
        assert data(ask(caller, query, x_publishable_api_key=there)) == {"products": {"products": [{"title": "There"}]}}
        SalesChannel.objects.filter(pk=Store.objects.get().default_sales_channel_id).update(is_disabled=True)
        assert data(ask(caller, query)) == {"products": {"products": []}}
