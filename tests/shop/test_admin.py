"""The screens of what the whole shop shares."""

import pytest
from django.contrib.admin.models import LogEntry

from kit.values.timestamps import now
from shop.models import FulfillmentProvider, PaymentProvider, SalesChannel, Store
from shop.models.store import SELLER_TEXTS
from tests.factories.shop import RegionFactory, SalesChannelFactory
from tests.kit.admin.forms import errors, save, sent, submit
from tests.kit.admin.visits import history, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

CHANNELS = "/admin/shop/saleschannel/"
STORE = "/admin/shop/store/"
PROVIDERS = [
    (PaymentProvider, "/admin/shop/paymentprovider/", "pp_system_default"),
    (FulfillmentProvider, "/admin/shop/fulfillmentprovider/", "manual_manual"),
]


class TestSalesChannels:
    def test_one_is_added_and_changed(self):
        client = superuser()
        client.post(f"{CHANNELS}add/", {"name": "Web", "description": "Our own."})
        web = SalesChannel.objects.get(name="Web")
        assert (web.description, web.is_disabled) == ("Our own.", False)
        save(client, f"{CHANNELS}{web.pk}/change/", {"name": "Web shop", "description": "", "is_disabled": "on"})
        web.refresh_from_db()
        assert (web.name, web.description, web.is_disabled) == ("Web shop", "", True)
        assert history() == [("Web", 1), ("Web shop", 2)]

    def test_a_taken_name_is_refused(self):
        SalesChannelFactory(name="Web")
        answer = superuser().post(f"{CHANNELS}add/", {"name": "Web"})
        assert answer.status_code == 200
        assert answer.context["errors"]
        assert SalesChannel.objects.filter(name="Web").count() == 1

    def test_the_name_of_a_deleted_one_is_free(self):
        SalesChannelFactory(name="Web", deleted_at=now())
        assert superuser().post(f"{CHANNELS}add/", {"name": "Web"}).status_code == 302

    def test_none_is_deleted(self):
        web, client = SalesChannelFactory(), superuser()
        assert client.post(f"{CHANNELS}{web.pk}/delete/", {"post": "yes"}).status_code == 403
        client.post(CHANNELS, {"action": "delete_selected", "_selected_action": [web.pk], "post": "yes"})
        assert SalesChannel.objects.filter(pk=web.pk, deleted_at=None).exists()

    def test_deleted_ones_are_not_listed(self):
        gone, web = SalesChannelFactory(name="Gone", deleted_at=now()), SalesChannelFactory(name="Web")
        page = superuser().get(CHANNELS).content.decode()
        assert web.pk.replace("_", "_5F") in page
        assert gone.pk.replace("_", "_5F") not in page

    def test_each_screen_demands_its_permission(self):
        web = SalesChannelFactory()
        change = f"{CHANNELS}{web.pk}/change/"
        assert [visitor().get(address).status_code for address in (CHANNELS, f"{CHANNELS}add/", change)] == [403] * 3
        looks = visitor("shop.view_saleschannel")
        assert looks.get(change).status_code == 200
        assert save(looks, change, {"name": "Mine"}).status_code == 403
        assert looks.post(f"{CHANNELS}add/", {"name": "Mine"}).status_code == 403
        assert save(visitor("shop.change_saleschannel"), change, {"name": "Ours"}).status_code == 302
        assert visitor("shop.add_saleschannel").post(f"{CHANNELS}add/", {"name": "New"}).status_code == 302


