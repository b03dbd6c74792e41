"""`manage.py setup_roles`: groups with what each kind of work needs."""

from decimal import Decimal
from io import StringIO

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.core.management import CommandError, call_command
from django.test import Client

from commerce.operations.roles.roles import ROLES
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.models import Import
from orders.models import DraftOrder
from payments.models import Capture
from staff.models import User
from tests.factories import payments as make
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import store_credit
from tests.factories.staff import UserFactory
from tests.kit.admin.forms import sent

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db]

OURS = (
    *("shop", "staff", "commerce_auth", "apikeys", "customers", "catalog", "carts", "fulfillment", "giftcards"),
    *("payments", "orders", "taxes", "idempotency", "throttling", "jobs", "mails", "outbox", "webhooks", "pictures"),
    "spreadsheets",
)
PARTS = ("payment", "paymentsession")
"""Models shown to staff who may view collections."""
THEIRS = (
    "django",
    "unfold",
    "corsheaders",
    "csp",
    "django_filters",
    "django_otp",
    "django_tasks",
    "django_tasks_db",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
)
ALL = ("view", "add", "change", "delete")
WRITES = ("add", "change", "delete")
SUPERUSERS_ONLY: dict[str, tuple[str, ...]] = {
    # Who works here, who has an account, and what guards requests.
    **dict.fromkeys(("staff.user", "commerce_auth.authidentity", "idempotency.record", "throttling.counter"), ALL),
    "commerce_auth.knownaddress": ALL,
    "staff.invitation": ALL,
    "commerce_auth.passwordreset": ALL,
    "mails.mail": ("change", "delete"),
    "pictures.picture": ("change",),  # its files are its content
    **dict.fromkeys(("pictures.presignedupload", "pictures.picturesource"), ALL),
    # Kept by the shop
    **dict.fromkeys(
        (
            *("catalog.listedproduct", "catalog.productsearch", "orders.ordersearch", "giftcards.credithold"),
            *("catalog.loweststock", "catalog.stalestock", "catalog.productcount"),
            *("catalog.listedtag", "catalog.listedcategory"),
            *("catalog.lowestprice", "catalog.staleprice"),
            *("orders.ordercount", "orders.orderrangecount", "carts.promotionusage", "taxes.taxquote"),
            *("carts.promotiongate", "carts.cartpromotion"),
        ),
        ALL,
    ),
    "customers.customer": ("delete", "erase", "export"),  # the first two cannot be undone
    # Everybody sees their own imports; files with personal data and codes are for those whom a superuser names.
    **dict.fromkeys(("spreadsheets.import", "spreadsheets.importresult", "spreadsheets.rememberedmapping"), ALL),
    "carts.promotioncode": ("export",),
    # Everybody sees and cancels their own jobs.
    **dict.fromkeys(("jobs.job", "jobs.selection", "jobs.refusal", "jobs.rowresult", "jobs.taskacknowledgement"), ALL),
    # Written by customers, or by verbs that demand other permissions, and by nobody else.
    "carts.cart": WRITES,
    **dict.fromkeys(
        (
            *("carts.cartaddress", "carts.lineitem", "carts.taxline", "carts.adjustment", "carts.creditline"),
            *("carts.shippingmethod", "carts.shippingmethodtaxline", "carts.shippingmethodadjustment"),
            *("payments.payment", "payments.intent", "payments.providerevent"),
            *("orders.orderaddress", "orders.orderlineitem", "orders.ordertaxline", "orders.orderadjustment"),
            *("orders.ordershippingmethod", "orders.ordershippingmethodtaxline"),
            *("orders.ordershippingmethodadjustment", "orders.ordercreditline", "orders.orderpromotion"),
            *("orders.ordertransaction", "orders.ordertransfer", "orders.ordernumber"),
            *("orders.orderpaymentcollection", "orders.orderpaymentsession", "orders.orderpayment"),
            *("orders.ordercapture", "orders.orderrefund", "orders.giftcardlineitem"),
            *("orders.carrierrequest", "orders.carrierevent", "orders.grantedrefund", "orders.refundpart"),
            *("orders.orderlookup", "orders.paymentlink", "orders.buyer", "orders.orderchangeaction"),
            *("orders.draftorder", "carts.draftnumber", "orders.invoicenumber", "orders.invoicefile"),
            *("orders.invoiceline", "orders.invoicetax"),
        ),
        ALL,
    ),
    **dict.fromkeys(("catalog.reservation", "catalog.stockmovement", "outbox.event", "webhooks.delivery"), WRITES),
    **dict.fromkeys((f"catalog.former{owner}handle" for owner in ("product", "collection", "category")), ALL),
    "orders.completionattempt": WRITES,
    "orders.order": ("delete",),
    "orders.invoice": ("change", "delete"),
    "orders.orderchange": ("view", "change", "delete"),
    "orders.ordernote": ("change", "delete"),
    **dict.fromkeys(("orders.fulfillmentitem", "orders.fulfillmentlabel", "orders.returnitem"), WRITES),
    **dict.fromkeys(("orders.fulfillment", "orders.return"), ("delete",)),
    "giftcards.giftcard": ("delete", "export"),
    "giftcards.storecreditaccount": ("change", "delete"),
    "giftcards.transactiongroup": WRITES,
    "giftcards.transaction": ("change", "delete"),
    "payments.paymentcollection": ("add", "delete"),
    "payments.paymentsession": ("view", "add", "delete"),
    "payments.capture": ("view", "change", "delete"),
    "payments.refund": ("view", "change", "delete"),
    # What is there from the beginning, and stays.
    "shop.country": WRITES,
    **dict.fromkeys(
        ("shop.store", "shop.currency", "shop.paymentprovider", "shop.fulfillmentprovider"), ("add", "delete")
    ),
    **dict.fromkeys(("shop.region", "shop.saleschannel"), ("delete",)),
}


