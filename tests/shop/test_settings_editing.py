"""Currencies, providers and the store through their verbs."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kit.domain.actor import ANONYMOUS, SYSTEM
from kit.editing.states import RowsRefused
from kit.errors import Forbidden
from shop import currency_editing
from shop.models import Currency, PaymentProvider, Region, Store
from shop.providers import provider_editing
from shop.stores import store_editing
from tests.factories.shop import RegionFactory
from tests.kit.admin.forms import sent, submit
from tests.kit.admin.test_history import history
from tests.kit.admin.visits import superuser

pytestmark = pytest.mark.django_db


def test_five_currencies_cost_as_many_statements_as_a_hundred() -> None:
    codes = list(Currency.objects.filter(is_tax_inclusive=False).values_list("pk", flat=True))

    def statements(keys: list[str]) -> int:
        with CaptureQueriesContext(connection) as captured:
            currency_editing.VERBS.put(
                actor=SYSTEM, states=[currency_editing.VERBS.state(id=key, is_tax_inclusive=True) for key in keys]
            )
        assert Currency.objects.filter(pk__in=keys, is_tax_inclusive=True).count() == len(keys)
        return len(captured)

    assert statements(codes[:5]) == statements(codes[5:105])


def test_providers_are_registered_and_disabled_together() -> None:
    verbs = provider_editing.PAYMENT_PROVIDERS
    verbs.put(actor=SYSTEM, states=[provider_editing.PAYMENT_PROVIDERS.state(new_id=f"pp_{n}") for n in range(3)])
    verbs.put(
        actor=SYSTEM,
        states=[provider_editing.PAYMENT_PROVIDERS.state(id=f"pp_{n}", is_enabled=False) for n in range(2)],
    )
    made = PaymentProvider.objects.filter(pk__in=["pp_0", "pp_1", "pp_2"])
    assert dict(made.values_list("pk", "is_enabled")) == {"pp_0": False, "pp_1": False, "pp_2": True}


def test_the_store_of_a_shop_with_regions_keeps_a_default_one() -> None:
    store = Store.objects.get()
    region = RegionFactory()
    store_editing.VERBS.put(
        actor=SYSTEM, states=[store_editing.VERBS.state(id=store.pk, default_region_id=region.pk, name="Teas")]
    )
    with pytest.raises(RowsRefused) as refused:
        store_editing.VERBS.put(actor=SYSTEM, states=[store_editing.VERBS.state(id=store.pk, default_region_id=None)])
    assert [(fault.field, fault.error.message) for fault in refused.value.faults] == [
        ("default_region", "Field 'default_region' is required")
    ]
    store.refresh_from_db()
    assert (store.name, store.default_region) == ("Teas", region)
    assert Region.objects.count() == 1


def test_the_seller_has_codes_of_country_and_province_and_no_blank_texts() -> None:
    store = Store.objects.get()

    def put(**texts: str | None) -> None:
        store_editing.VERBS.put(actor=SYSTEM, states=[store_editing.VERBS.state(id=store.pk, **texts)])
        store.refresh_from_db()

    put(legal_name=" Teas LLC ", country_code="US", province="Texas", city=" ")
    assert (store.legal_name, store.country_code, store.province, store.city) == ("Teas LLC", "us", "us-tx", None)
    put(country_code="DE", province="Hamburg")
    assert (store.country_code, store.province) == ("de", "de-hh")
    put(province="Somewhere")
    assert store.province == "Somewhere"
    for wrong, field in ({"country_code": "xx"}, "country_code"), ({"email": "bills"}, "email"):
        with pytest.raises(RowsRefused) as refused:
            put(**wrong)
        assert [fault.field for fault in refused.value.faults] == [field]


def test_each_requires_its_permission() -> None:
    for verbs, key, values in (
        (store_editing.VERBS, Store.objects.get().pk, {"name": "x"}),
        (currency_editing.VERBS, "eur", {"is_tax_inclusive": True}),
        (provider_editing.PAYMENT_PROVIDERS, "pp_system_default", {"is_enabled": False}),
    ):
        with pytest.raises(Forbidden):
            verbs.put(actor=ANONYMOUS, states=[verbs.state(id=key, **values)])


def test_the_admin_site_saves_a_currency_by_its_verb() -> None:
    client, page = superuser(), "/admin/shop/currency/eur/change/"
    submit(client, page, sent(client, page, is_tax_inclusive="on"))
    assert Currency.objects.get(pk="eur").is_tax_inclusive
    assert "Is tax inclusive" in history()[-1]
