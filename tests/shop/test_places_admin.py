"""The screens of where the shop sells and what it sells from."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry

from shop.models import Country, Currency, Region, ShippingProfile, StockLocation, StockLocationAddress, Store
from tests.factories.shop import RegionFactory, SalesChannelFactory
from tests.kit.admin.forms import errors, save
from tests.kit.admin.visits import history, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

REGIONS = "/admin/shop/region/"
CURRENCIES = "/admin/shop/currency/"
LOCATIONS = "/admin/shop/stocklocation/"
PROFILES = "/admin/shop/shippingprofile/"


def region_form(**changes: Any) -> dict[str, Any]:
    """What the browser sends of a region."""
    return {
        "name": "Europe", "currency": "eur", "countries": ["de"], "tax_rate": "19", "metadata": "",
        **changes,
    }  # fmt: skip


class TestRegions:
    def test_one_is_opened_with_its_countries(self):
        client = superuser()
        client.post(f"{REGIONS}add/", region_form(payment_providers=["pp_system_default"], metadata='{"a": 1}'))
        region = Region.objects.get()
        assert (region.name, region.currency_id, region.tax_rate) == ("Europe", "eur", 19)
        assert (region.metadata, region.is_tax_inclusive) == ({"a": 1}, False)
        assert [country.pk for country in region.countries.all()] == ["de"]
        assert [provider.pk for provider in region.payment_providers.all()] == ["pp_system_default"]
        assert Store.objects.get().default_region == region
        assert history() == [("Europe", 1)]
        assert LogEntry.objects.get().object_id == region.pk

    def test_the_currencies_of_other_regions_come_first(self):
        for currency in ("usd", "jpy", "usd"):
            RegionFactory(currency_id=currency)
        field = superuser().get(f"{REGIONS}add/").context["adminform"].form.fields["currency"]
        nothing, (own, first), (others, rest) = field.choices
        assert (nothing[0], own, [code for code, _ in first]) == ("", "Currencies of the shop", ["usd", "jpy"])
        assert others == "All others"
        assert "eur" in dict(rest)
        assert "usd" not in dict(rest)
        assert not {"xts", "xxx", "xau", "clf"} & dict(rest).keys()

    def test_the_countries_of_regions_come_first(self):
        Country.objects.filter(pk="gb").update(region=RegionFactory())
        (_, _), (_, first), (_, rest) = (
            superuser().get(f"{LOCATIONS}add/").context["adminform"].form.fields["country_code"].choices
        )
        assert first == [("gb", "United Kingdom")]
        assert "gb" not in dict(rest)

    def test_its_form_explains_currency_tax_and_providers(self):
        page = superuser().get(f"{REGIONS}add/").content.decode()
        for explanation in (
            "Prices, carts and orders of the region are in it.",
            "In percent. Applies wherever no rate of a tax region does.",
            "Whether amounts of this region include the tax",
            "Customers of the region choose among these. Without one they cannot pay.",
        ):
            assert explanation in page

    def test_countries_of_other_regions_say_so(self):
        asia = RegionFactory(name="Asia", countries=["jp"])
        for url, label in ((f"{REGIONS}add/", "Japan (in Asia)"), (f"{REGIONS}{asia.pk}/change/", "Japan")):
            offered = dict(superuser().get(url).context["adminform"].form.fields["countries"].choices)
            assert {str(code): name for code, name in offered.items()}["jp"] == label
            assert offered["de"] == "Germany"

    def test_one_is_changed_with_its_countries(self):
        client = superuser()
        client.post(f"{REGIONS}add/", region_form(metadata='{"a": 1, "b": 2}'))
        region = Region.objects.get()
        form = client.get(f"{REGIONS}{region.pk}/change/").content.decode()
        assert '<option value="de" selected>Germany</option>' in form
        save(client, f"{REGIONS}{region.pk}/change/", region_form(
            name="EU", countries=["fr"], is_tax_inclusive="on", metadata='{"b": 3}',
        ))  # fmt: skip
        region.refresh_from_db()
        assert (region.name, region.is_tax_inclusive, region.metadata) == ("EU", True, {"b": 3})
        assert [country.pk for country in region.countries.all()] == ["fr"]
        assert history() == [("Europe", 1), ("EU", 2)]

    @pytest.mark.parametrize(("changes", "field", "refusal"), [
        ({"countries": ["de", "jp"]}, "countries", "Japan belongs to the region 'Asia'. Remove it there first."),
    ])  # fmt: skip
    def test_what_the_verb_refuses_is_shown_at_its_field_and_changes_nothing(self, changes, field, refusal):
        RegionFactory(name="Asia", countries=["jp"])
        answer = superuser().post(f"{REGIONS}add/", region_form(**changes))
        assert refusal in errors(answer)[field]
        assert [region.name for region in Region.objects.all()] == ["Asia"]
        assert history() == []

    @pytest.mark.parametrize("changes", [
        {"name": "Asia"},
        {"name": ""},
        {"currency": "zzz"},
        {"currency": "a\0b"},
        {"countries": ["a\0b"]},
        {"tax_rate": "ten"},
        {"tax_rate": "1.00001"},
        {"tax_rate": "1000.1"},
        {"metadata": "[]"},
    ])  # fmt: skip
    def test_what_the_form_refuses_is_reported_and_changes_nothing(self, changes):
        RegionFactory(name="Asia")
        answer = superuser().post(f"{REGIONS}add/", region_form(**changes))
        assert answer.status_code == 200
        assert answer.context["errors"]
        assert [region.name for region in Region.objects.all()] == ["Asia"]

    def test_none_is_deleted(self):
        region, client = RegionFactory(), superuser()
        assert client.post(f"{REGIONS}{region.pk}/delete/", {"post": "yes"}).status_code == 403
        client.post(REGIONS, {"action": "delete_selected", "_selected_action": [region.pk], "post": "yes"})
        assert Region.objects.filter(pk=region.pk, deleted_at=None).exists()

    def test_each_screen_demands_its_permission(self):
        region = RegionFactory(countries=["us"])
        change = f"{REGIONS}{region.pk}/change/"
        assert [visitor().get(address).status_code for address in (REGIONS, f"{REGIONS}add/", change)] == [403] * 3
        looks = visitor("shop.view_region")
        assert "United States" in looks.get(change).content.decode()
        assert save(looks, change, region_form()).status_code == 403
        assert looks.post(f"{REGIONS}add/", region_form()).status_code == 403
        assert save(visitor("shop.change_region"), change, region_form()).status_code == 302
        assert visitor("shop.add_region").post(f"{REGIONS}add/", region_form(name="B", countries=[])).status_code == 302
        assert set(Region.objects.values_list("name", flat=True)) == {"Europe", "B"}


class TestCurrencies:
    def test_whether_amounts_contain_the_tax_is_all_that_changes(self):
        before = Currency.objects.values("name", "decimal_digits").get(pk="eur")
        form = {"code": "xyz", "name": "Mine", "decimal_digits": "9", "is_tax_inclusive": "on"}
        assert save(superuser(), f"{CURRENCIES}eur/change/", form).status_code == 302
        assert Currency.objects.values("name", "decimal_digits").get(pk="eur") == before
        assert [currency.pk for currency in Currency.objects.filter(is_tax_inclusive=True)] == ["eur"]

    def test_none_is_added_or_deleted(self):
        client = superuser()
        assert client.post(f"{CURRENCIES}add/", {"code": "xyz"}).status_code == 403
        assert client.post(f"{CURRENCIES}eur/delete/", {"post": "yes"}).status_code == 403

    def test_it_demands_its_permission(self):
        assert visitor().get(CURRENCIES).status_code == 403
        looks = visitor("shop.view_currency")
        assert looks.get(CURRENCIES).status_code == 200
        assert looks.post(f"{CURRENCIES}eur/change/", {"is_tax_inclusive": "on"}).status_code == 403


class TestStockLocations:
    def test_one_is_added_and_changed_with_its_address(self):
        client, channel = superuser(), SalesChannelFactory()
        client.post(f"{LOCATIONS}add/", {
            "name": "Warehouse", "sales_channels": [channel.pk],
            "city": "Austin", "country_code": "us", "province": "Texas",
        })  # fmt: skip
        warehouse = StockLocation.objects.get()
        assert list(warehouse.sales_channels.all()) == [channel]
        assert address_of(warehouse) == {"city": "Austin", "country_code": "us", "province": "us-tx"}
        address = warehouse.address_id
        save(client, f"{LOCATIONS}{warehouse.pk}/change/", {"name": "Depot", "city": "Reno", "phone": "5"})
        warehouse = StockLocation.objects.get()
        assert (warehouse.name, warehouse.address_id) == ("Depot", address)
        assert address_of(warehouse) == {"city": "Reno", "phone": "5"}
        assert history() == [("Warehouse", 1), ("Depot", 2)]

    def test_a_province_stays_that_shares_its_name_with_another(self):
        """Sofia is a city and a province."""
        client, given = superuser(), {"name": "Depot", "city": "Sofia", "country_code": "bg"}
        client.post(f"{LOCATIONS}add/", {**given, "province": "bg-22"})
        page = f"{LOCATIONS}{StockLocation.objects.get().pk}/change/"
        province = client.get(page).context["adminform"].form.initial["province"]
        save(client, page, {**given, "name": "Store", "province": province})
        assert StockLocation.objects.get().address.province == "bg-22"

    def test_a_new_one_serves_the_only_channel_and_offers_countries_by_name(self):
        form = superuser().get(f"{LOCATIONS}add/").context["adminform"].form
        assert [channel.pk for channel in form.initial["sales_channels"]] == [
            Store.objects.get().default_sales_channel_id
        ]
        nothing, (sold, first), (others, rest) = form.fields["country_code"].choices
        assert (nothing[0], sold, others) == ("", "Countries of the shop", "All others")
        assert dict([*first, *rest])["de"] == "Germany"

    def test_every_field_has_the_frame_of_the_theme(self):
        """Django's own widgets have no frame: on a white page, nobody sees where to type."""
        fields = superuser().get(f"{LOCATIONS}add/").context["adminform"].form.fields.items()
        frameless = {
            name for name, field in fields if name != "sales_channels" and "border" not in str(field.widget.attrs)
        }
        assert frameless == set()

    def test_one_without_address_has_none_and_may_get_one(self):
        client = superuser()
        client.post(f"{LOCATIONS}add/", {"name": "Attic", "city": ""})
        attic = StockLocation.objects.get()
        assert attic.address is None
        save(client, f"{LOCATIONS}{attic.pk}/change/", {"name": "Attic", "city": "Reno"})
        assert address_of(StockLocation.objects.get()) == {"city": "Reno"}

    @pytest.mark.parametrize(("changes", "field"), [
        ({"name": "Taken"}, "name"),
        ({"country_code": "zz"}, "country_code"),
        ({"country_code": "de", "province": "ny"}, "province"),
        ({"province": "ny"}, "province"),
        ({"sales_channels": ["a\0b"]}, "sales_channels"),
    ])  # fmt: skip
    def test_a_bad_value_is_reported_at_its_field(self, changes, field):
        StockLocation.objects.create(name="Taken")
        answer = superuser().post(f"{LOCATIONS}add/", {"name": "Attic", **changes})
        assert list(answer.context["adminform"].form.errors) == [field]
        assert StockLocation.objects.count() == 1
        assert not StockLocationAddress.objects.exists()

    def test_each_screen_demands_its_permission(self):
        location = StockLocation.objects.create(name="Attic")
        change = f"{LOCATIONS}{location.pk}/change/"
        assert [visitor().get(address).status_code for address in (LOCATIONS, f"{LOCATIONS}add/", change)] == [403] * 3
        looks = visitor("shop.view_stocklocation")
        assert looks.get(change).status_code == 200
        assert save(looks, change, {"name": "Mine"}).status_code == 403
        assert superuser().post(f"{LOCATIONS}{location.pk}/delete/", {"post": "yes"}).status_code == 403


class TestShippingProfiles:
    def test_one_is_added_and_changed(self):
        client = superuser()
        client.post(f"{PROFILES}add/", {"name": "Boxes", "type": "default", "metadata": '{"a": 1}'})
        boxes = ShippingProfile.objects.get()
        assert (boxes.type, boxes.metadata) == ("default", {"a": 1})
        save(client, f"{PROFILES}{boxes.pk}/change/", {"name": "Letters", "type": "flat"})
        assert ShippingProfile.objects.values_list("name", "type").get() == ("Letters", "flat")

    def test_a_taken_name_is_refused_and_none_is_deleted(self):
        boxes, client = ShippingProfile.objects.create(name="Boxes"), superuser()
        answer = client.post(f"{PROFILES}add/", {"name": "Boxes", "type": "default"})
        assert answer.context["adminform"].form.errors["name"] == ["Another shipping profile has this name."]
        assert client.post(f"{PROFILES}{boxes.pk}/delete/", {"post": "yes"}).status_code == 403


def address_of(location: StockLocation) -> dict[str, str]:
    """What its address says."""
    fields = ("company", "address_1", "address_2", "city", "country_code", "province", "postal_code", "phone")
    return {name: value for name in fields if (value := getattr(location.address, name)) is not None}
