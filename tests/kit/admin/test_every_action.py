"""Each role of `setup_roles` at everything that the admin site can be asked to do: what it lacks is refused."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.contrib.admin.utils import quote
from django.contrib.auth.models import Group
from django.db.models import Model
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils.timezone import now
from django_tasks_db.models import DBTaskResult

from commerce.operations.roles.role_setup import set_up_roles
from commerce.operations.roles.roles import ROLES
from kit.admin.base_admin import BaseAdmin
from kit.jobs.models import Job
from kit.messages.mails.models import Mail
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.models import Import
from orders.models import Order
from staff.models import Invitation
from tests.kit.admin.pages import every_screen
from tests.kit.admin.shop import build_shop
from tests.kit.admin.visits import superuser, visitor
from tests.savepoints import undone

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db]

NOBODY: frozenset[str] = frozenset()
"""Superusers alone."""
EVERYBODY = frozenset(ROLES)
ACCOUNTS, CARE = frozenset({"Customer accounts"}), frozenset({"Customer care"})
CATALOGUE, CARDS, CREDIT = (
    frozenset({"Catalogue"}),
    frozenset({"Gift cards"}),
    frozenset({"Customer care", "Gift cards"}),
)
KEYS, PAYMENTS, HOOKS = frozenset({"API keys"}), frozenset({"Payments"}), frozenset({"Webhooks"})
SHIPPING, SETTINGS = frozenset({"Shipping"}), frozenset({"Shop settings"})
VIEWERS = frozenset({"Catalogue", "Customer care", "Warehouse", "Shop settings"})
"""All who view products."""
PRINTING = {"print_selected", "print_documents"}
"""Actions that change nothing, and ask nothing."""
READERS = frozenset({"Customer care", "Payments", "Warehouse"})
"""All who view invoices."""
BASKETS = frozenset({"carts.view_promotion", "catalog.view_productvariant"})


def deleted_by(roles: frozenset[str], *labels: str) -> Mapping[str, frozenset[str]]:
    return {f"{label}.delete_selected": roles for label in labels}


SOFTLY_DELETED = {
    CATALOGUE: (
        *("catalog.productcategory", "catalog.inventoryitem", "catalog.productcollection", "catalog.producttype"),
        *("catalog.producttag", "catalog.productvariant", "catalog.pricelist", "catalog.product", "carts.promotion"),
    ),
    SHIPPING: ("fulfillment.shippingoption", "fulfillment.fulfillmentset", "fulfillment.servicezone"),
    SETTINGS: ("customers.customergroup", "payments.refundreason", "orders.returnreason", "taxes.taxregion"),
}
BUTTONS_OF_SPREADSHEETS = {
    "catalog.product": "products",
    "catalog.pricelist": "prices",
    "catalog.inventoryitem": "stock",
    "catalog.inventorylevel": "stock",
    "customers.customer": "customers",
    "giftcards.giftcard": "gift_cards",
    "carts.promotion": "promotion_codes",
}
"""The tables whose buttons stand above the list of a screen."""
TASK_ACTIONS = ("retry", "retry_selected", "acknowledge", "acknowledge_selected")
MAY: Mapping[str, frozenset[str]] = {
    **{
        f"{label}.{act}": roles
        for roles, labels in SOFTLY_DELETED.items()
        for label in labels
        for act in ("delete_selected", "restore_selected", "restore")
    },
    **deleted_by(NOBODY, "customers.customer", "staff.invitation", "auth.group", "otp_totp.totpdevice"),
    **deleted_by(KEYS, "apikeys.apikey"),
    **deleted_by(CATALOGUE, "carts.campaign"),
    **dict.fromkeys((f"carts.promotion.add_{kind}" for kind in ("items", "order", "shipping", "buyget")), CATALOGUE),
    **dict.fromkeys((f"carts.promotion.{act}_selected" for act in ("activate", "deactivate", "copy")), CATALOGUE),
    "carts.promotion.make_codes": CATALOGUE,
    "carts.promotion.download_codes": CATALOGUE,
    "carts.promotion.try_basket": frozenset(role for role, held in ROLES.items() if held >= BASKETS),
    **deleted_by(HOOKS, "webhooks.webhookaddress"),
    **dict.fromkeys(("apikeys.apikey.revoke", "apikeys.apikey.revoke_selected"), KEYS),
    **dict.fromkeys(("customers.customer.send_password_mail", "customers.customer.send_password_mails"), ACCOUNTS),
    **dict.fromkeys(
        ("catalog.productcategory.move", "catalog.pricelist.activate_selected", "catalog.pricelist.draft_selected"),
        CATALOGUE,
    ),
    "catalog.pricelist.repeat": CATALOGUE,
    "catalog.pricelist.rule_values": EVERYBODY,  # names only of what its reader may view
    **dict.fromkeys((f"catalog.product.{act}_selected" for act in ("publish", "draft")), CATALOGUE),
    **dict.fromkeys(
        (f"catalog.product.{name}" for name in ("pictures", "edit_prices_and_stock", "duplicate")), CATALOGUE
    ),
    "catalog.product.view_in_storefront": VIEWERS,
    "catalog.product.organise_selected": CATALOGUE,
    **{
        f"{label}.{act}_products": roles
        for label in (
            *("catalog.productcategory", "catalog.productcollection", "catalog.producttype", "catalog.producttag"),
            "shop.saleschannel",
        )
        for act, roles in (("show", VIEWERS), ("add", CATALOGUE), ("remove", CATALOGUE))
    },
    "customers.customergroup.show_customers": frozenset({"Customer care", "Customer accounts", "Gift cards"}),
    **dict.fromkeys((f"customers.customergroup.{act}_customers" for act in ("add", "remove")), ACCOUNTS),
    "customers.customer.organise_selected": ACCOUNTS,
    "customers.customer.give_store_credit": CREDIT,
    "customers.customer.issue_gift_card": CARDS,
    **dict.fromkeys((f"giftcards.storecreditaccount.{name}" for name in ("give", "outstanding", "adjust")), CREDIT),
    **dict.fromkeys(("giftcards.giftcard.mail", "giftcards.giftcard.mail_selected"), CARE),
    **dict.fromkeys(("giftcards.giftcard.cancel", "giftcards.giftcard.cancel_selected"), CARDS),
    **dict.fromkeys(("payments.payment.capture", "payments.payment.refund"), PAYMENTS),
    **dict.fromkeys(("payments.paymentsession.authorize", "payments.paymentcollection.cancel"), PAYMENTS),
    **deleted_by(CARE, "orders.draftorder"),
    "orders.order.drafts": CARE,
    "orders.order.export": frozenset({"Order exports"}),
    **dict.fromkeys(
        ("orders.order.sales", "orders.order.print_selected"),
        frozenset(role for role, held in ROLES.items() if "orders.view_order" in held),
    ),
    **dict.fromkeys(
        (f"orders.order.{act}" for act in ("pack_selected", "ship_selected", "ship_parcels")), frozenset({"Warehouse"})
    ),
    **dict.fromkeys((f"orders.order.{act}_selected" for act in ("complete", "archive")), CARE),
    "orders.order.capture_selected": PAYMENTS,
    **dict.fromkeys((f"orders.invoice.{name}" for name in ("print", "print_selected", "pdf")), READERS),
    **dict.fromkeys(("orders.order.print_documents", "orders.order.accounts"), READERS),
    **dict.fromkeys(("orders.invoice.correct", "orders.order.waiting_invoices"), CARE | PAYMENTS),
    "mails.mail.send_again": CARE,
    **dict.fromkeys((f"webhooks.webhookaddress.{act}" for act in ("rotate", "enable", "disable")), HOOKS),
    **dict.fromkeys((f"webhooks.webhookaddress.{act}_selected" for act in ("enable", "disable")), HOOKS),
    **dict.fromkeys(("webhooks.delivery.resend", "webhooks.delivery.resend_selected"), HOOKS),
    "otp_totp.totpdevice.confirm": frozenset({"Second factor"}),  # each their own
    **dict.fromkeys(("orders.order.erase", "customers.customer.erase_customer", "staff.user.set_password"), NOBODY),
    **dict.fromkeys((f"django_tasks_database.dbtaskresult.{act}" for act in TASK_ACTIONS), NOBODY),
    "jobs.job.cancel": NOBODY,  # but those who began it
    **{
        f"{label}.{act}_{key}": frozenset(role for role, held in ROLES.items() if held >= {*needed})
        for label, key in BUTTONS_OF_SPREADSHEETS.items()
        for act, needed in (
            ("import", SPREADSHEETS.get()[key].importing),
            ("export", SPREADSHEETS.get()[key].exporting),
        )
    },
}
"""Who may do what besides adding, changing and deleting one row. A new action must be entered here."""
STANDARD = ("changelist", "add", "history", "delete", "change", "autocomplete")
ELSEWHERE = frozenset(
    (
        *("orders_order_exported", "orders_order_action", "orders_order_remaining_list", "orders_order_packing_list"),
        *("orders_order_delivery_note", "orders_order_bulk"),
        *(f"spreadsheets_import_{name}" for name in ("upload", "preview", "apply", "undo", "export", "exported")),
    )
)
"""Addresses of an order's forms, prints and files: tests/orders/admin/test_role_matrix.py and test_bulk_actions.py.
Of imports and exports: tests/operations/spreadsheets.
"""


class Attempt(NamedTuple):
    """A form to send. act: a permission, or a key of MAY."""

    act: str
    address: str
    data: dict[str, Any]

    @property
    def may(self) -> frozenset[str]:
        if self.act in MAY:
            return MAY[self.act]
        act = "carts.manage_draft" if self.act.endswith("_draftorder") else self.act
        return frozenset(role for role, permissions in ROLES.items() if act in permissions)


def attempts() -> Iterator[Attempt]:
    """Everything that screens register, about the newest row of each."""
    for model, screen in every_screen():
        yield from attempts_at(model, screen)


def attempts_at(model: type[Model], screen: BaseAdmin) -> Iterator[Attempt]:
    label, prefix = model._meta.label_lower, f"{model._meta.app_label}_{model._meta.model_name}"
    row = model._default_manager.order_by("-pk")[0]
    confirmed, chosen = {"post": "yes"}, {"post": "yes", "_selected_action": [row.pk], "index": "0"}
    for act, args in (("add", []), ("change", [quote(row.pk)]), ("delete", [quote(row.pk)])):
        permission = f"{model._meta.app_label}.{act}_{model._meta.model_name}"
        yield Attempt(permission, reverse(f"admin:{prefix}_{act}", args=args), confirmed)
    for name in screen.actions or ():
        address = reverse(f"admin:{prefix}_changelist")
        yield Attempt(f"{label}.{name}", address, {**chosen, "action": name})
    for name in other_addresses(screen):
        if name not in ELSEWHERE:
            yield Attempt(f"{label}.{name.removeprefix(f'{prefix}_')}", address_of(name, row), confirmed)


def other_addresses(screen: BaseAdmin) -> Iterator[str]:
    """The names of what the screen has besides the addresses that every screen has."""
    for pattern in screen.get_urls():
        name = getattr(pattern, "name", None)
        if name is not None and not name.endswith(tuple(f"_{each}" for each in STANDARD)):
            yield name


def address_of(name: str, row: Model) -> str:
    try:
        return reverse(f"admin:{name}", args=[quote(row.pk)])
    except NoReverseMatch:
        return reverse(f"admin:{name}")


def clerk(role: str) -> Client:
    client = visitor()
    client.user.groups.add(Group.objects.get(name=role))
    return client


def every_row() -> dict[str, list[Any]]:
    """What is stored, by table."""
    models = [model for model in apps.get_models() if model._meta.label != "sessions.Session"]
    return {model._meta.label: sorted(model._base_manager.values_list(), key=repr) for model in models}


@pytest.fixture
def shop() -> None:
    """With a row of every screen."""
    user = superuser().user
    build_shop(user)
    Invitation.objects.create(email="bob@shop.example", invited_by=user)
    Mail.objects.create(kind="order_placed", about=Order.objects.latest("pk").pk, next_try_at=None)
    DBTaskResult.objects.create(task_path="a.b", args_kwargs={}, backend_name="default", run_after=now())
    Job.objects.create(kind="bulk_action", title="Drafting", actor=user, total=1)
    Import.objects.create(spreadsheet="products", owner=user, format="csv")
    set_up_roles()


def test_each_role_is_refused_what_it_lacks_and_changes_nothing(shop: None) -> None:
    clients, every_attempt = {role: clerk(role) for role in ROLES}, list(attempts())
    before = every_row()
    for role, client in clients.items():
        refused = [attempt for attempt in every_attempt if role not in attempt.may]
        for attempt in refused:
            answer = client.post(attempt.address, attempt.data, headers={"Origin": "http://testserver"})
            # Who may view a list, but not do that with its rows, sees the list again.
            is_list = "action" in attempt.data and answer.status_code in {200, 302}
            assert answer.status_code == 403 or is_list, (role, attempt)
        assert every_row() == before, role
        assert len(refused) > 100


def test_each_role_opens_what_it_may(shop: None) -> None:
    for role in ROLES:
        client = clerk(role)
        for attempt in attempts():
            if attempt.act in MAY and role in MAY[attempt.act] and attempt.act != "catalog.product.pictures":
                with undone():
                    answer = client.post(attempt.address, attempt.data, headers={"Origin": "http://testserver"})
                assert answer.status_code != 403, (role, attempt)


def test_every_action_is_entered(shop: None) -> None:
    done = {attempt.act for attempt in attempts()}
    assert {act for act in done if act.count(".") == 2} == set(MAY)


def test_bulk_actions_ask_and_say_how_many(shop: None) -> None:
    client, counted = superuser(), set()
    before = every_row()
    for model, screen in every_screen():
        rows = model._default_manager.order_by("-pk")[:2]
        for name in {*(screen.actions or ())} - PRINTING:
            address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
            answer = client.post(address, {"action": name, "_selected_action": [row.pk for row in rows], "index": "0"})
            assert answer.status_code == 200, (address, name)
            assert answer.context["question"].endswith("?"), (address, name)
            if len(answer.context["deleted_objects"]) == 2:
                assert f"2 {model._meta.verbose_name_plural}" in answer.content.decode(), (address, name)
                counted.add(name)
    assert every_row() == before
    assert {"delete_selected", "publish_selected"} <= counted
