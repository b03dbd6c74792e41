"""Countries and provinces, in the form in which they are stored."""

import pycountry
import pytest

from commerce.core import places
from commerce.core.errors import InvalidData


@pytest.mark.parametrize("code", ["us", "US", " Us "])
def test_a_country_is_kept_in_lower_case(code):
    assert places.country(code) == "us"


def test_kosovo_is_a_country():
    assert places.country("XK") == "xk"


@pytest.mark.parametrize("code", ["", "usa", "zz", "u\0", "united states"])
def test_what_iso_3166_does_not_list_is_no_country(code):
    with pytest.raises(InvalidData, match="of field 'origin' is not an ISO 3166-1 country code"):
        places.country(code, field="origin")


@pytest.mark.parametrize("text", ["us-ny", "US-NY", "ny", "NY", " ny ", "New York", "NEW YORK"])
def test_a_province_goes_by_code_suffix_and_name(text):
    assert places.province(text, country_code="us") == "us-ny"


def test_a_whole_code_needs_no_country():
    assert places.province("US-NY", country_code=None) == "us-ny"


@pytest.mark.parametrize(("text", "country_code", "place"), [
    ("us-ny", "ca", "of 'ca'"),
    ("zz", "us", "of 'us'"),
    ("", "us", "of 'us'"),
    ("pristina", "xk", "of 'xk'"),
    ("ny", "usa", "of 'usa'"),
    ("ny", None, "of any country"),
    ("New York", None, "of any country"),
    ("us-new york", None, "of any country"),
    ("u\0-ny", None, "of any country"),
])  # fmt: skip
def test_other_texts_are_no_province(text, country_code, place):
    with pytest.raises(InvalidData) as refusal:
        places.province(text, country_code=country_code, field="state")
    assert refusal.value.message == f"'{text}' of field 'state' is not an ISO 3166-2 province {place}"


def test_of_namesakes_the_province_is_meant_and_not_the_land_around_it():
    assert places.province("La Rioja", country_code="es") == "es-lo"
    assert places.province("ES-RI", country_code="es") == "es-ri"


def test_every_province_goes_by_its_code_and_fits_its_column():
    for entry in pycountry.subdivisions:
        code = places.province(entry.code, country_code=entry.country_code.lower())
        assert code == entry.code.lower()
        assert len(code) <= places.LONGEST_PROVINCE
