"""The high limit of one address, counted separately for each purpose."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from tests.auth.conftest import limits
from tests.contract.callers import Caller
from tests.factories.apikeys import publishable_key
from tests.factories.staff import PASSWORD

pytestmark = pytest.mark.django_db
LOGIN = "/auth/customer/emailpass"
Knock = Callable[[Caller, int], int]


def sign_in(caller: Caller, number: int) -> int:
    return caller.post(LOGIN, {"email": f"nell{number}@example.com", "password": "x"}).status_code


def register(caller: Caller, number: int) -> int:
    body = {"email": f"nell{number}@example.com", "password": PASSWORD}
    return caller.post(f"{LOGIN}/register", body).status_code


def ask_for_a_reset(caller: Caller, number: int) -> int:
    return caller.post(f"{LOGIN}/reset-password", {"identifier": f"nell{number}@example.com"}).status_code


def guess_a_gift_card(caller: Caller, number: int) -> int:
    return caller.get(f"/store/gift-cards/GIFT-{number}").status_code


DOORS: dict[Knock, int] = {sign_in: 401, register: 200, ask_for_a_reset: 201, guess_a_gift_card: 404}


@pytest.mark.parametrize("flooded", DOORS)
def test_guesses_of_one_kind_close_no_other_door(flooded: Knock, settings: Settings) -> None:
    settings.THROTTLES = limits(account=100, client=2)
    caller = Caller(x_publishable_api_key=publishable_key().token)
    answers = [flooded(caller, number) for number in range(3)]
    assert answers == [DOORS[flooded], DOORS[flooded], 429]
    for knock, answer in DOORS.items():
        assert knock(caller, 9) == (429 if knock is flooded else answer)
