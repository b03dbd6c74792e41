"""Customers in shop files: loaded once, dumped without passwords, never doubled."""

import json
from pathlib import Path

import pytest
from django.contrib.auth.hashers import check_password, make_password
from django.core.management import CommandError, call_command

from auth.models import AuthIdentity
from customers.models import Customer, CustomerAddress, CustomerGroup
from tests.factories.customers import AddressFactory, CustomerFactory, IdentityFactory, token_of
from tests.operations.shop_file_runs import ShopFiles

pytestmark = pytest.mark.django_db
HOME = {"address_name": "Home", "city": "Ulm", "country_code": "DE", "province": "by", "is_default_shipping": True}
EVE = {
    "email": "Eve@example.com",
    "password": "steeped leaves",
    "first_name": "Eve",
    "metadata": {"a": 1.5},
    "addresses": [HOME, {"address_name": "Work", "is_default_billing": True}],
}


@pytest.fixture
def files(tmp_path) -> ShopFiles:
    return ShopFiles(tmp_path)


def rows() -> list[list[dict]]:
    return [list(model.objects.order_by("pk").values()) for model in (Customer, CustomerAddress, AuthIdentity)]


def counts(created: int = 0, updated: int = 0, unchanged: int = 0) -> list[str]:
    return [f"customers: {created} created, {updated} updated, {unchanged} unchanged"]


def test_a_customer_with_a_password_can_sign_in(files: ShopFiles):
    assert files.load({"customers": [EVE]}) == counts(created=1)
    eve = Customer.objects.get()
    assert (eve.email, eve.has_account, eve.metadata) == ("eve@example.com", True, {"a": 1.5})
    home, work = eve.addresses.order_by("pk")
    assert (home.country_code, home.province, home.is_default_shipping) == ("de", "de-by", True)
    assert (work.address_name, work.is_default_billing) == ("Work", True)
    identity = AuthIdentity.objects.get()
    assert (identity.email, identity.customer_id) == ("eve@example.com", eve.pk)
    assert check_password("steeped leaves", identity.password)


def test_a_second_load_changes_nothing(files: ShopFiles):
    files.load({"customers": [EVE]})
    before = rows()
    assert files.load({"customers": [{**EVE, "password": "another one"}]}) == counts(unchanged=1)
    assert rows() == before


def test_without_a_password_there_is_no_account_and_none_comes_later(files: ShopFiles):
    files.load({"customers": [{"email": "eve@example.com"}]})
    assert files.load({"customers": [{"email": "eve@example.com", "password": "steeped leaves"}]}) == counts(
        unchanged=1
    )
    assert not Customer.objects.get().has_account
    assert not AuthIdentity.objects.exists()


def test_a_hash_is_kept_as_it_is(files: ShopFiles):
    files.load({"customers": [{**EVE, "password": make_password("steeped leaves")}]})
    assert check_password("steeped leaves", AuthIdentity.objects.get().password)


def test_an_unfinished_registration_gives_way(files: ShopFiles):
    IdentityFactory(email="eve@example.com")
    files.load({"customers": [EVE]})
    assert AuthIdentity.objects.get().customer_id == Customer.objects.get().pk


def test_a_list_of_addresses_is_the_whole_list(files: ShopFiles):
    files.load({"customers": [EVE]})
    home = CustomerAddress.objects.get(address_name="Home")
    moved = [
        {"address_name": "Work", "is_default_shipping": True},
        {**HOME, "is_default_shipping": False, "city": "Bonn"},
    ]
    assert files.load({"customers": [{"email": "eve@example.com", "addresses": moved}]}) == counts(updated=1)
    after = {row.address_name: row for row in CustomerAddress.objects.all()}
    assert (after["Home"].pk, after["Home"].city, after["Home"].is_default_shipping) == (home.pk, "Bonn", False)
    assert (after["Work"].is_default_shipping, after["Work"].is_default_billing) == (True, True)
    files.load({"customers": [{"email": "eve@example.com"}]})
    assert CustomerAddress.objects.count() == 2
    files.load({"customers": [{"email": "eve@example.com", "addresses": []}]})
    assert not CustomerAddress.objects.exists()


def test_a_dump_loaded_again_changes_nothing_namesakes_and_nameless_addresses_too(files: ShopFiles):
    eve = CustomerFactory(email="eve@example.com", metadata={"a": [1]})
    for name in ("Home", "Home", None, None):
        AddressFactory(customer=eve, address_name=name, metadata={"n": name})
    AddressFactory(customer=CustomerFactory(has_account=False), is_default_billing=True)
    before = rows()
    for options in ((), ("--with-credentials",)):
        content = files.dump(*options)
        assert files.load({"customers": content["customers"]}) == counts(unchanged=2)
        assert rows() == before


