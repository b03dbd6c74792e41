"""Tax regions, rates and providers below /admin, as the official SDK calls them."""

from typing import Any

import pytest
from pytest_django import Settings

from shop.taxes import Goods, TaxPlace
from taxes.models import TaxRate, TaxRegion
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin
from tests.factories.apikeys import secret_key
from tests.factories.fulfillment import option
from tests.factories.products import ProductFactory, ProductTypeFactory
from tests.factories.staff import UserFactory
from tests.factories.taxes import tax_rate, tax_region
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

__all__ = ["admin"]


def create(admin: Caller, path: str, **body: Any) -> dict[str, Any]:
    response = admin.post(f"/admin/{path}", body)
    assert response.status_code == 200, response.content
    return response.json()[path.replace("-", "_").removesuffix("s")]  # type: ignore[no-any-return]


def test_goods_come_before_place_in_taxes_that_a_program_has_entered(admin: Caller) -> None:
    """The examples of docs/decisions/taxes.md."""
    vitamins, books = ProductTypeFactory().pk, ProductTypeFactory().pk
    vitamin, book, mug = Goods("prod_c", vitamins), Goods("prod_b", books), Goods("prod_m")
    canada = create(admin, "tax-regions", country_code="CA", default_tax_rate={"name": "GST", "code": "gst", "rate": 5})
    place = {"country_code": "ca", "parent_id": canada["id"]}
    hst = {"name": "HST", "code": "hst", "rate": 13}
    ontario = create(admin, "tax-regions", **place, province_code="CA-ON", default_tax_rate=hst)
    qst = {"name": "QST", "code": "qst", "rate": 9.975, "is_combinable": True}
    quebec = create(admin, "tax-regions", country_code="ca", province_code="Québec", default_tax_rate=qst)
    for region, key, rate, more in (
        (canada, vitamins, 0, {}),
        (ontario, books, 5, {}),
        (quebec, books, 0, {"is_combinable": True}),
    ):
        rules = [{"reference": "product_type", "reference_id": key}]
        code = f"{key}-{rate}"
        create(
            admin, "tax-rates", name="Special", tax_region_id=region["id"], code=code, rate=rate, rules=rules, **more
        )
    percents = {
        province: [[tax.rate / 10_000 for tax in each] for each in _taxes(province, vitamin, book, mug)]
        for province in ("ca-on", "ca-qc", "ca-ab")
    }
    assert percents == {
        "ca-on": [[0], [5], [13]],
        "ca-qc": [[0, 9.975], [5, 0], [5, 9.975]],
        "ca-ab": [[0], [5], [5]],
    }


def _taxes(province: str, *goods: Goods) -> Any:
    return TaxPlace(0, "ca", province).taxes_on(goods)


def test_a_region_is_shown_with_its_rates_parent_and_provinces(admin: Caller) -> None:
    rate = tax_rate("us", "8.875", "us-ny", name="New York", products=[ProductFactory()], metadata={"a": 1})
    country, province = TaxRegion.objects.get(province=None), rate.tax_region
    shown = admin.get(f"/admin/tax-regions/{province.pk}").json()["tax_region"]
    none = ("provider_id", "metadata", "created_by", "deleted_at")
    place = {"id": province.pk, "country_code": "us", "province_code": "us-ny", "parent_id": country.pk}
    assert {**shown, "created_at": "", "updated_at": ""} == {
        **place,
        **dict.fromkeys(none),
        "created_at": "",
        "updated_at": "",
        "children": [],
        "parent": {**shown["parent"], "id": country.pk, "province_code": None},
        "tax_rates": [{**shown["tax_rates"][0], "name": "New York", "rate": 8.875, "created_by": None}],
    }
    (rule,) = shown["tax_rates"][0]["rules"]
    assert (rule["reference"], rule["reference_id"]) == ("product", rate.rules.get().reference_id)
    (listed,) = admin.get("/admin/tax-regions?parent_id=null&country_code=US").json()["tax_regions"]
    assert [each["id"] for each in listed["children"]] == [province.pk]
    found = admin.get("/admin/tax-regions?q=united+states&province_code=us-ny").json()["tax_regions"]
    assert [each["id"] for each in found] == [province.pk]
    listed = admin.get(f"/admin/tax-rates?tax_region_id={province.pk}&q=york&is_default=false").json()
    assert [(each["id"], each["tax_region"]["id"]) for each in listed["tax_rates"]] == [(rate.pk, province.pk)]


