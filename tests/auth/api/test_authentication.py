"""What the authenticators make of a request's credentials, and what they cost where there are none."""

from types import SimpleNamespace

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from rest_framework.request import Request

from auth.account_types.accounts import Account
from auth.api.authentication import BearerAuthentication, SessionAuthentication
from auth.sessions.middleware import SessionMiddleware
from auth.sessions.sessions import open_session
from auth.tokens.tokens import issue
from staff.models import User
from tests.auth.conftest import Customers

ANY_ROUTE = SimpleNamespace(takes_registration=False, takes_files=frozenset(), action="list")
REGISTRATION_ROUTE = SimpleNamespace(takes_registration=True, takes_files=frozenset(), action="create")


def with_header(rf: RequestFactory, authorization: str, view: object = ANY_ROUTE) -> Request:
    return Request(rf.get("/store", headers={"Authorization": authorization}), parser_context={"view": view})


def with_session(rf: RequestFactory, account: Account, view: object = ANY_ROUTE) -> Request:
    request = rf.get("/store")
    SessionMiddleware(lambda _: HttpResponse()).process_request(request)
    open_session(request, account, until=2**32)
    request.COOKIES["connect.sid"] = "sent"
    return Request(request, parser_context={"view": view})


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Bearer  "])
def test_the_scheme_is_read_in_any_letter_case(user: User, token: str, rf: RequestFactory, scheme: str) -> None:
    found = BearerAuthentication().authenticate(with_header(rf, f"{scheme} {token}"))
    assert found is not None
    actor, credential = found
    assert (actor.type, actor.id, credential.account.identity_id) == ("user", user.pk, user.pk)


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "{token}", "Basic {token}", "Token {token}", "Bearer a b"])
def test_any_other_header_is_no_token(token: str, rf: RequestFactory, header: str) -> None:
    assert BearerAuthentication().authenticate(with_header(rf, header.format(token=token))) is None


def test_an_unfinished_registration_counts_only_where_the_route_says_so(
    customers: Customers, rf: RequestFactory, db: None
) -> None:
    account = customers.add("eve@example.com", actor_id=None)
    header = f"Bearer {issue(account)}"
    assert BearerAuthentication().authenticate(with_header(rf, header)) is None
    assert SessionAuthentication().authenticate(with_session(rf, account)) is None
    for found in (
        BearerAuthentication().authenticate(with_header(rf, header, REGISTRATION_ROUTE)),
        SessionAuthentication().authenticate(with_session(rf, account, REGISTRATION_ROUTE)),
    ):
        assert found is not None
        assert (found[0].type, found[0].id) == ("customer", None)


def test_a_finished_registration_counts_everywhere(customers: Customers, rf: RequestFactory, db: None) -> None:
    account = customers.add("eve@example.com", actor_id="cus_1")
    for found in (
        BearerAuthentication().authenticate(with_header(rf, f"Bearer {issue(account)}")),
        SessionAuthentication().authenticate(with_session(rf, account)),
    ):
        assert found is not None
        assert found[0].id == "cus_1"


def test_an_anonymous_request_touches_no_session(rf: RequestFactory) -> None:
    request: HttpRequest = rf.get("/store")
    anonymous = Request(request, parser_context={"view": ANY_ROUTE})  # no session middleware has run
    assert BearerAuthentication().authenticate(anonymous) is None
    assert SessionAuthentication().authenticate(anonymous) is None
