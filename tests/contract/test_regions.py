"""GET /store/regions and /store/currencies."""

import pytest
from django.utils import timezone

from kit.values.currency_symbols import symbol
from shop.models import Country, Currency, PaymentProvider, Region
from tests.contract.callers import Caller, invalid, refusal
from tests.factories.shop import RegionFactory
from tests.kit.graphql.calls import ask

pytestmark = pytest.mark.django_db

REGIONS, CURRENCIES = "/store/regions", "/store/currencies"


@pytest.fixture(autouse=True)
def regions(db: None) -> dict[str, Region]:
    """Two that sell, and one that is gone."""
    return {
        "Europe": RegionFactory(name="Europe", currency_id="eur", countries=["de", "at", "ax"]),
        "Americas": RegionFactory(name="Americas", countries=["us"], metadata={"colour": "red"}),
        "Atlantis": RegionFactory(name="Atlantis", deleted_at=timezone.now()),
    }


def names(store: Caller, query: str) -> list[str]:
    response = store.get(REGIONS, query)
    assert response.status_code == 200, response.content
    return [region["name"] for region in response.json()["regions"]]


def codes(store: Caller, query: str) -> list[str]:
    response = store.get(CURRENCIES, query)
    assert response.status_code == 200, response.content
    return [currency["code"] for currency in response.json()["currencies"]]


def test_a_storefront_learns_where_the_shop_sells(store: Caller, regions: dict[str, Region]) -> None:
    answer = store.get(REGIONS).json()
    assert {key: answer[key] for key in answer if key != "regions"} == {
        "count": 2, "estimate_count": 2, "offset": 0, "limit": 50,
    }  # fmt: skip
    europe, americas = answer["regions"]
    assert list(americas) == [
        "id", "name", "currency_code", "metadata", "created_at", "updated_at", "deleted_at", "countries",
    ]  # fmt: skip
    assert americas["id"] == regions["Americas"].pk
    assert americas["currency_code"] == "usd"
    assert americas["metadata"] == {"colour": "red"}
    assert americas["deleted_at"] is None
    assert americas["countries"] == [{
        "iso_2": "us", "iso_3": "usa", "num_code": "840", "name": "UNITED STATES", "display_name": "United States",
    }]  # fmt: skip
    assert [country["iso_2"] for country in europe["countries"]] == ["at", "de", "ax"]


def test_countries_stand_in_the_order_of_their_display_names(store: Caller, regions: dict[str, Region]) -> None:
    Country.objects.filter(pk="de").update(display_name="Allemagne")
    (europe,) = store.get(REGIONS, "name=Europe&fields=*countries").json()["regions"]
    assert [country["display_name"] for country in europe["countries"]] == ["Allemagne", "Austria", "Åland Islands"]


def test_one_region_is_read_by_its_id(store: Caller, regions: dict[str, Region]) -> None:
    answer = store.get(f"{REGIONS}/{regions['Americas'].pk}", "fields=name,countries.iso_2").json()
    assert answer == {"region": {
        "name": "Americas", "id": regions["Americas"].pk, "countries": [{"iso_2": "us"}],
    }}  # fmt: skip


def test_an_unknown_or_deleted_region_is_not_found(store: Caller, regions: dict[str, Region]) -> None:
    for key in ("reg_nobody", regions["Atlantis"].pk):
        assert refusal(store.get(f"{REGIONS}/{key}")) == (404, f"Region with id: {key} was not found")


@pytest.mark.parametrize(("query", "found"), [
    ("q=eur", ["Europe"]),
    ("q=AMER", ["Americas"]),
    ("q=usd", ["Americas"]),
    ("q=usd+eur", []),
    ("name=Europe", ["Europe"]),
    ("name[]=Europe&name[]=Americas", ["Europe", "Americas"]),
    ("currency_code=eur", ["Europe"]),
    ("currency_code=gbp", []),
    ("currency_code=EUR", ["Europe"]),
    ("currency_code[]=eur&currency_code[]=usd", ["Europe", "Americas"]),
    ("created_at[$gte]=2020-01-01", ["Europe", "Americas"]),
    ("updated_at[$lt]=2020-01-01", []),
    ("$or[0][name]=Europe&$or[1][currency_code]=usd", ["Europe", "Americas"]),
    ("$and[0][name]=Europe&$and[1][currency_code]=usd", []),
    ("order=name", ["Americas", "Europe"]),
    ("order=-name", ["Europe", "Americas"]),
    ("order=currency_code", ["Europe", "Americas"]),
    ("limit=1", ["Europe"]),
    ("limit=1&offset=1", ["Americas"]),
    ("with_deleted=true", ["Europe", "Americas", "Atlantis"]),
])  # fmt: skip
def test_regions_are_found_by(store: Caller, query: str, found: list[str]) -> None:
    assert names(store, query) == found


def test_regions_are_found_by_their_ids(store: Caller, regions: dict[str, Region]) -> None:
    assert names(store, f"id={regions['Europe'].pk}") == ["Europe"]
    assert names(store, f"id[]={regions['Europe'].pk}&id[]={regions['Atlantis'].pk}") == ["Europe"]


