"""Dates on the admin site."""

import pytest
from pytest_django import Settings

from catalog.models import PriceList
from giftcards.models import GiftCard
from kit.values.timestamps import isoformat
from orders.models import Order
from shop.models import Store
from tests.factories.products import ProductFactory
from tests.factories.shop import RegionFactory
from tests.kit.admin.forms import errors, sent, submit
from tests.kit.admin.visits import superuser
from tests.orders.returns.shop import paid

pytestmark = pytest.mark.django_db
ADD = "/admin/catalog/pricelist/add/"


def test_dates_are_shown_as_27_nov_2026_14_05() -> None:
    product = ProductFactory()
    page = superuser().get("/admin/catalog/product/").content.decode()
    assert f"{product.updated_at:%-d %b %Y, %H:%M}<" in page


def test_they_are_shown_and_entered_in_the_time_zone_of_the_shop(settings: Settings) -> None:
    settings.TIME_ZONE = "Asia/Tokyo"
    client, page = superuser(), "/admin/catalog/pricelist/add/"
    submit(client, page, sent(client, page, title="Summer", starts_at_0="2026-06-01", starts_at_1="08:30:00"))
    sale = PriceList.objects.get()
    assert sale.starts_at is not None
    assert isoformat(sale.starts_at) == "2026-05-31T23:30:00.000Z"
    form = sent(client, f"/admin/catalog/pricelist/{sale.pk}/change/")
    assert (form["starts_at_0"], form["starts_at_1"]) == (["2026-06-01"], ["08:30:00"])
    assert "1 Jun 2026, 08:30" in client.get("/admin/catalog/pricelist/").content.decode()


def a_sale(**dates: str) -> PriceList:
    client = superuser()
    submit(client, ADD, sent(client, ADD, title="Summer", **dates))
    return PriceList.objects.get()


@pytest.mark.parametrize(
    ("zone", "day", "start", "end"),
    [
        ("Europe/London", "2027-05-12", "2027-05-11T23:00:00.000Z", "2027-05-12T22:59:59.999Z"),
        ("UTC", "2027-05-12", "2027-05-12T00:00:00.000Z", "2027-05-12T23:59:59.999Z"),
        # In Havana, clocks skip midnight on 14 March and repeat it on 7 November.
        ("America/Havana", "2027-03-14", "2027-03-14T05:00:00.000Z", "2027-03-15T03:59:59.999Z"),
        ("America/Havana", "2027-11-07", "2027-11-07T04:00:00.000Z", "2027-11-08T04:59:59.999Z"),
        # In Santiago, the last hour of 3 April comes twice.
        ("America/Santiago", "2027-04-03", "2027-04-03T03:00:00.000Z", "2027-04-04T03:59:59.999Z"),
    ],
)
def test_a_day_without_a_time_begins_a_start_and_ends_an_end(
    settings: Settings, zone: str, day: str, start: str, end: str
) -> None:
    settings.TIME_ZONE = zone
    sale = a_sale(starts_at_0=day, ends_at_0=day)
    assert sale.starts_at is not None
    assert sale.ends_at is not None
    assert (isoformat(sale.starts_at), isoformat(sale.ends_at)) == (start, end)


@pytest.mark.parametrize(
    "text",
    ["12/05/2027", "05/12/2027", "12.05.2027", "12-05-2027", "12 May 2027", "20270512x", "2027-13-01", "tomorrow"],
)
def test_a_day_is_never_guessed(text: str) -> None:
    client = superuser()
    answer = client.post(ADD, sent(client, ADD, title="Summer", starts_at_0=text))
    assert errors(answer) == {"starts_at": ["Enter a date, such as 2027-05-12."]}
    assert f'value="{text}"' in answer.content.decode()


def test_a_time_needs_a_day_and_has_two_digits_for_hours() -> None:
    client = superuser()
    for values, message in (
        ({"starts_at_1": "08:30"}, "Enter a date, such as 2027-05-12."),
        ({"starts_at_0": "2027-05-12", "starts_at_1": "8.30"}, "Enter a time, such as 08:30."),
    ):
        assert errors(client.post(ADD, sent(client, ADD, title="Summer", **values))) == {"starts_at": [message]}


