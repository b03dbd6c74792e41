"""Staff and shop files set tax exemptions; customers read only their own tax number."""

from datetime import date
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from customers import customer_editing, groups
from customers.models import Customer, CustomerGroup
from giftcards.models import GiftCard
from kit.domain.actor import SYSTEM
from kit.editing.states import RowsRefused
from orders.erasure import people
from orders.erasure.erasing import erase
from orders.models import Order
from tests.contract.callers import Caller, storefront
from tests.customers.conftest import signed_in
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card
from tests.factories.orders import order
from tests.kit.admin.forms import changed, sent, submit
from tests.kit.admin.visits import superuser
from tests.kit.graphql.calls import ask
from tests.operations.shop_file_runs import ShopFiles
from tests.orders.returns.shop import delivered

pytestmark = pytest.mark.django_db

NUMBER = "GB 123 4567 73"
EXEMPTION = {"is_tax_exempt": True, "tax_exempt_countries": ["de", "gb"], "tax_exempt_until": date(2027, 3, 31)}
DEFAULTS = {"is_tax_exempt": False, "tax_exempt_countries": None, "tax_exempt_until": None}
TYPED = {"is_tax_exempt": "on", "tax_exempt_countries": ["gb", "de"], "tax_exempt_until": "2027-03-31"}
FIELDS = ("tax_number", *EXEMPTION)


def exemption_of(row: Customer | CustomerGroup) -> dict[str, Any]:
    row.refresh_from_db()
    return {name: getattr(row, name) for name in EXEMPTION}


class TestStaff:
    def test_exempt_a_customer_on_their_page(self, eve: Customer) -> None:
        client, page = superuser(), reverse("admin:customers_customer_change", args=[eve.pk])
        submit(client, page, changed(sent(client, page), tax_number=NUMBER, **TYPED))
        assert (exemption_of(eve), eve.tax_number) == (EXEMPTION, NUMBER)
        assert NUMBER not in "".join(LogEntry.objects.values_list("change_message", flat=True))
        empty = {"tax_number": "", "is_tax_exempt": None, "tax_exempt_countries": [], "tax_exempt_until": ""}
        submit(client, page, changed(sent(client, page), **empty))
        assert (exemption_of(eve), eve.tax_number) == (DEFAULTS, None)

    def test_exempt_a_group_on_its_page(self) -> None:
        group = CustomerGroup.objects.create(name="Museums")
        client, page = superuser(), reverse("admin:customers_customergroup_change", args=[group.pk])
        submit(client, page, changed(sent(client, page), **TYPED))
        assert exemption_of(group) == EXEMPTION

    @pytest.mark.parametrize(
        ("field", "typed"),
        [
            ("tax_number", "GB\x1b1"),
            ("tax_number", "1" * 256),
            ("tax_exempt_countries", ["zz"]),
            ("tax_exempt_until", "31.3."),
        ],
    )
    def test_see_at_the_field_what_is_wrong(self, eve: Customer, field: str, typed: Any) -> None:
        client, page = superuser(), reverse("admin:customers_customer_change", args=[eve.pk])
        answer = client.post(page, changed(sent(client, page), **{field: typed}))
        assert list(answer.context["adminform"].form.errors) == [field]
        assert exemption_of(eve) == DEFAULTS


class TestVerbs:
    def test_keep_countries_in_one_form(self, eve: Customer) -> None:
        given = {**EXEMPTION, "tax_exempt_countries": ["GB", "de", "gb"]}
        customer_editing.VERBS.put(actor=SYSTEM, states=[customer_editing.VERBS.state(id=eve.pk, **given)])
        assert exemption_of(eve) == EXEMPTION
        customer_editing.VERBS.put(
            actor=SYSTEM, states=[customer_editing.VERBS.state(id=eve.pk, tax_exempt_countries=[])]
        )
        assert exemption_of(eve) == {**EXEMPTION, "tax_exempt_countries": None}

    def test_refuse_what_is_no_country_naming_the_field(self, eve: Customer) -> None:
        for refused in (
            lambda: customer_editing.VERBS.put(
                actor=SYSTEM, states=[customer_editing.VERBS.state(id=eve.pk, tax_exempt_countries=["zz"])]
            ),
            lambda: groups.VERBS.put(
                actor=SYSTEM, states=[groups.VERBS.state(name="Museums", tax_exempt_countries=["zz"])]
            ),
        ):
            with pytest.raises(RowsRefused, match="'zz' of field 'tax_exempt_countries' is not an ISO 3166-1") as error:
                refused()
            assert [fault.field for fault in error.value.faults] == ["tax_exempt_countries"]
        assert not CustomerGroup.objects.exists()