def set_up() -> list[str]:
    out = StringIO()
    call_command("setup_roles", stdout=out)
    return out.getvalue().splitlines()


def held(name: str) -> set[str]:
    permissions = Permission.objects.filter(group__name=name).select_related("content_type")
    return {f"{one.content_type.app_label}.{one.codename}" for one in permissions}


def member(*roles: str) -> Client:
    client, user = Client(), UserFactory()
    user.groups.set(Group.objects.filter(name__in=roles))
    client.force_login(user)
    return client


def superusers_only() -> set[str]:
    named = ((model.split("."), acts) for model, acts in SUPERUSERS_ONLY.items())
    return {f"{app}.{act}_{model}" for (app, model), acts in named for act in acts}


class TestTheCommand:
    def test_it_makes_a_group_of_each_role(self) -> None:
        lines = set_up()
        assert lines[-1] == f"{len(ROLES)} roles, {len(ROLES)} changed"
        assert lines[0] == f"Catalogue: created, {len(ROLES['Catalogue'])} permissions"
        assert len(lines) == len(ROLES) + 1
        assert {name: held(name) for name in ROLES} == dict(ROLES)

    def test_again_it_changes_nothing(self) -> None:
        set_up()
        assert set_up() == [f"{len(ROLES)} roles, 0 changed"]

    def test_a_group_is_mended_and_the_change_reported(self) -> None:
        set_up()
        group = Group.objects.get(name="Payments")
        group.permissions.remove(Permission.objects.get(codename="add_refund"))
        group.permissions.add(Permission.objects.get(codename="delete_user", content_type__app_label="staff"))
        assert set_up() == [
            "Payments: 1 added, 1 removed",
            "  + payments.add_refund",
            "  - staff.delete_user",
            f"{len(ROLES)} roles, 1 changed",
        ]
        assert held("Payments") == ROLES["Payments"]

    def test_users_and_other_groups_keep_what_they_hold(self) -> None:
        set_up()
        own = Group.objects.create(name="Night shift")
        own.permissions.add(Permission.objects.get(codename="view_cart"))
        user = UserFactory(permissions=["staff.view_user", "payments.add_capture"])
        user.groups.set([own, Group.objects.get(name="Payments")])
        set_up()
        assert held("Night shift") == {"carts.view_cart"}
        assert user.user_permissions.count() == 2
        assert {group.name for group in User.objects.get(pk=user.pk).groups.all()} == {"Night shift", "Payments"}

    def test_a_permission_that_is_not_there_is_reported_and_nothing_is_made(self) -> None:
        Permission.objects.filter(codename="add_refund").delete()
        with pytest.raises(CommandError, match=r"'payments.add_refund' does not exist: run `manage.py migrate` first"):
            set_up()
        assert not Group.objects.exists()


