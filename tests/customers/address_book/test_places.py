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
            ({"country_code": "de", "province": "NRW"}, ("de", "de-nw")),
            ({"country_code": "es", "province": "CATALONIA"}, ("es", "es-ct")),
            ({"country_code": "us", "province": "Nowhere"}, ("us", "Nowhere")),
            ({"country_code": "us", "province": "de-by"}, ("us", "Bayern")),
            ({"country_code": "fr", "province": "FR-75"}, ("fr", "fr-75c")),
            ({"province": "ny"}, (None, "ny")),
            ({"country_code": "us", "province": " "}, ("us", None)),
            ({"country_code": "xk"}, ("xk", None)),
            ({"country_code": "", "province": ""}, (None, None)),
            ({"country_code": None, "province": None}, (None, None)),
        ],
    )
    def test_are_kept_as_lower_case_codes_and_other_provinces_as_typed(
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
        shown = caller.post(path, {"country_code": "de"}).json()["customer"]["addresses"][0]
        assert (shown["country_code"], shown["province"]) == ("de", "California")
        shown = caller.post(path, {"country_code": "de", "province": ""}).json()["customer"]["addresses"][0]
        assert (shown["country_code"], shown["province"]) == ("de", None)

    def test_a_province_as_typed_is_read_again_with_its_country(self, caller: Caller, home: CustomerAddress) -> None:
        path = f"{PATH}/{home.pk}"
        for given, kept in (
            ({"country_code": None, "province": "n.y."}, (None, "n.y.")),
            ({"country_code": "de"}, ("de", "n.y.")),
            ({"country_code": "us"}, ("us", "us-ny")),
        ):
            shown = caller.post(path, given).json()["customer"]["addresses"][0]
            assert (shown["country_code"], shown["province"]) == kept
