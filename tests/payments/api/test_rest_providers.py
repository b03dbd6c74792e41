"""Who takes payments in a region, and what they tell by themselves over HTTP."""

import pytest

from carts.models import Cart
from kit.values.timestamps import now
from payments.models import Payment, PaymentSession
from shop.models import PaymentProvider
from tests.contract.callers import Caller, invalid, refusal
from tests.factories import carts as make_carts
from tests.factories import payments as make
from tests.payments.calls import opened
from tests.payments.providers import FAKE, OTHER, SIGNED, FakeProvider, event


class TestProviders:
    LIST = "/store/payment-providers"

    def test_those_of_a_region(self, store: Caller, fake: FakeProvider) -> None:
        region = make_carts.selling_region()
        region.payment_providers.add("pp_system_default", FAKE, OTHER)
        make_carts.selling_region(name="Elsewhere").payment_providers.add(OTHER)
        PaymentProvider.objects.filter(pk=OTHER).update(deleted_at=now())
        shown = store.get(self.LIST, f"region_id={region.pk}&order=id").json()
        assert shown == {
            "payment_providers": [
                {"id": FAKE, "is_enabled": True},
                {"id": "pp_system_default", "is_enabled": True},
            ],
            "count": 2,
            "estimate_count": 2,
            "offset": 0,
            "limit": 20,
        }
        PaymentProvider.objects.filter(pk=FAKE).update(is_enabled=False)
        paged = store.get(self.LIST, f"region_id={region.pk}&fields=id&limit=1").json()
        assert (paged["payment_providers"], paged["count"]) == ([{"id": "pp_system_default"}], 1)

    def test_a_region_that_there_is_not_has_none(self, store: Caller) -> None:
        for region_id in ("reg_nobody", "", "x" * 5000):
            shown = store.get(self.LIST, f"region_id={region_id}").json()
            assert (shown["payment_providers"], shown["count"]) == ([], 0)

    @pytest.mark.parametrize(
        ("query", "message"),
        [
            ("", "Field 'region_id' is required"),
            ("limit=1", "Field 'region_id' is required"),
            ("region_id=a&foo=1", "Unrecognized fields: 'foo'"),
        ],
    )
    def test_what_is_refused(self, store: Caller, query: str, message: str) -> None:
        assert refusal(store.get(self.LIST, query)) == invalid(message)

    @pytest.mark.parametrize(
        "query", ["region_id[]=a&region_id[]=b", "region_id=a&limit=1001", "region_id=a&order=nope", "region_id=%00"]
    )
    def test_what_else_is_refused(self, store: Caller, query: str) -> None:
        assert store.get(self.LIST, query).status_code == 400


class TestHooks:
    PATH = f"/hooks/payments/{FAKE}"

    def test_a_genuine_event_is_taken(self, store: Caller, cart: Cart) -> None:
        session = make.session(make.collection(cart), provider_id=FAKE)
        reported = event("evt_1", session.pk, status="authorized")
        for _ in range(2):
            response = Caller(**SIGNED).post(self.PATH, reported)
            assert (response.status_code, response.json()) == (200, {"status": "ok"})
            assert response["Cache-Control"] == "no-store"
        assert opened(store, cart)["status"] == "authorized"
        assert Payment.objects.count() == 1

    def test_another_is_refused(self, cart: Cart) -> None:
        session = make.session(make.collection(cart), provider_id=FAKE)
        reported = event("evt_1", session.pk, status="captured")
        for caller in (Caller(), Caller(x_signature="forged")):
            assert refusal(caller.post(self.PATH, reported)) == (400, "The event's signature is invalid")
        assert PaymentSession.objects.get().status == "pending"

    def test_the_provider_reads_the_bytes_of_any_format(self, cart: Cart, fake: FakeProvider) -> None:
        session = make.session(make.collection(cart), provider_id=FAKE)
        reported = event("evt_1", session.pk, status="authorized")
        for content_type in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", ""):
            response = Caller(**SIGNED).post(self.PATH, reported, content_type=content_type)
            assert (response.status_code, response.json()) == (200, {"status": "ok"})
        assert PaymentSession.objects.get().status == "authorized"

    @pytest.mark.parametrize("body", [b"[]", b"id=evt_1", b"{", b"{}", b'{"id": "a", "action": "none"}', b"[" * 5000])
    def test_an_event_that_the_provider_cannot_read(self, cart: Cart, body: bytes) -> None:
        assert refusal(Caller(**SIGNED).post(self.PATH, body)) == (400, "The event cannot be read")

    def test_an_id_that_no_column_holds(self, cart: Cart) -> None:
        reported = event("evt_1", "payses_\0", status="authorized")
        assert Caller(**SIGNED).post(self.PATH, reported).json() == {"status": "ok"}

    def test_a_provider_that_there_is_not(self, fake: FakeProvider) -> None:
        assert refusal(Caller(**SIGNED).post("/hooks/payments/pp_nobody", event("evt_1"))) == (
            404,
            "Payment provider with id: pp_nobody was not found",
        )