def test_a_dump_with_credentials_makes_the_same_customers_elsewhere(files: ShopFiles):
    eve = CustomerFactory(email="eve@example.com")
    AddressFactory(customer=eve, is_default_billing=True)
    content = files.dump("--with-credentials")
    kept = [[{**row, "updated_at": None} for row in table] for table in rows()[:2]]
    AuthIdentity.objects.all().delete()
    Customer.objects.all().delete()
    files.load({"customers": content["customers"]})
    assert [[{**row, "updated_at": None} for row in table] for table in rows()[:2]] == kept
    assert token_of(eve)


def test_passwords_are_never_dumped_in_clear_and_not_at_all_unless_asked_for(files: ShopFiles):
    files.load({"customers": [EVE]})
    assert "password" not in files.dump()["customers"][0]
    dumped = files.dump("--with-credentials")
    assert dumped["customers"][0]["password"].startswith("argon2")
    assert "steeped leaves" not in json.dumps(dumped)


def test_where_a_guest_has_the_email_of_an_account_the_account_is_meant(files: ShopFiles):
    guest = CustomerFactory(email="eve@example.com", has_account=False)
    account = CustomerFactory(email="eve@example.com")
    assert files.load({"customers": [{"email": "eve@example.com", "phone": "1"}]}) == counts(updated=1)
    assert Customer.objects.get(phone="1") == account
    assert [one["id"] for one in files.dump()["customers"]] == [account.pk]
    assert Customer.objects.filter(pk=guest.pk).exists()


@pytest.mark.parametrize(
    ("customer", "problem"),
    [
        ({}, "customers[0].email: is required"),
        ({"email": "eve"}, "customers[0].email: 'eve' is not an email address"),
        ({"email": "e@x.example", "phone": "1\n2"}, "customers[0].phone: must not contain control characters"),
        (
            {"email": "e@x.example", "addresses": [{"city": "Ulm"}]},
            "customers[0].addresses[0].address_name: is required without an id",
        ),
        (
            {"email": "e@x.example", "addresses": [{"address_name": "A", "country_code": "zz"}]},
            "customers[0].addresses[0]: 'zz' of field 'country_code' is not an ISO 3166-1 country code",
        ),
        (
            {
                "email": "e@x.example",
                "addresses": [{"address_name": name, "is_default_billing": True} for name in "AB"],
            },
            "customers[0].addresses[1]: is not the only address with is_default_billing",
        ),
        ({"email": "e@x.example", "has_account": True}, "customers[0].has_account: unknown field"),
    ],
)
def test_a_bad_customer_is_refused(files: ShopFiles, customer, problem):
    assert files.refused({"customers": [customer]}) == [problem]


def test_an_address_of_somebody_else_is_refused(files: ShopFiles):
    theirs = AddressFactory()
    shop = {"customers": [{"email": "eve@example.com", "addresses": [{"id": theirs.pk, "city": "Ulm"}]}]}
    assert files.refused(shop) == [f"customers[0].addresses[0].id: belongs to an address of {theirs.customer_id}"]


def test_the_email_of_an_account_does_not_change(files: ShopFiles):
    eve = CustomerFactory(email="eve@example.com")
    assert files.refused({"customers": [{"id": eve.pk, "email": "ann@example.com"}]}) == [
        f"customers[0].email: the customer {eve.pk} signs in with another, which cannot be changed"
    ]


def test_groups_have_exemptions_and_members(files: ShopFiles, tmp_path: Path):
    museums = {"name": "Museums", "is_tax_exempt": True, "tax_exempt_countries": ["GB"], "metadata": {"a": 1}}
    shop = {"customer_groups": [museums, {"name": "Regulars"}], "customers": [{**EVE, "groups": ["Museums"]}]}
    assert files.load(shop) == [
        "customer_groups: 2 created, 0 updated, 0 unchanged",
        "customers: 1 created, 0 updated, 0 unchanged",
    ]
    eve, group = Customer.objects.get(), CustomerGroup.objects.get(name="Museums")
    assert (group.is_tax_exempt, group.tax_exempt_countries, group.tax_exempt_until) == (True, ["gb"], None)
    assert [*eve.groups.all()] == [group]
    assert files.load(shop)[1] == "customers: 0 created, 0 updated, 1 unchanged"
    files.load({"customers": [{"email": EVE["email"], "groups": ["Regulars"]}]})
    assert [each.name for each in eve.groups.all()] == ["Regulars"]
    files.load({"customers": [{"email": EVE["email"], "first_name": "Evelyn"}]})
    assert [each.name for each in eve.groups.all()] == ["Regulars"]
    call_command("dump_shop", str(tmp_path / "dump.json"))
    dumped = json.loads((tmp_path / "dump.json").read_text())
    assert [each["name"] for each in dumped["customer_groups"]] == ["Museums", "Regulars"]
    assert dumped["customers"][0]["groups"] == ["Regulars"]


def test_a_group_that_is_not_there_is_named(files: ShopFiles):
    with pytest.raises(CommandError, match=r"customers\[0\].groups\[0\].*Museums"):
        files.load({"customers": [{**EVE, "groups": ["Museums"]}]})
    assert not Customer.objects.exists()
