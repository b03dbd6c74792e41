"""What staff set up."""

from decimal import Decimal

from fulfillment.models import ServiceZone, ShippingOption
from shop.models import Region
from staff.models import Invitation, User
from tests.browser.day.person import Person

COUNTRIES = ("Czechia", "Hungary", "Poland", "Slovakia", "Slovenia")


def add_a_region(staff: Person) -> None:
    """Five countries and their currency."""
    staff.add("Regions")
    staff.enter("name", "Central Europe")
    staff.pick("currency", "eur Euro")
    staff.pick("countries", *COUNTRIES)
    staff.picture("region")
    assert "Central Europe” was added successfully" in staff.save()
    region = Region.objects.get(name="Central Europe")
    assert tuple(region.countries.order_by("display_name").values_list("display_name", flat=True)) == COUNTRIES
    assert region.payment_providers.count() == 1


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
        staff.enter(f"prices-{row}-currency", "eur")
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
