"""The screens of tax regions."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.admin.utils import quote

from commerce.operations.roles.roles import ROLES
from taxes.models import TaxRate, TaxRegion
from tests.factories.fulfillment import option
from tests.factories.products import ProductFactory, ProductTypeFactory
from tests.factories.shop import RegionFactory
from tests.factories.taxes import tax_rate, tax_region
from tests.kit.admin.forms import errors, row, sent, submit
from tests.kit.admin.visits import history, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

REGIONS = "/admin/taxes/taxregion/"


def page(region: TaxRegion) -> str:
    return f"{REGIONS}{quote(region.pk)}/change/"


def resulting_taxes(text: str) -> list[list[str]]:
    """The rows of the table that says what goods pay."""
    rows = text.split('class="page-table"')[1].split("<tbody>")[1].split("</tbody>", maxsplit=1)[0].split("<tr>")[1:]
    return [[_cell(cell) for cell in each.split("<td")[1:]] for each in rows]


def _cell(text: str) -> str:
    inner = text.split("<div>")[1].split("</div>", maxsplit=1)[0]
    return inner if "<a " in inner else re.sub("<[^>]+>", "", inner)


def stored(region: TaxRegion) -> list[tuple[str, Decimal, bool, set[str]]]:
    rates = TaxRate.objects.not_deleted().filter(tax_region=region).order_by("name")
    return [
        (rate.name, rate.rate, rate.is_default, {*rate.rules.values_list("reference_id", flat=True)}) for rate in rates
    ]


class TestCountries:
    def test_one_is_added_with_its_rates(self):
        client, food = superuser(), ProductTypeFactory()
        values = sent(client, f"{REGIONS}add/", country="de", metadata='{"a": 1}')
        values = row(values, "tax_rates", name="Standard", rate="19", is_default="on")
        submit(client, f"{REGIONS}add/", row(values, "tax_rates", name="Reduced", rate="7,5", product_types=[food.pk]))
        germany = TaxRegion.objects.get()
        assert (germany.country_id, germany.province, germany.metadata) == ("de", None, {"a": 1})
        assert stored(germany) == [
            ("Reduced", Decimal("7.5"), False, {food.pk}),
            ("Standard", Decimal(19), True, set()),
        ]
        assert history() == [("Germany", 1)]

    def test_rates_are_changed_moved_and_removed_on_its_page(self):
        client = superuser()
        food, books, mug, parcel = ProductTypeFactory(), ProductTypeFactory(), ProductFactory(), option()
        tax_rate("de", 19, name="A")
        tax_rate("de", 7, types=[food], name="B")
        tax_rate("de", 5, types=[books], name="C")
        germany = tax_region("de")
        values = sent(client, page(germany))
        assert values["tax_rates-1-product_types"] == [food.pk]
        values |= {
            "tax_rates-0-rate": ["20"],
            "tax_rates-1-product_types": [food.pk, books.pk],
            "tax_rates-1-products": [mug.pk],
            "tax_rates-1-shipping_options": [parcel.pk],
            "tax_rates-2-DELETE": ["on"],
        }
        submit(client, page(germany), values)
        assert stored(germany) == [
            ("A", Decimal(20), True, set()),
            ("B", Decimal(7), False, {food.pk, books.pk, mug.pk, parcel.pk}),
        ]
        assert history() == [("Germany", 2)]
        submit(client, page(germany), sent(client, page(germany)))
        assert len(history()) == 1

    def test_the_page_shows_the_resulting_taxes(self):
        RegionFactory(name="Europe", countries=["de"], tax_rate=21, currency_id="eur")
        food, mug, parcel = ProductTypeFactory(value="Food"), ProductFactory(title="Mug"), option()
        tax_rate("de", 7, types=[food], name="Reduced")
        tax_rate("de", 0, products=[mug], options=[parcel], name="Zero")
        client, germany = superuser(), tax_region("de")
        own = "Rate of the region Europe 21 %"
        zone = parcel.service_zone.name
        assert resulting_taxes(client.get(page(germany)).content.decode().replace("&#x27;", "'")) == [
            ["Food", "Reduced 7 %", "7,00\u00a0€"],
            ["Mug", "Zero 0 %", "0,00\u00a0€"],
            ["All other products", own, "21,00\u00a0€"],
            [f"{parcel.name} ({zone})", "Zero 0 %", "0,00\u00a0€"],
            ["All other shipping", own, "21,00\u00a0€"],
        ]
        tax_rate("de", 19, name="Standard")
        assert ["All other products", "Standard 19 %", "19,00\u00a0€"] in resulting_taxes(
            client.get(page(germany)).content.decode()
        )

    @pytest.mark.parametrize(
        ("cells", "field", "message"),
        [
            ({"name": "X", "rate": "7"}, "product_types", "Choose products, product types or shipping options"),
            (
                {"name": "X", "rate": "7", "is_default": "on"},
                "is_default",
                "A tax region can have only one default rate.",
            ),
            (
                {"name": "X", "rate": "7", "is_default": "on", "goods": True},
                "is_default",
                "The default rate applies to everything else",
            ),
            ({"name": "X", "rate": "seven", "goods": True}, "rate", "number"),
            ({"name": "X", "rate": "101", "goods": True}, "rate", "100"),
            ({"name": "", "rate": "7", "goods": True}, "name", "required"),
        ],
    )
    def test_a_bad_rate_is_reported_at_its_field(self, cells: dict[str, Any], field: str, message: str):
        tax_rate("de", 19)
        goods = {"product_types": [ProductTypeFactory().pk]} if cells.pop("goods", False) else {}
        client, germany = superuser(), tax_region("de")
        answer = client.post(page(germany), row(sent(client, page(germany)), "tax_rates", **cells, **goods))
        assert any(message in text for text in errors(answer)[f"tax_rates-1-{field}"]), errors(answer)
        assert TaxRate.objects.count() == 1

    def test_goods_of_two_rates_are_named_above_the_form(self):
        food = ProductTypeFactory(value="Food")
        tax_rate("de", 7, types=[food], name="Reduced")
        client, germany = superuser(), tax_region("de")
        values = row(sent(client, page(germany)), "tax_rates", name="Other", rate="5", product_types=[food.pk])
        assert errors(client.post(page(germany), values))[""] == [
            "Two rates of Germany are for the product type 'Food': 'Reduced' and 'Other'"
        ]
        assert TaxRate.objects.count() == 1

    def test_a_country_with_a_tax_region_is_refused(self):
        tax_region("de")
        client = superuser()
        answer = client.post(f"{REGIONS}add/", sent(client, f"{REGIONS}add/", country="de"))
        assert errors(answer)["country"] == ["Tax region with country: Germany already exists"]

    def test_it_is_deleted_with_all_its_rates_and_restored(self):
        client = superuser()
        tax_rate("ca", 5)
        tax_rate("ca", 9.975, "ca-qc")
        address = f"{REGIONS}{tax_region('ca').pk}/"
        client.post(f"{address}delete/", {"post": "yes"})
        assert TaxRate.objects.not_deleted().count() == TaxRegion.objects.not_deleted().count() == 0
        client.post(f"{address}restore/", {"post": "yes"})
        assert TaxRate.objects.not_deleted().count() == TaxRegion.objects.not_deleted().count() == 2
        assert history() == [("Canada", 3), ("Canada", 2)]


class TestProvinces:
    def test_one_is_added_from_its_countrys_page(self):
        client = superuser()
        tax_rate("ca", 5, name="GST")
        canada = tax_region("ca")
        text = client.get(page(canada)).content.decode()
        assert f"{REGIONS}add/?country=ca" in text
        values = sent(client, f"{REGIONS}add/?country=ca", province="Québec")
        values = row(values, "tax_rates", name="QST", rate="9.975", is_default="on", is_combinable="on")
        submit(client, f"{REGIONS}add/?country=ca", values)
        quebec = TaxRegion.objects.get(province="ca-qc")
        assert (quebec.parent, str(quebec)) == (canada, "Quebec, Canada")
        assert f'{page(quebec)}"' in client.get(page(canada)).content.decode()
        assert resulting_taxes(client.get(page(quebec)).content.decode()) == [
            ["All other products", "GST 5 % + QST 9.975 %", "14,98\u00a0€"],
            ["Shipping", "GST 5 % + QST 9.975 %", "14,98\u00a0€"],
        ]
        listed = client.get(REGIONS).content.decode()
        assert listed.index("GST 5 %") < listed.index("QST 9.975 %")

    def test_only_its_rates_can_be_added_to_others(self):
        client = superuser()
        tax_rate("ca", 5)
        assert "is_combinable" not in client.get(page(tax_region("ca"))).content.decode()
        assert "is_combinable" in client.get(page(tax_region("ca", "ca-qc"))).content.decode()
        values = row(sent(client, f"{REGIONS}add/", country="de"), "tax_rates", name="A", rate="5", is_default="on")
        answer = client.post(f"{REGIONS}add/", {**values, "tax_rates-0-is_combinable": "on"})
        assert errors(answer) == {
            "tax_rates-0-is_combinable": ["Only a province's rate can be added to the country's."]
        }

    def test_an_unknown_province_is_refused(self):
        client = superuser()
        answer = client.post(f"{REGIONS}add/", sent(client, f"{REGIONS}add/", country="ca", province="Bavaria"))
        assert errors(answer)["province"] == ["'Bavaria' of field 'province' is not an ISO 3166-2 province of 'ca'"]

    def test_its_code_can_be_corrected(self):
        client, quebec = superuser(), tax_region("ca", "ca-qc")
        submit(client, page(quebec), sent(client, page(quebec), province="Ontario"))
        quebec.refresh_from_db()
        assert quebec.province == "ca-on"
        answer = client.post(page(quebec), sent(client, page(quebec), province=""))
        assert errors(answer) == {"province": ["This field is required."]}


class TestTheRegionOfTheShop:
    def test_its_page_says_which_rates_apply(self):
        america = RegionFactory(name="America", countries=["ca", "us", "mx", "br", "pe"], tax_rate=3)
        tax_rate("ca", 5, name="GST")
        tax_rate("ca", 9.975, "ca-qc", name="QST")
        tax_rate("ca", 0, types=[ProductTypeFactory()], name="Zero")
        tax_rate("us", 8.875, "us-ny")
        tax_rate("us", 6.25, "us-tx")
        tax_rate("br", 2, types=[ProductTypeFactory()], name="Low")
        mexico = tax_region("mx")
        text = superuser().get(f"/admin/shop/region/{america.pk}/change/").content.decode().replace("&#x27;", "'")
        assert [(name.split(">")[1].split("<")[0], said) for name, said in resulting_taxes(text)] == [
            ("Brazil", "Low 2 % for certain goods; region's own rate 3 % for everything else"),
            ("Canada", "GST 5 %; Zero 0 % for certain goods; 1 province with its own rates"),
            ("Mexico", "region's own rate 3 %"),
            ("Peru", "region's own rate 3 %"),
            ("United States", "region's own rate 3 %; 2 provinces with their own rates"),
        ]
        assert page(tax_region("ca")) in text
        assert page(tax_region("us")) in text
        assert page(mexico) in text
        assert f"{REGIONS}add/?country=pe" in text
        looks = visitor("shop.view_region").get(f"/admin/shop/region/{america.pk}/change/").content.decode()
        assert resulting_taxes(looks.replace("&#x27;", "'"))[2] == ["Mexico", "region's own rate 3 %"]


def test_each_screen_demands_its_permission():
    tax_rate("de", 19)
    germany = tax_region("de")
    addresses = (REGIONS, f"{REGIONS}add/", page(germany))
    assert [visitor().get(address).status_code for address in addresses] == [403] * 3
    looks = visitor("taxes.view_taxregion", "taxes.view_taxrate")
    assert [looks.get(address).status_code for address in addresses] == [200, 403, 200]
    assert "VAT" in looks.get(page(germany)).content.decode()
    assert "Resulting taxes" in looks.get(page(germany)).content.decode()
    assert "Resulting taxes" not in visitor("taxes.view_taxregion").get(page(germany)).content.decode()
    assert looks.post(page(germany), {}).status_code == 403
    assert looks.post(f"{REGIONS}{germany.pk}/delete/", {"post": "yes"}).status_code == 403


def test_the_pickers_find_goods_for_the_role_that_sets_taxes():
    """The site's search asks for the permission to view what it finds."""
    food, mug, parcel = ProductTypeFactory(value="Food"), ProductFactory(title="Mug"), option()
    client = visitor(*ROLES["Shop settings"])
    for column, row_id in (
        ("app_label=catalog&model_name=product&field_name=type", food.pk),
        ("app_label=catalog&model_name=productvariant&field_name=product", mug.pk),
        ("app_label=fulfillment&model_name=shippingoptionrule&field_name=shipping_option", parcel.pk),
    ):
        found = client.get(f"/admin/autocomplete/?{column}&term=").json()["results"]
        assert row_id in [each["id"] for each in found]