def test_a_rate_without_rules_is_the_default_and_rules_are_replaced(admin: Caller) -> None:
    region = tax_region("de").pk
    made = create(admin, "tax-rates", name="VAT", tax_region_id=region, code="vat")
    assert (made["is_default"], made["rate"], made["rules"]) == (True, 0, [])
    again = admin.post("/admin/tax-rates", {"name": "VAT", "tax_region_id": region, "code": "vat2"})
    assert (again.status_code, again.json()["type"]) == (422, "duplicate_error")
    product, parcel = ProductFactory().pk, option().pk
    rules = [{"reference": "product", "reference_id": product}]
    food = create(admin, "tax-rates", name="Food", tax_region_id=region, code="food", rate=7, rules=rules)
    assert (food["is_default"], _rules(food)) == (False, [("product", product)])
    one = f"/admin/tax-rates/{food['id']}"
    changed = admin.post(one, {"rules": [{"reference": "shipping_option", "reference_id": parcel}]}).json()["tax_rate"]
    assert (changed["rate"], _rules(changed)) == (7, [("shipping_option", parcel)])
    assert _rules(admin.post(one, {"rate": 5.5}).json()["tax_rate"]) == [("shipping_option", parcel)]
    assert admin.send("DELETE", one).json() == {"id": food["id"], "object": "tax_rate", "deleted": True}
    (left,) = admin.get(f"/admin/tax-regions/{region}").json()["tax_region"]["tax_rates"]
    assert left == {name: value for name, value in made.items() if name != "tax_region"}


def _rules(rate: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["reference"], each["reference_id"]) for each in rate["rules"]]


def test_what_cannot_be_is_named_and_nothing_is_half_written(admin: Caller) -> None:
    france, spain = tax_region("fr").pk, tax_region("es").pk
    rate = {"name": "VAT", "code": "vat"}
    for body, message in (
        ({"country_code": "zz"}, "country_code"),
        ({"country_code": "us", "province_code": "us-zz"}, "province"),
        ({"country_code": "us", "province_code": "us-ny", "parent_id": france}, "parent_id"),
        ({"country_code": "us", "parent_id": "txreg_x"}, "parent_id"),
        ({"country_code": "us", "provider_id": "none"}, "provider_id"),
        ({"country_code": "us", "default_tax_rate": {**rate, "rate": 1001}}, "rate"),
        ({"country_code": "us", "default_tax_rate": {**rate, "rate": 5.00001}}, "rate"),
        ({"country_code": "us", "default_tax_rate": {**rate, "is_combinable": True}}, "is_combinable"),
        ({"country_code": "us", "default_tax_rate": {"code": "vat"}}, "name"),
        ({"country_code": "us", "default_tax_rate": {**rate, "parent": 1}}, "parent"),
    ):
        status, text = refusal(admin.post("/admin/tax-regions", body))
        assert (status, message in text) == (400, True), (body, text)
    taken = admin.post("/admin/tax-regions", {"country_code": "fr"})
    assert (taken.status_code, taken.json()["type"]) == (422, "duplicate_error")
    assert {*TaxRegion.objects.values_list("pk", flat=True)} == {france, spain}
    for body, message in (
        ({"rules": [{"reference": "customer", "reference_id": "x"}]}, "reference"),
        ({"rules": [{"reference": "product", "reference_id": "prod_x"}]}, "rules"),
        ({"rules": [{"reference": "product", "reference_id": "a\0"}]}, "rules"),
        ({"is_default": False}, "is_default"),
        ({"tax_region_id": "txreg_x"}, "tax_region_id"),
    ):
        status, text = refusal(admin.post("/admin/tax-rates", {**rate, "tax_region_id": france, **body}))
        assert (status, message in text) == (400, True), (body, text)
    assert not TaxRate.objects.exists()