class TestShopFiles:
    FILE = {"tax_number": NUMBER, **EXEMPTION, "tax_exempt_until": "2027-03-31"}

    @pytest.fixture
    def files(self, tmp_path: Any) -> ShopFiles:
        return ShopFiles(tmp_path)

    def test_load_and_dump_it(self, files: ShopFiles, eve: Customer) -> None:
        shop = {"customers": [{"email": eve.email, **self.FILE, "tax_exempt_countries": ["GB", "de"]}]}
        assert files.load(shop) == ["customers: 0 created, 1 updated, 0 unchanged"]
        assert (exemption_of(eve), eve.tax_number) == (EXEMPTION, NUMBER)
        assert files.load(shop) == ["customers: 0 created, 0 updated, 1 unchanged"]
        [dumped] = files.dump()["customers"]
        assert {name: dumped[name] for name in self.FILE} == self.FILE
        assert files.load({"customers": [dumped]}) == ["customers: 0 created, 0 updated, 1 unchanged"]

    def test_leave_and_clear_it(self, files: ShopFiles, eve: Customer) -> None:
        Customer.objects.filter(pk=eve.pk).update(tax_number=NUMBER, **EXEMPTION)
        files.load({"customers": [{"email": eve.email, "phone": "1"}]})
        assert (exemption_of(eve), eve.tax_number) == (EXEMPTION, NUMBER)
        cleared = {"tax_number": None, "is_tax_exempt": False, "tax_exempt_countries": [], "tax_exempt_until": None}
        files.load({"customers": [{"email": eve.email, **cleared}]})
        assert (exemption_of(eve), eve.tax_number) == (DEFAULTS, None)
        assert files.load({"customers": files.dump()["customers"]}) == ["customers: 0 created, 0 updated, 1 unchanged"]

    @pytest.mark.parametrize(
        ("field", "value", "problem"),
        [
            ("tax_exempt_countries", ["zz"], "[0]: 'zz' is not an ISO 3166-1 country code"),
            ("tax_exempt_countries", "de", ': expected a list, got "de"'),
            ("tax_exempt_until", "soon", ': expected a date like 2026-01-31, got "soon"'),
            ("is_tax_exempt", None, ": expected true or false, got null"),
            ("tax_number", "1\n2", ": must not contain control characters"),
        ],
    )
    def test_with_something_else_are_refused(self, files: ShopFiles, field: str, value: Any, problem: str) -> None:
        shop = {"customers": [{"email": "eve@example.com", field: value}]}
        assert files.refused(shop) == [f"customers[0].{field}{problem}"]


