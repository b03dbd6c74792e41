"""Countries and provinces, in the form in which they are stored."""

import pycountry
import pytest

from kit.errors import InvalidData
from kit.values import places
from kit.values.province_names import COMMON_NAMES
from tests.kit.values.typed_provinces import TYPED


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
        assert len(code) <= 6


@pytest.mark.parametrize(("country_code", "text", "code"), [
    (country_code, text, f"{country_code}-{suffix}")
    for country_code, entries in TYPED.items()
    for text, suffix in entries.items()
])  # fmt: skip
def test_what_shoppers_type_is_understood(country_code, text, code):
    assert places.address_province(text, country_code=country_code) == code
    assert places.address_province(code.upper(), country_code=country_code) == code
    assert places.address_province(f" {text.upper()} ", country_code=country_code) == code


@pytest.mark.parametrize(("country_code", "suffix", "name"), [
    (country_code, suffix, name.strip())
    for country_code, names in COMMON_NAMES.items()
    for suffix, listed in names.items()
    for name in listed.split(",")
])  # fmt: skip
def test_a_common_name_means_what_its_table_says_and_nothing_that_iso_has(country_code, suffix, name):
    assert pycountry.subdivisions.get(code=f"{country_code}-{suffix}".upper()) is not None
    assert places.province(name, country_code=country_code) == f"{country_code}-{suffix}"
    others = pycountry.subdivisions.get(country_code=country_code.upper())
    suffixes = {other.code.partition("-")[2].lower() for other in others} - {suffix}
    assert name.lower() not in suffixes


def test_every_official_name_goes_by_itself():
    for entry in pycountry.subdivisions:
        code = places.province(entry.name, country_code=entry.country_code.lower())
        assert pycountry.subdivisions.get(code=code.upper()).name.casefold() == entry.name.casefold()


@pytest.mark.parametrize(("text", "country_code"), [
    ("Greater London", "gb"), ("Somewhere", "us"), (" Somewhere ", None), ("ny", None), ("New York", "de"),
    ("Prishtina", "xk"), ("zz-1", "us"), ("us-new york", "us"), ("us-", "us"), ("新竹", "tw"), ("-", "us"),
])  # fmt: skip
def test_text_that_names_no_province_stays_as_it_was_typed(text, country_code):
    assert places.address_province(text, country_code=country_code) == text


@pytest.mark.parametrize(("country_code", "text", "code"), [
    ("jp", "沖縄県", "jp-47"), ("jp", "沖縄", "jp-47"), ("jp", "Okinawa-ken", "jp-47"), ("jp", "Okinawa", "jp-47"),
    ("jp", "東京都", "jp-13"), ("jp", "Tokyo-to", "jp-13"), ("jp", "大阪府", "jp-27"), ("jp", "北海道", "jp-01"),
    ("kr", "서울특별시", "kr-11"), ("kr", "경기도", "kr-41"), ("kr", "Seoul", "kr-11"), ("cn", "广东省", "cn-gd"),
    ("ua", "Київ", "ua-30"), ("ru", "Москва", "ru-mow"), ("fi", "Lappi", "fi-10"), ("in", "महाराष्ट्र", "in-mh"),
    ("il", "ירושלים", "il-jm"), ("tw", "臺北", "tw-tpe"),
    # Older codes, and abbreviations behind the country's code.
    ("fr", "FR-75", "fr-75c"), ("fr", "fr-75C", "fr-75c"), ("in", "IN-OR", "in-od"), ("us", "US-or", "us-or"),
])  # fmt: skip
def test_a_province_goes_by_the_names_of_its_country(country_code, text, code):
    assert places.address_province(text, country_code=country_code) == code


@pytest.mark.parametrize(("text", "country_code", "kept"), [
    ("us-ny", "de", "New York"), ("US-NY", "ca", "New York"), ("us-ny", "xk", "New York"), ("us-ny", None, "us-ny"),
    ("de-by", "us", "Bayern"), ("lr-my", "us", "us-md"),
    ("FR-75", "fr", "fr-75c"), ("fr-75c", "de", "Paris"),
])  # fmt: skip
def test_a_code_of_another_country_becomes_a_name(text, country_code, kept):
    assert places.address_province(text, country_code=country_code) == kept
    assert places.address_province(kept, country_code=country_code) == kept


@pytest.mark.parametrize(("text", "country_code"), [
    ("us-zz", "us"), ("us-zz", "de"), ("us-zz", None), (" Us-Zz ", "us"), ("fr-xx", "fr"),
])  # fmt: skip
def test_a_code_that_no_country_has_is_refused(text, country_code):
    with pytest.raises(InvalidData) as refusal:
        places.address_province(text, country_code=country_code)
    place = f"of '{country_code}'" if country_code else "of any country"
    assert refusal.value.message == f"'{text}' of field 'province' is not an ISO 3166-2 province {place}"


@pytest.mark.parametrize("text", [None, "", "  "])
def test_a_blank_province_is_none(text):
    assert places.address_province(text, country_code="us") is None


@pytest.mark.parametrize(
    ("code", "name"),
    [("us", "United States"), ("kr", "South Korea"), ("xk", "Kosovo"), ("zz", "zz"), (None, ""), ("", "")],
)
def test_the_name_of_a_stored_country(code, name):
    assert places.country_name(code) == name


@pytest.mark.parametrize(
    ("stored", "name"),
    [("us-ny", "New York"), ("es-ct", "Catalunya"), ("Somewhere", "Somewhere"), ("us-zz", "us-zz"), (None, "")],
)
def test_the_name_of_a_stored_province(stored, name):
    assert places.province_name(stored) == name


def test_every_province_is_read_again_as_forms_show_it() -> None:
    """Also those that share their name, such as the city and the province of Sofia."""
    for entry in pycountry.subdivisions:
        code, country_code = entry.code.lower(), entry.country_code.lower()
        assert places.province(places.province_to_edit(code), country_code=country_code) == code
    assert [places.province_to_edit(text) for text in ("us-ny", "bg-22", "us-zz", "Kent", "", None)] == [
        "New York",
        "bg-22",
        "us-zz",
        "Kent",
        "",
        "",
    ]