def test_deleting_a_country_deletes_its_provinces_and_all_rates(admin: Caller) -> None:
    kept = tax_rate("gb", 20)
    country = tax_rate("ca", 5).tax_region_id
    tax_rate("ca", 13, "ca-on")
    assert admin.send("DELETE", f"/admin/tax-regions/{country}").json()["object"] == "tax_region"
    assert admin.get("/admin/tax-rates").json()["tax_rates"][0]["id"] == kept.pk
    assert [each["country_code"] for each in admin.get("/admin/tax-regions").json()["tax_regions"]] == ["gb"]


def test_a_default_rate_needs_its_own_permission() -> None:
    caller = importer(secret_key(UserFactory(is_superuser=True), permissions={"taxes.add_taxregion"}))
    rate = {"name": "VAT", "code": "vat", "rate": 20}
    refused = caller.post("/admin/tax-regions", {"country_code": "gb", "default_tax_rate": rate})
    assert (refused.status_code, TaxRegion.objects.count()) == (403, 0)
    assert caller.post("/admin/tax-regions", {"country_code": "gb"}).status_code == 200


def test_tax_providers_are_the_shop_and_those_of_the_settings(admin: Caller, settings: Settings) -> None:
    settings.TAX_PROVIDERS = {"avalara": "a.B", "taxjar": "c.D"}
    all_three = [{"id": key, "is_enabled": True} for key in ("avalara", "taxjar", "tp_system")]
    for query, shown in (
        ("", all_three),
        ("?is_enabled=true&id[]=taxjar&id[]=x", all_three[1:2]),
        ("?id=avalara", all_three[:1]),
        ("?is_enabled=false", []),
        ("?order=-id&limit=1", all_three[2:]),
    ):
        assert admin.get(f"/admin/tax-providers{query}").json()["tax_providers"] == shown
    region = create(admin, "tax-regions", country_code="us", provider_id="avalara")
    changed = admin.post(f"/admin/tax-regions/{region['id']}", {"provider_id": "taxjar", "metadata": {"a": 1}})
    assert changed.json()["tax_region"] == {
        **changed.json()["tax_region"],
        "provider_id": "taxjar",
        "metadata": {"a": 1},
    }
    for own_rates in ("tp_system", "system", None):
        admin.post(f"/admin/tax-regions/{region['id']}", {"provider_id": "taxjar"})
        own = admin.post(f"/admin/tax-regions/{region['id']}", {"provider_id": own_rates}).json()["tax_region"]
        assert (own["provider_id"], own["metadata"]) == (None, {"a": 1})


def test_by_graphql(admin: Caller) -> None:
    mutation = """mutation ($rate: DefaultRateInput) {
        createTaxRegion(input: { countryCode: "de", defaultTaxRate: $rate }) {
            taxRegion { countryCode taxRates { rate isDefault } } } }"""
    made = data(ask(admin, mutation, {"rate": {"name": "VAT", "code": "vat", "rate": 19}}))
    shown = {"countryCode": "de", "taxRates": [{"rate": 19, "isDefault": True}]}
    assert made == {"createTaxRegion": {"taxRegion": shown}}
    assert data(ask(admin, "{ taxRegions { taxRegions { countryCode taxRates { rate isDefault } } } }")) == {
        "taxRegions": {"taxRegions": [shown]}
    }


def test_a_country_of_a_batch_is_refused_by_its_path(admin: Caller) -> None:
    refused = admin.post("/admin/tax-regions/batch", {"create": [{"country_code": "us"}, {"country_code": "zz"}]})
    assert "create[1].country_code" in refusal(refused)[1]