@pytest.mark.parametrize("fields", ["tax_rates", "tax_rate", "countries.region", "payment_providers.is_enabled"])
def test_what_is_the_shops_own_business_is_not_offered(store: Caller, fields: str) -> None:
    assert refusal(store.get(REGIONS, f"fields={fields}")) == (400, f"Requested fields [{fields}] are not valid")


def test_providers_are_shown_on_request_while_they_are_switched_on(store: Caller, regions: dict[str, Region]) -> None:
    off = PaymentProvider.objects.create(id="pp_off", is_enabled=False)
    gone = PaymentProvider.objects.create(id="pp_gone", deleted_at=timezone.now())
    regions["Europe"].payment_providers.set(["pp_system_default", off, gone])
    (europe,) = store.get(REGIONS, "name=Europe&fields=%2Bpayment_providers").json()["regions"]
    assert europe["payment_providers"] == [{"id": "pp_system_default"}]


@pytest.mark.parametrize(("path", "query", "message"), [
    (REGIONS, "tax_rate=3", "Unrecognized fields: 'tax_rate'"),
    (REGIONS, "created_at=yesterday", "Expected type: 'date' for field 'created_at', got: 'yesterday'"),
    (REGIONS, "$or[0][limit]=1", "Unrecognized fields: 'limit'"),
    (CURRENCIES, "name=Euro", "Unrecognized fields: 'name'"),
    (CURRENCIES, "limit=1001", "Value for field 'limit' too big, expected at most: '1000'"),
])  # fmt: skip
def test_senseless_parameters_are_refused(store: Caller, path: str, query: str, message: str) -> None:
    assert refusal(store.get(path, query)) == invalid(message)


def test_one_currency_is_read_by_its_code(store: Caller) -> None:
    currency = store.get(f"{CURRENCIES}/jpy").json()["currency"]
    moments = ("created_at", "updated_at", "deleted_at")
    assert list(currency) == ["code", "symbol", "symbol_native", "name", "decimal_digits", "rounding", *moments]
    assert {name: value for name, value in currency.items() if name not in moments} == {
        "code": "jpy", "symbol": "¥", "symbol_native": "￥", "name": "Yen", "decimal_digits": 0, "rounding": 0,
    }  # fmt: skip


@pytest.mark.parametrize(("code", "symbols"), [
    ("usd", ("$", "$")), ("cad", ("CA$", "$")), ("eur", ("€", "€")), ("sek", ("SEK", "kr")), ("xua", ("XUA", "XUA")),
])  # fmt: skip
def test_a_currency_has_its_signs_by_rest_and_graphql(store: Caller, code: str, symbols: tuple[str, str]) -> None:
    currency = store.get(f"{CURRENCIES}/{code}", "fields=symbol,symbol_native,rounding").json()["currency"]
    asked = f'{{ currency(code: "{code}") {{ symbol symbol_native: symbolNative rounding }} }}'
    assert currency == ask(store, asked).json()["data"]["currency"]
    assert (currency["symbol"], currency["symbol_native"], currency["rounding"]) == (*symbols, 0)


def test_no_two_currencies_share_a_symbol() -> None:
    signs = [symbol(code) for code in Currency.objects.values_list("pk", flat=True)]
    assert len(signs) == len(set(signs))


def test_a_code_counts_in_any_letter_case(store: Caller) -> None:
    assert store.get(f"{CURRENCIES}/JpY", "fields=code").json() == {"currency": {"code": "jpy"}}


@pytest.mark.parametrize("code", ["zzz", "ZZZ"])
def test_an_unknown_currency_is_not_found(store: Caller, code: str) -> None:
    assert refusal(store.get(f"{CURRENCIES}/{code}")) == (404, f"Currency with id: {code} was not found")


def test_currencies_come_fifty_at_a_time_by_their_codes(store: Caller) -> None:
    answer = store.get(CURRENCIES, "fields=code").json()
    listed = [currency["code"] for currency in answer["currencies"]]
    assert answer["count"] == Currency.objects.count() > 150
    assert answer["limit"] == len(listed) == 50
    assert listed == sorted(listed)
    assert answer["currencies"][0] == {"code": "aed"}


@pytest.mark.parametrize(("query", "found"), [
    ("q=yen", ["jpy"]),
    ("q=JPY", ["jpy"]),
    ("code=eur", ["eur"]),
    ("code[]=usd&code[]=eur&order=code", ["eur", "usd"]),
    ("code[]=usd&code[]=eur&order=-name", ["usd", "eur"]),
    ("$or[0][code]=kwd&$or[1][q]=yen&order=decimal_digits", ["jpy", "kwd"]),
    ("code=", []),
    ("code=EUR", ["eur"]),
    ("code[]=USD&code[]=eur&code[]=EUR&order=code", ["eur", "usd"]),
    ("$or[0][code]=KWD", ["kwd"]),
])  # fmt: skip
def test_currencies_are_found_by(store: Caller, query: str, found: list[str]) -> None:
    assert codes(store, query) == found
