"""The admin site as a whole: who sees what, what it costs, and what it takes from nobody."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.db import connection
from django.db.models import DateField
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_tasks_db.models import DBTaskResult

from apikeys import revocation
from giftcards.cards.cancellation import cancel
from giftcards.models import GiftCard
from kit.admin.base_admin import BaseAdmin
from kit.admin.forms.metadata_field import as_update
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from shop.admin.currencies import CurrencyAdmin
from shop.models import StockLocation, StockLocationAddress, Store
from tests.factories.apikeys import publishable_key
from tests.factories.catalog import CategoryFactory
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, store_credit
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import ProductCollectionFactory, ProductFactory, ProductTypeFactory, VariantFactory
from tests.factories.shop import RegionFactory, SalesChannelFactory
from tests.factories.staff import UserFactory
from tests.kit.admin.visits import superuser, visitor

pytestmark = pytest.mark.every(2)

SCREENS = sorted(admin.site._registry, key=lambda model: model._meta.label)
each_screen = pytest.mark.parametrize("model", SCREENS, ids=lambda model: model._meta.label)


def list_of(model: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def sidebar(client: Client) -> dict[str, list[str]]:
    groups = client.get("/admin/").context["sidebar_navigation"]
    return {str(group.get("title", "")): [str(item["title"]) for item in group["items"]] for group in groups}


def test_the_system_check_reads_no_table():
    """A new database has none, and `migrate` checks before it makes them. This test may not use the database."""
    call_command("check")


@pytest.mark.django_db
class TestEveryScreen:
    @each_screen
    def test_it_is_one_of_ours(self, model):
        screen = admin.site.get_model_admin(model)
        assert isinstance(screen, BaseAdmin)
        assert screen.section
        assert screen.icon

    @each_screen
    def test_its_list_opens_for_a_superuser(self, model):
        answer = superuser().get(list_of(model), follow=True)
        assert answer.status_code == 200

    @each_screen
    def test_it_is_closed_without_permission_and_then_not_in_the_sidebar(self, model):
        assert visitor().get(list_of(model), follow=True).status_code == 403

    @each_screen
    def test_it_is_closed_to_who_has_not_signed_in(self, model):
        assert Client().get(list_of(model))["Location"].startswith("/admin/login/?next=")

    @each_screen
    def test_it_loads_nothing_from_elsewhere(self, model):
        page = superuser().get(list_of(model), follow=True).content.decode()
        assert re.findall(r'(?:src|href|action)="(?:https?:)?//[^"]*', page) == []

    @each_screen
    def test_its_list_is_shown_again_after_a_filter_that_it_cannot_follow(self, model):
        number = "9" * 30
        times = [field.name for field in model._meta.fields if isinstance(field, DateField)]
        queries = [f"{name}__year={year}" for name in times for year in ("99999999", number, "0")]
        client, address = superuser(), list_of(model)
        reported = f"/admin/shop/store/{Store.objects.get().pk}/change/" if model is Store else f"{address}?e=1"
        assert {client.get(f"{address}?{query}").headers.get("Location") for query in queries} <= {reported}
        assert client.get(f"{address}?pk={number}").status_code in (200, 302)

    def test_a_list_that_nobody_filtered_fails_as_it_is(self, monkeypatch):
        def fail(*_):
            raise ValueError("a mistake of ours")

        monkeypatch.setattr(CurrencyAdmin, "get_queryset", fail)
        client = superuser()
        with pytest.raises(ValueError, match="a mistake of ours"):
            client.get("/admin/shop/currency/")

    @each_screen
    def test_an_id_that_no_database_holds_is_no_row(self, model):
        info = f"{model._meta.app_label}/{model._meta.model_name}"
        answer = superuser().get(f"/admin/{info}/a%00b/change/")
        assert (answer.status_code, answer["Location"]) == (302, "/admin/")

    @each_screen
    def test_more_words_than_a_statement_can_take_are_not_searched(self, model):
        client, path = superuser(), f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        assert client.get(path, {"q": "a " * 1100}, follow=True).status_code == 200

    def test_which_the_list_says(self):
        client, path = superuser(), "/admin/shop/currency/"
        refusal = "The search was ignored: it may contain at most 50 words."
        assert refusal in client.get(path, {"q": "a " * 51}).content.decode()
        assert refusal not in client.get(path, {"q": "a " * 50}).content.decode()


def channels(number: int) -> None:
    SalesChannelFactory.create_batch(number)


def products(number: int) -> None:
    for _ in range(number):
        VariantFactory(product__type=ProductTypeFactory(), product__collection=ProductCollectionFactory())


def price_lists(number: int) -> None:
    for _ in range(number):
        price(VariantFactory(), 1, price_list=PriceListFactory())


def regions(number: int) -> None:
    RegionFactory.create_batch(number)


def locations(number: int) -> None:
    for _ in range(number):
        address = StockLocationAddress.objects.create(city="Austin")
        StockLocation.objects.create(name=f"Location {address.pk}", address=address)


def keys(number: int) -> None:
    for _ in range(number):
        issued = publishable_key(SalesChannelFactory(), SalesChannelFactory())
        type(issued.key).objects.filter(pk=issued.key.pk).update(created_by=UserFactory())


def users(number: int) -> None:
    UserFactory.create_batch(number)


def devices(number: int) -> None:
    for user in UserFactory.create_batch(number):
        TOTPDevice.objects.create(user=user, name="Phone")


def entries(number: int) -> None:
    for user in UserFactory.create_batch(number):
        LogEntry.objects.log_actions(user.pk, [user], 1, "Made.")


def categories(number: int) -> None:
    parent = CategoryFactory()
    for _ in range(number):
        parent = CategoryFactory(parent=parent) if parent.depth < 9 else CategoryFactory()


def tasks(number: int) -> None:
    DBTaskResult.objects.bulk_create(
        DBTaskResult(task_path="a.b", args_kwargs={}, backend_name="default", run_after="2026-01-01T00:00Z")
        for _ in range(number)
    )


def cards(number: int) -> None:
    for _ in range(number):
        gift_card(customer_id=CustomerFactory().pk)


def accounts(number: int) -> None:
    for _ in range(number):
        store_credit(CustomerFactory())


ENTRIES_ARE_COUNTED = connection.vendor == "postgresql"
"""Whether a search first counts its matches: one statement (catalog/admin/products/product_search.py)."""
BUDGETS: list[tuple[str, Callable[[int], None], int]] = [
    ("/admin/catalog/productcategory/", categories, 5),
    ("/admin/catalog/productcategory/?q=category", categories, 5),
    ("/admin/catalog/product/", products, 8),
    ("/admin/catalog/product/?q=product", products, 8 + ENTRIES_ARE_COUNTED),
    ("/admin/catalog/product/?stock=low&q=product", products, 6 + ENTRIES_ARE_COUNTED),
    ("/admin/catalog/productvariant/", products, 4),
    ("/admin/catalog/pricelist/", price_lists, 4),
    ("/admin/apikeys/apikey/", keys, 5),
    ("/admin/giftcards/giftcard/", cards, 5),
    ("/admin/giftcards/storecreditaccount/", accounts, 5),
    ("/admin/giftcards/transactiongroup/", accounts, 5),
    ("/admin/giftcards/transaction/", accounts, 5),
    ("/admin/staff/user/", users, 5),
    ("/admin/otp_totp/totpdevice/", devices, 4),
    ("/admin/admin/logentry/", entries, 5),
    ("/admin/shop/saleschannel/", channels, 4),
    ("/admin/shop/region/", regions, 4),
    ("/admin/shop/stocklocation/", locations, 4),
    ("/admin/django_tasks_database/dbtaskresult/", tasks, 4),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "fill", "budget"), BUDGETS, ids=[address for address, _, _ in BUDGETS])
def test_a_list_costs_the_same_for_few_rows_and_for_many(address, fill, budget):
    client = superuser()
    fill(3)
    client.get(address)
    counts = []
    for more in (0, 20):
        fill(more)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(address).status_code == 200
        counts.append(len(queries))
    assert counts == [budget, budget]


@pytest.mark.django_db
class TestOverview:
    def test_its_figures_lead_to_what_they_count(self):
        CategoryFactory(parent=CategoryFactory())
        CategoryFactory(is_internal=True)
        publishable_key()
        revocation.revoke(actor=SYSTEM, key_id=publishable_key().key.pk)
        ProductFactory()
        ProductFactory.create_batch(2, status="draft")
        ProductFactory(status="rejected")
        cards(4)
        GiftCard.objects.filter(pk__in=GiftCard.objects.values("pk")[:3]).update(expires_at=now())
        cancel(actor=SYSTEM, card_id=GiftCard.objects.exclude(expires_at=None)[0].pk)
        client = superuser()
        first, *panels = client.get("/admin/").context["panels"]
        assert first.title.startswith("First steps")
        assert [panel.title for panel in panels[:6]] == [
            *("To do", "Sales of the last 7 days", "Best sellers of the last 30 days", "Low stock: 5 or fewer"),
            *("Invoices", "Abandoned carts"),
        ]
        assert [
            (panel.title, [(figure.count, figure.meaning) for figure in panel.figures]) for panel in panels[6:]
        ] == [
            ("Product categories", [(2, "visible in the store"), (1, "hidden")]),
            ("Products", [(1, "published"), (2, "drafts")]),
            ("Payments", [(0, "to capture"), (0, "need attention")]),
            ("Gift cards", [(1, "redeemable"), (2, "expired")]),
            ("API keys", [(1, "active"), (1, "revoked")]),
        ]
        for figure in (figure for panel in panels for figure in panel.figures):
            assert client.get(figure.address).context["cl"].result_count == figure.count

    def test_it_shows_each_what_they_may_view(self):
        CategoryFactory()
        assert visitor().get("/admin/").context["panels"] == []
        (panel,) = visitor("apikeys.view_apikey").get("/admin/").context["panels"]
        assert panel.title == "API keys"

    def test_it_costs_a_few_statements(self, django_assert_num_queries):
        client = superuser()
        # session, user, six panels, payments 2, first steps, seven tasks, sales 2, best sellers 4, low stock, carts,
        # invoices, recent actions
        with django_assert_num_queries(27):
            client.get("/admin/")

    def test_the_sidebar_is_grouped_and_holds_what_one_may_view(self):
        assert sidebar(superuser()) == {
            "": ["Overview"],
            "Catalogue": [
                *("Products", "Collections", "Price lists", "Product categories", "Promotions", "Stock"),
                *("Variants", "Campaigns", "Inventory items", "Reservations", "Stock movements", "Tags", "Types"),
            ],
            "Orders": ["Orders", "Draft orders", "Invoices and credit notes", "Completion attempts", "Return reasons"],
            "Customers": ["Buyers", "Customers", "Carts", "Customer groups"],
            "Payments": ["Payment collections", "Payments", "Payment sessions", "Refund reasons"],
            "Gift cards and credit": ["Gift cards", "Store credit accounts", "Transaction groups", "Transactions"],
            "Shipping": ["Service zones", "Shipping options", "Fulfillment sets"],
            "Settings": [
                *("Invitations", "Regions", "Staff", "Tax regions"),
                *("API keys", "Currencies", "Fulfillment providers", "Payment providers", "Roles", "Sales channels"),
                *("Second factors", "Shipping profiles", "Stock locations", "Store"),
            ],
            "Operations": [
                *("Background tasks", "Emails", "History", "Imports", "Jobs"),
                *("Webhooks", "Webhook deliveries", "Events"),
            ],
        }
        assert sidebar(visitor("shop.view_store")) == {"": ["Overview"], "Settings": ["Store"]}


@pytest.mark.django_db
class TestAddresses:
    def test_the_site_is_found_without_its_slash(self):
        answer = Client().get("/admin")
        assert (answer.status_code, answer["Location"]) == (302, "/admin/")

    def test_the_routes_of_programs_below_it_are_theirs(self):
        assert superuser().get("/admin/api-keys")["Content-Type"] == "application/json"
        assert superuser().get("/admin/apikeys/apikey/")["Content-Type"].startswith("text/html")


@pytest.mark.django_db
class TestUnreadableColumns:
    @pytest.mark.parametrize(
        "query",
        [
            "apikeys/apikey/?digest__startswith=a",
            "apikeys/apikey/?token__startswith=pk_",
            "apikeys/apikey/?created_by__password__startswith=a",
            "staff/user/?password__startswith=a",
            "staff/user/?stamp__startswith=a",
            "otp_totp/totpdevice/?key__startswith=a",
            "otp_totp/totpdevice/?user__stamp__startswith=a",
            "admin/logentry/?user__password__startswith=a",
            "giftcards/giftcard/?code__startswith=GIFT-A",
            "giftcards/storecreditaccount/?gift_card__code__startswith=GIFT-A",
            "giftcards/transaction/?group__account__gift_card__code__startswith=GIFT-A",
            "customers/customer/?gift_cards__code__startswith=GIFT-A",
        ],
    )
    def test_a_list_cannot_be_filtered_by_what_nobody_may_read(self, query):
        assert superuser().get(f"/admin/{query}").status_code == 400

    def test_nor_by_text_that_no_database_holds(self):
        assert superuser().get("/admin/catalog/productcategory/?name=%00").status_code == 400


SCREENS_WITH_ACTIONS = ["catalog/productcategory", "customers/customer", "carts/promotion", "apikeys/apikey"]


@pytest.mark.django_db
class TestTextThatNoDatabaseHolds:
    @pytest.mark.parametrize("screen", SCREENS_WITH_ACTIONS)
    @pytest.mark.parametrize("confirmed", [{}, {"post": "yes"}])
    def test_chooses_no_row(self, screen: str, confirmed: dict[str, str]) -> None:
        given = {"action": "delete_selected", "_selected_action": ["\0"], **confirmed}
        assert superuser().post(f"/admin/{screen}/", given).status_code in (200, 302)

    @pytest.mark.parametrize("query", ["customers/customer/add/?groups=%00", "carts/promotion/add/?products=a,%00,b"])
    def test_fills_no_form(self, query: str) -> None:
        assert superuser().get(f"/admin/{query}").status_code == 200


@pytest.mark.django_db
class TestReadOnlyScreens:
    def test_nobody_writes_the_history(self):
        client = superuser()
        entry = LogEntry.objects.log_actions(client.user.pk, [Store.objects.get()], 2, "Moved.", single_object=True)
        address = "/admin/admin/logentry/"
        assert "Moved." in client.get(address).content.decode()
        page = client.get(f"{address}{entry.pk}/change/").content.decode()
        assert 'name="_save"' not in page
        assert client.get(f"{address}add/").status_code == 403
        assert client.post(f"{address}{entry.pk}/change/", {"object_repr": "x"}).status_code == 403
        assert client.post(f"{address}{entry.pk}/delete/", {"post": "yes"}).status_code == 403
        client.post(address, {"action": "delete_selected", "_selected_action": [entry.pk], "post": "yes"})
        assert LogEntry.objects.get().get_change_message() == "Moved."


@pytest.mark.parametrize(
    ("given", "stored", "update"),
    [
        (None, {"a": 1}, None),
        ({}, {"a": 1}, {}),
        ({"b": 2}, None, {"b": 2}),
        ({"b": 2}, {"a": 1, "b": 1}, {"a": "", "b": 2}),
    ],
)
def test_metadata_is_passed_to_merging_verbs_so_that_the_given_remains(given, stored, update):
    assert as_update(given, stored=stored) == update
