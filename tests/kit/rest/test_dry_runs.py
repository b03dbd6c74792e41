"""What `dry_run` is beside the answer, for which tests/contract/test_every_dry_run.py asks each route."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError, connection, transaction
from rest_framework.request import Request

from catalog.api.admin.labels import ProductTypes
from catalog.models import Product, ProductType
from kit.database import replicas
from kit.messages.mails.models import Mail
from kit.messages.outbox.models import Event
from kit.messages.webhooks.subscriptions import SUBSCRIPTIONS
from kit.rest.preparation import before_transaction
from kit.rest.viewsets import AdminEndpoint
from kit.safety.idempotency.models import Record
from kit.writes.dry_runs import undone
from tests.contract.callers import Caller, importer, invalid, refusal
from tests.contract.routes import ROUTES, good_request
from tests.factories.apikeys import secret_key
from tests.factories.products import ProductFactory, ProductTypeFactory
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db
TYPES = "/admin/product-types"
DRY = {"value": "Tea", "dry_run": True}


@pytest.fixture
def admin() -> Caller:
    return importer(secret_key(UserFactory(is_superuser=True)))


@pytest.mark.parametrize(("value", "shown"), [("true", "true"), (1, "1"), (None, "null"), ([], "")])
def test_it_is_a_boolean(admin: Caller, value: Any, shown: str) -> None:
    expected = invalid(f"Expected type: 'boolean' for field 'dry_run', got: '{shown}'")
    assert refusal(admin.post(TYPES, {**DRY, "dry_run": value})) == expected
    assert not ProductType.objects.exists()


def test_false_makes_the_change(admin: Caller) -> None:
    assert admin.post(TYPES, {**DRY, "dry_run": False}, Idempotency_Key="k").status_code == 200
    assert ProductType.objects.count() == 1


def test_what_the_change_would_be_refused_for_is_refused(admin: Caller) -> None:
    ProductTypeFactory(value="Tea")
    real = admin.post(TYPES, {"value": "Tea"})
    assert (real.status_code, real.json()) == (422, admin.post(TYPES, DRY).json())
    assert refusal(admin.post(TYPES, {**DRY, "nope": 1})) == invalid("Unrecognized fields: 'nope'")
    assert admin.post(TYPES, DRY, query="fields=nope").status_code == 400
    reader = importer(secret_key(UserFactory(permissions=["catalog.view_producttype"])))
    assert reader.post(TYPES, DRY).status_code == 403


def test_it_cannot_have_an_idempotency_key(admin: Caller) -> None:
    expected = invalid("Field 'dry_run' cannot be used with an Idempotency-Key")
    assert refusal(admin.post(TYPES, DRY, Idempotency_Key="k")) == expected
    assert not Record.objects.exists()
    done = admin.post(TYPES, {"value": "Tea"}, Idempotency_Key="k")
    assert (done.status_code, "Idempotent-Replayed" in done) == (200, False)


def test_its_headers_name_no_version_that_never_was(admin: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replicas, "are_configured", lambda: True)
    monkeypatch.setattr(replicas, "commit_position", lambda: "0/1")
    row = ProductTypeFactory()
    tag = admin.get(f"{TYPES}/{row.pk}")["ETag"]
    tried = admin.post(f"{TYPES}/{row.pk}", DRY, If_Match=tag)
    assert (tried.status_code, tried.json()["product_type"]["value"]) == (200, "Tea")
    assert not {"ETag", "x-commit-position"} & {*tried.headers}
    done = admin.post(f"{TYPES}/{row.pk}", {"value": "Tea"}, If_Match=tag)
    assert (done.status_code, done["x-commit-position"]) == (200, "0/1")
    assert admin.post(f"{TYPES}/{row.pk}", DRY, If_Match=tag).status_code == 409


def test_nobody_hears_of_it(admin: Caller) -> None:
    """A receipt mails the customer and tells programs."""
    SUBSCRIPTIONS.remember({"return.received"}, seconds=3600)
    route = next(route for route in ROUTES if route.path == "/admin/returns/<str:id>/receive/confirm")
    good = good_request(route, "POST")
    before = Mail.objects.count(), Event.objects.count()
    assert good.send(admin, body={**good.body, "dry_run": True}).status_code == 200
    assert (Mail.objects.count(), Event.objects.count()) == before
    assert good.send(admin).status_code == 200
    assert (Mail.objects.count(), Event.objects.count()) == (before[0] + 1, before[1] + 1)


def test_a_form_with_files_cannot_ask_for_one(admin: Caller) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="dry_run"\r\n\r\ntrue\r\n--x--\r\n'
    answer = admin.post("/admin/uploads", body, content_type="multipart/form-data; boundary=x")
    assert refusal(answer) == invalid("Unrecognized fields: 'dry_run'")


@pytest.mark.django_db(transaction=True)
def test_what_waits_for_the_commit_does_not_run() -> None:
    ran: list[str] = []

    def work() -> int:
        with transaction.atomic():
            transaction.on_commit(lambda: ran.append("a hook"))
            ProductTypeFactory()
        return ProductType.objects.count()

    assert (undone(work), ran, ProductType.objects.count()) == (1, [], 0)
    assert not connection.in_atomic_block


def test_within_another_transaction_nothing_can_be_undone() -> None:
    with transaction.atomic(), pytest.raises(RuntimeError):
        undone(ProductTypeFactory)


def test_constraints_that_wait_for_the_commit_are_checked() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite would have to read all tables")
    product = ProductFactory()
    with pytest.raises(IntegrityError):
        undone(lambda: Product.objects.filter(pk=product.pk).update(type_id="ptyp_none"))


class TestDeclarations:
    def test_a_row_s_own_actions_are_not_meant(self) -> None:
        class Mailed(ProductTypes):
            def create(self, request: Request) -> dict[str, Any]:
                return {}

        class Declared(Mailed):
            dry_runs = frozenset({"create"})

        assert {"create", "update", "destroy", "batch"} - Mailed.dry_runs == {"create"}
        assert "create" in Declared.dry_runs

    def test_work_outside_the_transaction_is_refused(self) -> None:
        class Asking(AdminEndpoint):
            permissions = {"create": "catalog.add_product"}
            dry_runs = frozenset({"create"})

            def ask(self, request: Request) -> None:
                return None

            @before_transaction(ask)
            def create(self, request: Request, _: None) -> dict[str, Any]:
                return {}

        with pytest.raises(ImproperlyConfigured, match="Asking works outside the transaction of: create"):
            Asking.as_view({"post": "create"})

    def test_a_name_that_is_no_action_is_refused(self) -> None:
        with pytest.raises(ImproperlyConfigured, match="`dry_runs` of 'crate'"):
            type("Misspelt", (AdminEndpoint,), {"dry_runs": frozenset({"crate"})})
