"""What staff set up."""

from decimal import Decimal

from catalog.models import ProductType
from fulfillment.models import ServiceZone, ShippingOption
from shop.models import Region
from staff.models import Invitation, User
from taxes.models import TaxRate, TaxRegion
from tests.browser.day.person import Person

COUNTRIES = ("Czechia", "Hungary", "Poland", "Slovakia", "Slovenia")


def add_a_region(staff: Person) -> None:
    """Five countries and their currency."""
    staff.add("Regions")
    staff.enter("name", "Central Europe")
    staff.pick("currency", "Euro (EUR)")
    staff.pick("countries", *COUNTRIES)
    staff.picture("region")
    assert "Central Europe” was added successfully" in staff.save()
    region = Region.objects.get(name="Central Europe")
    assert tuple(region.countries.order_by("display_name").values_list("display_name", flat=True)) == COUNTRIES
    assert region.payment_providers.count() == 1


def tax_food_and_books(staff: Person) -> None:
    """7 % on them in Germany, where all goods pay 19 %."""
    germany = TaxRegion.objects.get(country="de")
    TaxRate.objects.filter(tax_region=germany, is_default=False).delete()
    ProductType.objects.create(value="Food")
    staff.menu("Tax regions")
    staff.activate("#result_list a", "Germany")
    staff.tick("#tax_rates-group .add-row a, #tax_rates-group a.add-row", "")
    staff.enter("tax_rates-1-name", "Reduced")
    staff.enter("tax_rates-1-rate", "7")
    staff.pick("tax_rates-1-product_types", "Food", "Books")
    staff.picture("tax-region")
    assert "Germany” was changed successfully" in staff.save()
    rate = TaxRate.objects.get(tax_region=germany, name="Reduced")
    goods = ProductType.objects.filter(pk__in=rate.rules.values("reference_id")).values_list("value", flat=True)
    assert (rate.rate, sorted(goods)) == (7, ["Books", "Food"])


def add_a_service_zone(staff: Person) -> None:
    """Two countries to ship to."""
    staff.add("Service zones")
    staff.enter("name", "Central Europe")
    staff.select("fulfillment_set", "Parcels from the warehouse")
    for row, country in enumerate(COUNTRIES[:2]):
        staff.tick("#geo_zones-group .add-row a, #geo_zones-group a.add-row", "")
        staff.select(f"geo_zones-{row}-country", country)
    assert "Central Europe” was added successfully" in staff.save()
    places = ServiceZone.objects.get(name="Central Europe").geo_zones
    assert (
        tuple(places.order_by("country__display_name").values_list("country__display_name", flat=True)) == COUNTRIES[:2]
    )


def offer_shipping(staff: Person) -> None:
    """A price below a total of the items, and none from there on."""
    staff.add("Shipping options")
    staff.enter("name", "Parcel to Central Europe")
    staff.select("service_zone", "Europe")
    staff.select("shipping_profile", "Parcels")
    for row, cells in enumerate(({"amount": "9.90", "below_total": "50"}, {"amount": "0", "from_total": "50"})):
        staff.tick("#prices-group .add-row a, #prices-group a.add-row", "")
        staff.enter(f"prices-{row}-currency", "Euro (EUR)")
        for name, value in cells.items():
            staff.enter(f"prices-{row}-{name}", value)
    staff.picture("shipping", top="#prices-group")
    assert "Parcel to Central Europe” was added successfully" in staff.save()
    made = ShippingOption.objects.get(name="Parcel to Central Europe")
    assert made.price_set is not None
    assert [price.amount for price in made.price_set.prices.order_by("amount")] == [0, Decimal("9.9")]


def invite_a_colleague(staff: Person) -> None:
    staff.add("Invitations")
    staff.enter("email", "eve@quayside.example")
    staff.tick("label", "Warehouse")
    staff.picture("invitation")
    staff.save()
    assert [group.name for group in Invitation.objects.get().groups.all()] == ["Warehouse"]


def change_roles(staff: Person, colleague: User) -> None:
    """A colleague gets another role."""
    staff.menu("Staff")
    staff.activate("#result_list a", colleague.email)
    staff.tick("label", "Payments")
    staff.save()
    assert [group.name for group in colleague.groups.all()] == ["Payments"]
