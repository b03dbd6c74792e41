"""Customer groups below /admin."""

import pytest
from pytest_django import Settings

from customers.models import CustomerGroup
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin
from tests.factories.apikeys import secret_key
from tests.factories.customers import CustomerFactory
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db

__all__ = ["admin"]

PATH = "/admin/customer-groups"


def test_one_is_made_changed_and_deleted(admin: Caller) -> None:
    made = admin.post(PATH, {"name": "Trade", "metadata": {"a": 1}}).json()["customer_group"]
    assert made == {**made, "name": "Trade", "customers": [], "metadata": {"a": 1}, "is_tax_exempt": False}
    one = f"{PATH}/{made['id']}"
    assert admin.post(one, {"name": "Retail"}).json()["customer_group"]["metadata"] == {"a": 1}
    assert admin.post(PATH, {"name": "Retail"}).status_code == 422
    member = CustomerFactory()
    member.groups.add(made["id"])
    assert admin.send("DELETE", one).json() == {"id": made["id"], "object": "customer_group", "deleted": True}
    assert refusal(admin.get(one))[0] == 404
    assert [each.pk for each in member.groups.all()] == [made["id"]]


def test_customers_are_put_in_and_taken_out(admin: Caller) -> None:
    group = CustomerGroup.objects.create(name="Trade")
    inside, outside, gone = CustomerFactory(), CustomerFactory(), CustomerFactory()
    inside.groups.add(group)
    gone.groups.add(group)
    admin.send("DELETE", f"/admin/customers/{gone.pk}")
    path = f"{PATH}/{group.pk}/customers"
    changed = admin.post(path, {"add": [outside.pk], "remove": [inside.pk]}).json()["customer_group"]
    assert [each["id"] for each in changed["customers"]] == [outside.pk]
    for unknown in (gone.pk, "cus_none"):
        status, message = refusal(admin.post(path, {"add": [inside.pk, unknown]}))
        assert (status, message) == (400, f"Customer with id: {unknown} was not found, given by field 'add'")
    assert refusal(admin.post(f"{PATH}/cusgroup_none/customers", {"add": [inside.pk]}))[0] == 404
    assert not inside.groups.exists()


def test_lists_are_filtered_by_customer(admin: Caller) -> None:
    trade, _ = (CustomerGroup.objects.create(name=name) for name in ("Trade", "Retail"))
    ann = CustomerFactory()
    ann.groups.add(trade)
    for query in (f"customers={ann.pk}", "name=Trade", "q=trad"):
        assert [each["id"] for each in admin.get(PATH, query).json()["customer_groups"]] == [trade.pk], query


def test_who_may_not_see_customers_sees_none_in_a_group() -> None:
    group = CustomerGroup.objects.create(name="Trade")
    CustomerFactory().groups.add(group)
    boss = UserFactory(is_superuser=True)
    limited = importer(secret_key(boss, permissions=["customers.view_customergroup"]))
    assert limited.get(f"{PATH}/{group.pk}").json()["customer_group"]["customers"] == []


def test_too_large_an_answer_changes_nothing(admin: Caller, settings: Settings) -> None:
    group, inside, outside = CustomerGroup.objects.create(name="Trade"), CustomerFactory(), CustomerFactory()
    inside.groups.add(group)
    settings.MAX_RELATED_ROWS = 1
    path = f"{PATH}/{group.pk}/customers"
    assert "'customers'" in refusal(admin.post(path, {"add": [outside.pk]}))[1]
    assert not outside.groups.exists()
    assert admin.post(f"{path}?fields=name", {"add": [outside.pk]}).status_code == 200
    assert "'customers'" in refusal(admin.post(f"{PATH}/{group.pk}", {"name": "Retail"}))[1]
    assert CustomerGroup.objects.get().name == "Trade"


def test_the_groups_of_a_customer_are_found_in_both_ways(admin: Caller) -> None:
    member = CustomerFactory()
    group = CustomerGroup.objects.create(name="Trade")
    CustomerGroup.objects.create(name="Retail")
    member.groups.add(group)
    for query in (f"customers={member.pk}", f"customers[id]={member.pk}", f"customers[]={member.pk}"):
        assert [each["name"] for each in admin.get(PATH, query).json()["customer_groups"]] == ["Trade"], query
    status, message = refusal(admin.get(PATH, "customers[email]=x"))
    assert (status, "customers" in message) == (400, True)
