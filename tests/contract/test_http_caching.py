"""What caches may keep of answers: Vary on every route; ETag, 304 and Cache-Control of the catalogue."""

import re

import pytest
from django.http import HttpResponse
from pytest_django import Settings

from catalog.api.viewsets import CatalogEndpoint
from kit.graphql.view import GraphQL
from kit.rest.endpoint import Endpoint
from kit.rest.viewsets import StoreEndpoint
from shop.api.viewsets import Currencies, Locales, Regions
from tests.contract.callers import Caller
from tests.contract.routes import Route, of, send
from tests.factories.carts import cart
from tests.factories.catalog import CategoryFactory
from tests.kit.graphql.calls import ask

pytestmark = [pytest.mark.every(6), pytest.mark.once, pytest.mark.django_db]

CATEGORIES = "/store/product-categories"
WEAK = re.compile(r'W/"[0-9a-f]{32}"')
ONE_CALLER = "private, no-cache"
CATALOGUE = (CatalogEndpoint, Regions, Currencies, Locales)


def varies(answer: HttpResponse) -> list[str]:
    return sorted(name.strip().lower() for name in answer["Vary"].split(","))


@pytest.mark.parametrize(("route", "method"), of(Endpoint))
def test_an_answer_says_what_it_depends_on(route: Route, method: str, store: Caller) -> None:
    of_key = ["x-publishable-api-key"] if issubclass(route.endpoint, StoreEndpoint | GraphQL) else []
    assert varies(send(store, route, method)) == ["authorization", "cookie", "origin", *of_key]


@pytest.mark.parametrize(("route", "method"), of(Endpoint))
def test_only_anonymous_reads_of_the_catalogue_have_an_etag(
    route: Route, method: str, store: Caller, signed_in: Caller
) -> None:
    is_catalogue = issubclass(route.endpoint, CATALOGUE)
    answer = send(store, route, method)
    assert bool(WEAK.fullmatch(answer.get("ETag", ""))) == is_catalogue
    assert answer["Cache-Control"] == ("no-store" if route.endpoint.private else ONE_CALLER)
    if is_catalogue:
        own = send(signed_in, route, method)
        assert (own.status_code, own["Cache-Control"], "ETag" in own) == (200, ONE_CALLER, False)


class TestRevalidation:
    @pytest.fixture
    def etag(self, store: Caller) -> str:
        CategoryFactory(name="Tea")
        etag: str = store.get(CATEGORIES)["ETag"]
        return etag

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    @pytest.mark.parametrize("form", ["{weak}", "{strong}", '"a", {weak}', 'W/"a",{strong} , "b"', "*", " * "])
    def test_what_the_client_has_is_not_sent_again(self, store: Caller, etag: str, form: str, method: str) -> None:
        held = form.format(weak=etag, strong=etag.removeprefix("W/"))
        answer = store.send(method, CATEGORIES, If_None_Match=held)
        assert (answer.status_code, answer.content) == (304, b"")
        assert (answer["ETag"], answer["Cache-Control"]) == (etag, ONE_CALLER)
        assert varies(answer) == ["authorization", "cookie", "origin", "x-publishable-api-key"]
        assert "Content-Length" not in answer
        assert "Content-Type" not in answer

    @pytest.mark.parametrize("held", ['"a"', 'W/"a", "b"', "{bare}", "", "W/", '"*"', '"{bare}', "{bare}*", "é"])
    def test_all_else_is_sent(self, store: Caller, etag: str, held: str) -> None:
        answer = store.get(CATEGORIES, If_None_Match=held.format(bare=etag[3:-1]))
        assert (answer.status_code, answer["ETag"]) == (200, etag)
        assert answer.json()["count"] == 1

    def test_a_change_ends_it(self, store: Caller, etag: str) -> None:
        CategoryFactory(name="Coffee")
        answer = store.get(CATEGORIES, If_None_Match=etag)
        assert (answer.status_code, answer.json()["count"]) == (200, 2)
        assert answer["ETag"] != etag

    def test_a_head_has_the_headers_of_the_get(self, store: Caller, etag: str) -> None:
        get, head = store.get(CATEGORIES), store.send("HEAD", CATEGORIES)
        names = ["ETag", "Cache-Control", "Vary", "Content-Type", "Content-Length"]
        assert [head[name] for name in names] == [get[name] for name in names]

    def test_refusals_have_none(self, store: Caller, etag: str) -> None:
        for answer in (store.get(f"{CATEGORIES}/nope", If_None_Match="*"), store.get(CATEGORIES, "limit=x")):
            assert answer.status_code in (400, 404)
            assert (answer["Cache-Control"], "ETag" in answer) == (ONE_CALLER, False)


class TestSharedCaches:
    @pytest.fixture(autouse=True)
    def opened(self, settings: Settings) -> None:
        settings.STORE_MAX_AGE = 60

    def test_they_may_keep_what_nobody_in_particular_reads(self, store: Caller) -> None:
        answer = store.get(CATEGORIES)
        assert answer["Cache-Control"] == "public, max-age=60"
        again = store.get(CATEGORIES, If_None_Match=answer["ETag"])
        assert (again.status_code, again["Cache-Control"]) == (304, "public, max-age=60")

    def test_and_nothing_of_a_customer_a_cart_or_a_refusal(self, store: Caller, signed_in: Caller) -> None:
        kept = cart()
        for answer in (
            signed_in.get(CATEGORIES),
            store.get("/store/products", f"cart_id={kept.pk}"),
            store.get("/store/products", f"%63art%5Fid={kept.pk}"),
            store.get(f"{CATEGORIES}/nope"),
            store.get("/store/payment-providers", f"region_id={kept.region_id}"),
        ):
            assert answer["Cache-Control"] == ONE_CALLER
        assert signed_in.get("/store/customers/me")["Cache-Control"] == "no-store"
        assert ask(store, "{ productCategories { count } }")["Cache-Control"] == "no-store"
