"""The country and the province of an address."""

import pytest

from customers.models import CustomerAddress
from tests.contract.callers import Caller, refusal
from tests.customers.address_book.contents import PATH, rows

pytestmark = pytest.mark.django_db


class TestPlaces:
    @pytest.mark.parametrize(
        ("given", "kept"),
        [
            ({"country_code": "US", "province": "us-NY"}, ("us", "us-ny")),
            ({"country_code": "us", "province": "ny"}, ("us", "us-ny")),
            ({"country_code": "us", "province": "New York"}, ("us", "us-ny")),
            ({"province": "DE-BY"}, (None, "de-by")),
            ({"country_code": "xk"}, ("xk", None)),
            ({"country_code": "", "province": ""}, (None, None)),
            ({"country_code": None, "province": None}, (None, None)),
        ],
    )
    def test_are_kept_as_lower_case_codes(
        self, caller: Caller, given: dict[str, str], kept: tuple[str | None, str | None]
    ) -> None:
        (address,) = caller.post(PATH, given).json()["customer"]["addresses"]
        assert (address["country_code"], address["province"]) == kept

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"country_code": "zz"}, "country_code"),
            ({"country_code": "usa"}, "country_code"),
            ({"country_code": " "}, "country_code"),
            ({"country_code": "us", "province": "de-by"}, "province"),
            ({"country_code": "us", "province": "Nowhere"}, "province"),
            ({"province": "ny"}, "province"),
            ({"country_code": "us", "province": " "}, "province"),
        ],
    )
    def test_others_are_refused_naming_the_field(self, caller: Caller, given: dict[str, str], field: str) -> None:
        status, message = refusal(caller.post(PATH, given))
        assert (status, f"'{field}'" in message) == (400, True)
        assert rows() == []

    def test_an_update_reads_them_beside_what_is_stored(self, caller: Caller, home: CustomerAddress) -> None:
        path = f"{PATH}/{home.pk}"
        shown = caller.post(path, {"province": "California"}).json()["customer"]["addresses"][0]
        assert (shown["country_code"], shown["province"]) == ("us", "us-ca")
        assert refusal(caller.post(path, {"country_code": "de"}))[0] == 400
        shown = caller.post(path, {"country_code": "de", "province": ""}).json()["customer"]["addresses"][0]
        assert (shown["country_code"], shown["province"]) == ("de", None)