class TestRoles:
    def test_every_permission_is_a_roles_or_the_superusers_alone(self) -> None:
        models = [model for label in OURS for model in apps.get_app_config(label).get_models()]
        existing = {f"{model._meta.label_lower.replace('.', f'.{act}_')}" for model in models for act in ALL}
        existing |= {f"{model._meta.app_label}.{name}" for model in models for name, _ in model._meta.permissions}
        given, kept = set().union(*ROLES.values()), superusers_only()
        assert existing - given - kept == set(), "decide who may do it"
        assert given & kept == set()
        assert kept - existing == set()
        assert given - existing == {"otp_totp.view_totpdevice", "otp_totp.add_totpdevice"}

    def test_ours_are_all_apps_that_have_tables_of_the_shop(self) -> None:
        named = {config.label for config in apps.get_app_configs() if config.name.split(".")[0] not in THEIRS}
        assert {label for label in named if list(apps.get_app_config(label).get_models())} == set(OURS)

    @pytest.mark.parametrize("role", ROLES)
    def test_each_opens_every_list_that_it_may_view_and_none_else(self, role: str) -> None:
        set_up()
        client = member(role)
        for model in admin.site._registry:
            rows = model._meta.concrete_model._meta
            viewing = "carts.manage_draft" if model is DraftOrder else f"{rows.app_label}.view_{rows.model_name}"
            may_view = viewing in ROLES[role]
            if model is Import:
                needed = (each for table in SPREADSHEETS.get().values() for each in (table.importing, table.exporting))
                may_view = any(ROLES[role].issuperset(each) for each in needed)
            partly = model._meta.app_label == "payments" and "payments.view_paymentcollection" in ROLES[role]
            answer = client.get(f"/admin/{model._meta.app_label}/{model._meta.model_name}/", follow=True)
            assert answer.status_code == (200 if may_view or (partly and model._meta.model_name in PARTS) else 403), (
                model
            )

    def test_payments_takes_money_and_customer_care_does_not(self) -> None:
        set_up()
        payment = make.authorized_payment()
        address = f"/admin/payments/payment/{payment.pk}/capture/"
        page = f"/admin/payments/paymentcollection/{payment.collection_id}/change/"
        assert member("Customer care").get(page).status_code == 200
        assert member("Customer care").post(address, {"post": "yes"}).status_code == 403
        client = member("Payments")
        client.post(address, sent(client, address, amount="20"))
        assert Capture.objects.get().amount == Decimal(20)

    def test_customer_care_gives_credit_and_does_not_issue_cards(self) -> None:
        set_up()
        account, client = store_credit(CustomerFactory()), member("Customer care")
        assert client.get(f"/admin/giftcards/storecreditaccount/{account.pk}/adjust/").status_code == 200
        assert client.get("/admin/giftcards/giftcard/add/").status_code == 403
        assert member("Gift cards").get("/admin/giftcards/giftcard/add/").status_code == 200

    @pytest.mark.parametrize(
        ("role", "address"),
        [
            ("Catalogue", "catalog/product/add/"),
            ("Catalogue", "catalog/pricelist/add/"),
            ("Catalogue", "carts/promotion/add/"),
            ("Customer accounts", "customers/customer/add/"),
            ("Shipping", "fulfillment/shippingoption/add/"),
            ("Shop settings", "shop/region/add/"),
            ("Shop settings", "payments/refundreason/add/"),
            ("API keys", "apikeys/apikey/add/"),
            ("Webhooks", "webhooks/webhookaddress/add/"),
            ("Second factor", "otp_totp/totpdevice/add/"),
        ],
    )
    def test_each_does_its_work(self, role: str, address: str) -> None:
        set_up()
        assert member(role).get(f"/admin/{address}").status_code == 200
        assert member(*(set(ROLES) - {role})).get(f"/admin/{address}").status_code == 403