def test_iso_8601_with_a_zone_is_that_moment(settings: Settings) -> None:
    settings.TIME_ZONE = "Europe/London"
    sale = a_sale(starts_at_0="2027-05-12T10:00+02:00", ends_at_0="2027-05-12T09:30")
    assert sale.starts_at is not None
    assert sale.ends_at is not None
    assert isoformat(sale.starts_at) == "2027-05-12T08:00:00.000Z"
    assert isoformat(sale.ends_at) == "2027-05-12T08:30:00.000Z"


@pytest.mark.parametrize(
    ("moment", "shown"),
    [
        ("2027-05-12T22:59:59.999+00:00", ("2027-05-12", "")),  # the end of a day in London
        ("2027-05-12T10:15:30.250+00:00", ("2027-05-12", "11:15:30")),
        ("2027-10-31T01:30:00.000+00:00", ("2027-10-31", "01:30:00")),  # the second of two
    ],
)
def test_what_was_shown_is_read_back(settings: Settings, moment: str, shown: tuple[str, str]) -> None:
    settings.TIME_ZONE = "Europe/London"
    sale = PriceList.objects.create(title="Summer", ends_at=moment)
    client, address = superuser(), f"/admin/catalog/pricelist/{sale.pk}/change/"
    values = sent(client, address, title="Autumn")
    assert (values["ends_at_0"], values["ends_at_1"]) == ([shown[0]], [shown[1]])
    submit(client, address, values)
    sale.refresh_from_db()
    assert sale.ends_at is not None
    assert (sale.title, sale.ends_at.isoformat(timespec="milliseconds")) == ("Autumn", moment)


def test_a_moment_that_comes_twice_is_refused_with_the_zone(settings: Settings) -> None:
    settings.TIME_ZONE = "Europe/London"
    client = superuser()
    answer = client.post(ADD, sent(client, ADD, title="Summer", ends_at_0="2027-10-31", ends_at_1="01:30"))
    assert "in time zone Europe/London" in errors(answer)["ends_at"][0]


def test_a_card_expires_at_the_end_of_its_day(settings: Settings) -> None:
    settings.TIME_ZONE = "Europe/London"
    RegionFactory()
    client, address = superuser(), "/admin/giftcards/giftcard/add/"
    client.post(address, sent(client, address, value="5", currency="usd", expires_at_0="2099-05-12"))
    expiry = GiftCard.objects.get().expires_at
    assert expiry is not None
    assert isoformat(expiry) == "2099-05-12T22:59:59.999Z"


def test_fields_and_the_stores_page_name_the_zone(settings: Settings) -> None:
    settings.TIME_ZONE = "Europe/London"
    RegionFactory()
    client, store = superuser(), Store.objects.get()
    for address in ("catalog/pricelist/add", "carts/promotion/add", "giftcards/giftcard/add", "orders/order/export"):
        page = client.get(f"/admin/{address}/").content.decode()
        assert page.count("Time zone: Europe/London") == page.count('type="date"') > 0, address
    assert "Time zone: Europe/London" in client.get("/admin/orders/order/").content.decode()
    assert "Europe/London" in client.get(f"/admin/shop/store/{store.pk}/change/").content.decode()


def test_the_list_of_orders_has_whole_days_of_the_shop(settings: Settings) -> None:
    settings.TIME_ZONE = "Asia/Tokyo"
    order = paid()
    Order.objects.update(created_at="2027-05-12T14:59:59.999Z")  # the last moment of 12 May
    client = superuser()

    def found(first: str, last: str) -> list[Order]:
        page = client.get("/admin/orders/order/", {"created_at_from": first, "created_at_to": last})
        return list(page.context["cl"].result_list)

    assert found("2027-05-12", "2027-05-12") == [order]
    assert found("2027-05-13", "") == found("", "2027-05-11") == []
    assert "Enter a date, such as" in str(
        client.get("/admin/orders/order/", {"created_at_from": "12/05/2027"}).content.decode()
    )
