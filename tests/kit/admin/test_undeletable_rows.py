"""Crafted requests to delete or restore rows of screens that offer neither change nothing, and are no error."""

import pytest
from django.contrib import admin
from django.db.models import Model

from carts.models import Campaign
from customers.models import Customer
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.values.timestamps import now
from shop.models import (
    Currency,
    FulfillmentProvider,
    PaymentProvider,
    Region,
    SalesChannel,
    ShippingProfile,
    StockLocation,
    Store,
)
from tests.factories.carts import CampaignFactory
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import ProfileFactory
from tests.factories.inventory import StockLocationFactory
from tests.factories.shop import RegionFactory, SalesChannelFactory
from tests.kit.admin.visits import superuser

pytestmark = pytest.mark.django_db

MAKERS = {
    Region: RegionFactory,
    SalesChannel: SalesChannelFactory,
    ShippingProfile: ProfileFactory,
    StockLocation: StockLocationFactory,
    Store: Store.objects.get,
    Currency: lambda: Currency.objects.get(pk="eur"),
    PaymentProvider: lambda: PaymentProvider.objects.get_or_create(pk="pp_system_default")[0],
    FulfillmentProvider: lambda: FulfillmentProvider.objects.get_or_create(pk="manual_manual")[0],
}


def lacking(verb: str) -> set[type[Model]]:
    """The models whose screens have no such verb, or do not offer it."""
    screens = [screen for screen in admin.site._registry.values() if isinstance(screen, SoftDeletionAdmin)]
    return {screen.model for screen in screens if "delete" in screen.forbids or vars(screen.verbs)[f"_{verb}"] is None}


def test_these_are_all() -> None:
    assert lacking("delete") == {*MAKERS}
    # What a deleted customer signed in by is gone, and the promotions of a deleted campaign go on without it.
    assert lacking("restore") == {*MAKERS, Customer, Campaign}


@pytest.mark.parametrize(
    ("model", "is_deleted"),
    [*((model, is_deleted) for model in MAKERS for is_deleted in (False, True)), (Customer, True), (Campaign, True)],
)
def test_crafted_requests_change_nothing(model: type[Model], is_deleted: bool) -> None:
    row, client = {**MAKERS, Customer: CustomerFactory, Campaign: CampaignFactory}[model](), superuser()
    if is_deleted:
        row.deleted_at = now()
        row.save()
    client.raise_request_exception = False
    page = f"/admin/{model._meta.app_label}/{model._meta.model_name}"
    statuses = {
        name: client.post(f"{page}/{row.pk}/{name}/", {"post": "yes"}).status_code for name in ("delete", "restore")
    }
    for action in ("delete_selected", "restore_selected"):
        body = {"action": action, "_selected_action": row.pk, "post": "yes"}
        statuses[action] = client.post(f"{page}/", body).status_code
    assert max(statuses.values()) < 500, statuses
    stored = model._default_manager.get(pk=row.pk)
    assert (stored.deleted_at is not None) == is_deleted