class TestStorefronts:
    @pytest.mark.parametrize("field", FIELDS)
    def test_never_set_it(self, field: str, caller: Caller, eve: Customer) -> None:
        for path in ("/store/customers/me", "/store/customers"):
            answer = caller.post(path, {field: True})
            assert (answer.status_code, answer.json()["message"]) == (
                400,
                f"Invalid request: Unrecognized fields: '{field}'",
            )
        first, *others = field.split("_")
        camel = first + "".join(word.title() for word in others)
        for mutation in ("updateCustomer", "createCustomer"):
            answer = ask(caller, f"mutation {{ {mutation}(input: {{{camel}: true}}) {{ customer {{ id }} }} }}").json()
            assert f"Field '{camel}' is not defined" in answer["errors"][0]["message"]
        assert (exemption_of(eve), eve.tax_number) == (DEFAULTS, None)

    def test_read_the_owners_number_where_they_ask_for_it(self, caller: Caller, eve: Customer) -> None:
        Customer.objects.filter(pk=eve.pk).update(tax_number=NUMBER)
        asked = caller.get("/store/customers/me", "fields=tax_number").json()["customer"]
        assert asked == {"id": eve.pk, "tax_number": NUMBER}
        unasked = caller.get("/store/customers/me", "").json()["customer"]
        assert {"email", "phone"} < unasked.keys()
        assert not unasked.keys() & set(FIELDS)
        assert ask(caller, "{ me { taxNumber } }").json()["data"]["me"] == {"taxNumber": NUMBER}
        for field in EXEMPTION:
            assert caller.get("/store/customers/me", f"fields={field}").status_code == 400

    def test_show_it_to_nobody_else(self, eve: Customer) -> None:
        Customer.objects.filter(pk=eve.pk).update(tax_number=NUMBER)
        card = gift_card(5)
        GiftCard.objects.filter(pk=card.pk).update(customer=eve)
        made = order(eve)
        stranger, guest = signed_in(CustomerFactory()), storefront(publishable_key())
        for other in (stranger, guest):
            for path in (
                f"/store/gift-cards/{card.code}?fields=*customer,customer.tax_number",
                f"/store/carts/{made.cart_id}?fields=*customer,customer.tax_number",
                f"/store/orders/{made.pk}?fields=*customer",
            ):
                assert NUMBER not in other.get(*path.split("?")).content.decode()
        own = signed_in(eve).get(f"/store/gift-cards/{card.code}", "fields=customer.tax_number").json()
        assert own["gift_card"]["customer"]["tax_number"] == NUMBER

    def test_leave_it_out_of_logs(self, caller: Caller, eve: Customer) -> None:
        Customer.objects.filter(pk=eve.pk).update(tax_number=NUMBER)
        with capture_logs(processors=[merge_contextvars]) as lines:
            assert caller.get("/store/customers/me", "fields=tax_number").status_code == 200
            assert caller.post("/store/customers/me", {"tax_number": NUMBER}).status_code == 400
            delivered(customer=eve)
            Order.objects.update(status="completed", tax_number=NUMBER)
            erase(actor=SYSTEM, person=people.customer(eve.pk))
        assert {"request", "a person was erased"} <= {line["event"] for line in lines}
        assert NUMBER not in str(lines)


def test_an_erasure_erases_the_number_of_customer_and_order(eve: Customer, settings: Any) -> None:
    settings.ERASURE_RETENTION_DAYS = 0
    Customer.objects.filter(pk=eve.pk).update(tax_number=NUMBER, **EXEMPTION)
    made = delivered(customer=eve)
    Order.objects.update(status="completed", tax_number=NUMBER, is_tax_exempt=True)
    erase(actor=SYSTEM, person=people.customer(eve.pk))
    eve.refresh_from_db()
    kept = Order.objects.get(pk=made.pk)
    assert eve.erased_at is not None
    assert kept.erased_at is not None
    assert (exemption_of(eve), eve.tax_number) == (DEFAULTS, None)
    assert (kept.tax_number, kept.is_tax_exempt) == (None, True)


def test_pages_of_the_admin_site_have_a_closed_section(eve: Customer) -> None:
    client: Client = superuser()
    group = CustomerGroup.objects.create(name="Museums")
    for page in (
        reverse("admin:customers_customer_change", args=[eve.pk]),
        reverse("admin:customers_customer_add"),
        reverse("admin:customers_customergroup_change", args=[group.pk]),
        reverse("admin:customers_customergroup_add"),
    ):
        sections = {each.name: each for each in client.get(page).context["adminform"]}
        assert "collapse" in sections["Taxes"].classes
        assert {"is_tax_exempt", "tax_exempt_countries", "tax_exempt_until"} <= set(sections["Taxes"].fields)