class TestStore:
    def test_the_only_one_is_shown_at_once_and_changed(self):
        client, web = superuser(), SalesChannelFactory()
        form = client.get(STORE)["Location"]
        assert client.get(form).status_code == 200
        save(client, form, {"name": "Teas and more", "default_sales_channel": web.pk})
        assert list(Store.objects.values_list("name", "default_sales_channel")) == [("Teas and more", web.pk)]

    def test_the_seller_of_invoices_is_entered_and_its_history_kept(self):
        client = superuser()
        form = client.get(STORE)["Location"]
        entered = {
            "legal_name": " Teas LLC ",
            "address_1": "1 Elm Street",
            "country_code": "us",
            "province": "New York",
        }
        entered |= {"tax_number": "12-3456789", "email": "bills@example.com", "city": " "}
        submit(client, form, sent(client, form, **entered))
        (store,) = Store.objects.values(*SELLER_TEXTS)
        assert {name: text for name, text in store.items() if text is not None} == {
            "legal_name": "Teas LLC",
            "address_1": "1 Elm Street",
            "country_code": "us",
            "province": "us-ny",
            "tax_number": "12-3456789",
            "email": "bills@example.com",
        }
        page = client.get(form).content.decode()
        assert 'value="New York"' in page
        assert "Until then, documents wait, also those of orders that were invoiced before." in page
        change = LogEntry.objects.get().get_change_message()
        assert "Legal name" in change
        assert "Tax number" in change

    def test_a_wrong_email_address_and_a_code_of_no_province_are_refused_at_their_fields(self):
        client = superuser()
        form = client.get(STORE)["Location"]
        for wrong, field in ({"country_code": "us", "province": "us-zz"}, "province"), ({"email": "bills"}, "email"):
            assert [*errors(client.post(form, sent(client, form, **wrong)))] == [field]
        assert Store.objects.get().country_code is None

    def test_there_is_never_another_and_never_none(self):
        client, store = superuser(), Store.objects.get()
        assert client.post(f"{STORE}add/", {"name": "Second"}).status_code == 403
        assert client.post(f"{STORE}{store.pk}/delete/", {"post": "yes"}).status_code == 403
        assert Store.objects.get() == store

    def test_a_deleted_channel_cannot_be_its_default(self):
        gone, store = SalesChannelFactory(deleted_at=now()), Store.objects.get()
        given = {"name": store.name, "default_sales_channel": gone.pk}
        assert superuser().post(f"{STORE}{store.pk}/change/", given).status_code == 200
        assert Store.objects.get().default_sales_channel == store.default_sales_channel

    def test_its_default_region_is_a_living_one_and_stays_once_there_are_regions(self):
        store, channel, client = Store.objects.get(), Store.objects.get().default_sales_channel_id, superuser()
        region, gone = RegionFactory(), RegionFactory(deleted_at=now())
        for given, kept in (("", None), (gone.pk, None), (region.pk, region.pk), ("", region.pk)):
            form = {"name": "Teas", "default_sales_channel": channel, "default_region": given}
            save(client, f"{STORE}{store.pk}/change/", form)
            assert Store.objects.get().default_region_id == kept

    def test_it_demands_its_permission(self):
        form = f"{STORE}{Store.objects.get().pk}/change/"
        assert visitor().get(form).status_code == 403
        assert visitor("shop.view_store").get(form).status_code == 200
        assert visitor("shop.view_store").post(form, {"name": "Mine"}).status_code == 403


@pytest.mark.parametrize(("model", "address", "id"), PROVIDERS)
class TestProviders:
    def test_one_is_switched_off_and_nothing_else(self, model, address, id):
        before = dict(model.objects.values_list("id", "is_enabled"))
        save(superuser(), f"{address}{id}/change/", {"id": "another"})
        assert dict(model.objects.values_list("id", "is_enabled")) == {**before, id: False}

    def test_none_is_added_or_deleted(self, model, address, id):
        client, before = superuser(), model.objects.count()
        assert client.post(f"{address}add/", {"id": "another"}).status_code == 403
        assert client.post(f"{address}{id}/delete/", {"post": "yes"}).status_code == 403
        assert model.objects.count() == before

    def test_it_demands_its_permission(self, model, address, id):
        name = model._meta.model_name
        assert visitor().get(address).status_code == 403
        looks = visitor(f"shop.view_{name}")
        assert looks.get(address).status_code == 200
        assert looks.post(f"{address}{id}/change/", {}).status_code == 403
        assert model.objects.get(pk=id).is_enabled
