"""The routes of exchanges and claims: what each step answers, and what is refused."""

from typing import Any

import pytest

from orders.fulfillments import delivery
from orders.models import Order, OrderChange, Return
from tests.contract.callers import Caller, importer, refusal
from tests.contract.conftest import admin
from tests.factories.apikeys import secret_key
from tests.factories.fulfillment import option
from tests.factories.inventory import StockLocationFactory
from tests.factories.orders import return_reason
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data, failures
from tests.orders.changes.shop import goods, line, order_a, sent
from tests.orders.fulfillments.shop import STAFF, pack

pytestmark = pytest.mark.django_db
__all__ = ["admin"]


def delivered_a() -> Order:
    """Order A, delivered: 2 mugs at 10.00 and a tee at 25.00, at 20 % on top."""
    order = order_a()
    for parcel in (pack(order, 2, 0), pack(order, 0, 1)):
        delivery.deliver(actor=STAFF, fulfillment_id=parcel.pk)
    order.refresh_from_db()
    return order


class Begun:
    """An exchange or a claim, begun over HTTP."""

    def __init__(self, caller: Caller, plural: str, order: Order, **given: Any) -> None:
        self.caller, self.order, self.name = caller, order, plural.removesuffix("s")
        answer = sent(caller, plural, {"order_id": order.pk, **given})
        self.begun, self.answered = answer[self.name], answer["order"]
        self.path = f"{plural}/{self.begun['id']}"

    def back(self, title: str, quantity: int = 1, **given: Any) -> Any:
        return self._units("inbound/items", title, quantity, **given)

    def off(self, title: str, quantity: int = 1, **given: Any) -> Any:
        return self._units("claim-items", title, quantity, **given)

    def out(self, variant: Any, quantity: int = 1, **given: Any) -> Any:
        items = [{"variant_id": variant.pk, "quantity": quantity, **given}]
        return sent(self.caller, f"{self.path}/outbound/items", {"items": items})

    def request(self, **given: Any) -> Any:
        return sent(self.caller, f"{self.path}/request", given)

    def _units(self, part: str, title: str, quantity: int, **given: Any) -> Any:
        items = [{"id": line(self.order, title).pk, "quantity": quantity, **given}]
        return sent(self.caller, f"{self.path}/{part}", {"items": items})


def actions(preview: Any, part: str = "items") -> list[tuple[Any, ...]]:
    """What, on which line or method, about which amount."""
    return [
        (each["action"], row.get("title") or row["name"], each["amount"])
        for row in preview[part]
        for each in row["actions"]
    ]


def test_an_exchange_is_shown_as_if_it_were_done(admin: Caller) -> None:
    order, blue, reason = delivered_a(), goods("blue", 15), return_reason()
    exchange = Begun(admin, "exchanges", order, description="By phone")
    assert (exchange.begun["status"], exchange.begun["display_id"], exchange.begun["return_id"]) == ("pending", 1, None)
    assert exchange.answered["raw_total"] == {"value": "60", "precision": 20}
    answer = exchange.back("mug", reason_id=reason.pk, description="Too small", internal_note="Called")
    shown, coming = answer["order_preview"], answer["return"]
    assert shown["order_change"]["exchange_id"] == exchange.begun["id"]
    assert (shown["order_change"]["change_type"], shown["order_change"]["return_id"]) == ("exchange", coming["id"])
    [mug, tee] = shown["items"]
    assert (mug["detail"]["return_requested_quantity"], mug["return_requested_total"], tee["actions"]) == (1, 12, [])
    [action] = mug["actions"]
    assert (action["action"], action["amount"], action["exchange_id"]) == ("RETURN_ITEM", 12, exchange.begun["id"])
    assert (action["return_id"], action["details"]["reason_id"]) == (coming["id"], reason.pk)
    assert (shown["return_requested_total"], shown["summary"]["pending_difference"]) == (12, -12)
    [item] = coming["items"]
    assert (item["id"], item["quantity"], item["note"], item["reason"]["id"]) == (
        action["id"],
        1,
        "Too small",
        reason.pk,
    )
    answer = exchange.out(blue)
    assert answer["exchange"]["additional_items"][0]["quantity"] == 1
    shown = answer["order_preview"]
    assert actions(shown) == [("RETURN_ITEM", "mug", 12), ("ITEM_ADD", "blue", 18)]
    assert (shown["total"], shown["summary"]["pending_difference"]) == (78, 6)
    assert not Return.objects.exists()
    done = exchange.request()
    assert (done["order_preview"]["total"], done["order_preview"]["order_change"]) == (78, None)
    assert (done["exchange"]["status"], done["exchange"]["difference_due"]) == ("confirmed", 6)
    assert (done["return"]["id"], done["return"]["status"]) == (coming["id"], "requested")
    assert done["return"]["exchange_id"] == done["exchange"]["id"]
    assert [each["item_id"] for each in done["exchange"]["return_items"]] == [mug["id"]]
    assert done["exchange"]["additional_items"][0]["item_id"] == line(order, "blue").pk


def test_the_return_to_come_is_read_and_gets_a_location(admin: Caller) -> None:
    exchange, place = Begun(admin, "exchanges", delivered_a()), StockLocationFactory()
    coming = exchange.back("mug")["return"]
    assert sent(admin, f"returns/{coming['id']}", method="GET")["return"] == coming
    changed = sent(admin, f"returns/{coming['id']}", {"location_id": place.pk})["return"]
    assert changed["location_id"] == place.pk
    status, message = refusal(admin.post(f"/admin/returns/{coming['id']}", {"metadata": {"a": 1}}))
    assert (status, "metadata" in message) == (400, True)
    status, message = refusal(admin.post(f"/admin/returns/{coming['id']}", {"location_id": "sloc_unknown"}))
    assert (status, "sloc_unknown" in message) == (400, True)
    exchange.out(goods("blue", 10))
    assert exchange.request()["return"]["location_id"] == place.pk
    other = Begun(admin, "exchanges", delivered_a())
    coming_id = f"return_{other.begun['id'].partition('_')[2]}"
    assert admin.get(f"/admin/returns/{coming_id}").status_code == 404
    assert admin.post(f"/admin/returns/{coming_id}", {"location_id": place.pk}).status_code == 404


def test_goods_are_sent_both_ways(admin: Caller) -> None:
    order = delivered_a()
    back, out = option(3, rules=[("is_return", "eq", "true")]), option(5)
    exchange = Begun(admin, "exchanges", order)
    exchange.back("mug")
    ways = [f"{exchange.path}/{way}/shipping-method" for way in ("inbound", "outbound")]
    shown = sent(admin, ways[0], {"shipping_option_id": back.pk})
    [action] = shown["order_preview"]["shipping_methods"][-1]["actions"]
    assert (action["action"], action["return_id"]) == ("SHIPPING_ADD", shown["return"]["id"])
    answer = sent(admin, ways[1], {"shipping_option_id": out.pk, "custom_amount": 2})
    [sending] = answer["order_preview"]["shipping_methods"][-1]["actions"]
    assert (sending["return_id"], answer["exchange"]["shipping_methods"][0]["amount"]) == (None, 2)
    assert answer["order_preview"]["shipping_total"] == 12
    shown = sent(admin, f"{ways[0]}/{action['id']}", {"custom_amount": 1})["order_preview"]
    assert shown["shipping_total"] == 9.6
    assert admin.post(f"/admin/{ways[1]}/{action['id']}", {"custom_amount": 1}).status_code == 404
    shown = sent(admin, f"{ways[1]}/{sending['id']}", method="DELETE")["order_preview"]
    assert shown["shipping_total"] == 7.2
    exchange.out(goods("blue", 10))
    made = exchange.request()["return"]
    methods = sent(admin, f"orders/{order.pk}", method="GET")["order"]["shipping_methods"]
    details = [(each["detail"]["return_id"], each["detail"]["exchange_id"]) for each in methods]
    assert details == [(None, None), (made["id"], exchange.begun["id"])]


def test_a_claim_writes_off_what_does_not_come_back(admin: Caller) -> None:
    order = delivered_a()
    claim = Begun(admin, "claims", order, type="replace")
    assert (claim.begun["type"], claim.begun["return"]) == ("replace", None)
    answer = claim.off("mug", reason="production_failure", internal_note="Broken")
    [item] = answer["claim"]["claim_items"]
    assert (item["reason"], item["quantity"], item["internal_note"]) == ("production_failure", 1, "Broken")
    [mug, _] = answer["order_preview"]["items"]
    assert (mug["detail"]["written_off_quantity"], mug["actions"][0]["claim_id"]) == (1, claim.begun["id"])
    assert answer["order_preview"]["order_change"]["return_id"] is None
    path = f"{claim.path}/claim-items/{item['id']}"
    changed = sent(admin, path, {"quantity": 2, "reason": "wrong_item", "internal_note": None})["claim"]
    [item] = changed["claim_items"]
    assert (item["quantity"], item["reason"], item["internal_note"]) == (2, "wrong_item", None)
    claim.out(goods("blue", 10))
    done = claim.request()
    assert (done["return"], done["claim"]["status"], done["claim"]["return"]) == (None, "confirmed", None)
    detail = done["order_preview"]["items"][0]["detail"]
    assert (detail["written_off_quantity"], detail["return_dismissed_quantity"]) == (2, 2)
    [change] = sent(admin, f"orders/{order.pk}/changes", method="GET")["order_changes"]
    assert (change["change_type"], change["claim_id"], change["exchange_id"]) == ("claim", claim.begun["id"], None)


def test_the_changes_of_an_order_have_no_return_twice(admin: Caller) -> None:
    order = delivered_a()
    exchange = Begun(admin, "exchanges", order)
    exchange.back("mug")
    exchange.out(goods("blue", 10))
    made = exchange.request()["return"]
    [change] = sent(admin, f"orders/{order.pk}/changes", method="GET")["order_changes"]
    assert (change["change_type"], change["return_id"]) == ("exchange", made["id"])
    assert [each["action"] for each in change["actions"]] == ["RETURN_ITEM", "ITEM_ADD"]
    [found] = sent(admin, f"orders/{order.pk}/changes?return_id={made['id']}&change_type=exchange", method="GET")[
        "order_changes"
    ]
    assert found["id"] == change["id"]


def test_an_open_one_is_canceled_and_stays_listed(admin: Caller) -> None:
    exchange = Begun(admin, "exchanges", delivered_a())
    status, message = refusal(admin.post("/admin/claims", {"order_id": exchange.order.pk, "type": "refund"}))
    assert (status, f"ordch_{exchange.begun['id'][5:]}" in message) == (400, True)
    gone = sent(admin, f"{exchange.path}/request", method="DELETE")
    assert gone == {"id": exchange.begun["id"], "object": "exchange", "deleted": True}
    assert refusal(admin.post(f"/admin/{exchange.path}/request", {}))[0] == 400
    listed = sent(admin, f"exchanges?order_id={exchange.order.pk}&fields=id,status", method="GET")
    assert listed["exchanges"] == [{"id": exchange.begun["id"], "status": "canceled"}]
    assert (listed["limit"], listed["count"]) == (20, 1)


def test_a_request_is_not_repeated_and_names_the_version(admin: Caller) -> None:
    exchange = Begun(admin, "exchanges", delivered_a())
    exchange.back("mug")
    assert refusal(admin.post(f"/admin/{exchange.path}/request", {}))[0] == 400  # nothing goes out
    exchange.out(goods("blue", 10))
    version = Order.objects.get(pk=exchange.order.pk).version
    assert admin.post(f"/admin/{exchange.path}/request", {"version": version + 1}).status_code == 409
    exchange.request(version=version)
    assert refusal(admin.post(f"/admin/{exchange.path}/request", {}))[0] == 400
    assert sent(admin, f"{exchange.path}/cancel")["exchange"]["status"] == "canceled"
    assert refusal(admin.post(f"/admin/{exchange.path}/cancel", {}))[0] == 400


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"quantity": 0}, "quantity"),
        ({"quantity": 1.5}, "quantity"),
        ({"quantity": 3}, "ordli_"),
        ({"id": "ordli_unknown"}, "ordli_unknown"),
        ({"reason_id": "rr_unknown"}, "reason"),
        ({"reason": "wrong_item"}, "reason"),
        ({"note": "x"}, "note"),
    ],
)
def test_units_that_cannot_come_back(admin: Caller, given: dict[str, object], field: str) -> None:
    exchange = Begun(admin, "exchanges", delivered_a())
    item = {"id": line(exchange.order, "mug").pk, "quantity": 1, **given}
    status, message = refusal(admin.post(f"/admin/{exchange.path}/inbound/items", {"items": [item]}))
    assert (status, field in message) == (400, True), message


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"type": "exchange"}, "type"),
        ({}, "type"),
        ({"type": "refund", "order_id": "order_unknown"}, "order_unknown"),
        ({"type": "refund", "reason_id": "rr_unknown"}, "rr_unknown"),
        ({"type": "refund", "no_notification": True}, "no_notification"),
    ],
)
def test_claims_that_cannot_begin(admin: Caller, body: dict[str, object], field: str) -> None:
    status, message = refusal(admin.post("/admin/claims", {"order_id": delivered_a().pk, **body}))
    assert (status, field in message) == (400, True), message


def test_ids_of_others_are_not_found(admin: Caller) -> None:
    mine, other = (Begun(admin, "exchanges", delivered_a()) for _ in range(2))
    [action] = other.back("mug")["order_preview"]["items"][0]["actions"]
    for method in ("POST", "DELETE"):
        path = f"/admin/{mine.path}/inbound/items/{action['id']}"
        assert admin.send(method, path, {} if method == "POST" else b"").status_code == 404
    own = mine.begun["id"]
    for path in (
        f"claims/{own}",
        f"claims/{own.replace('oexc', 'claim')}",
        f"exchanges/{own.replace('oexc', 'ordch')}",
    ):
        status, message = refusal(admin.get(f"/admin/{path}"))
        assert (status, path.partition("/")[2] in message) == (404, True)
        assert admin.post(f"/admin/{path}/request", {}).status_code == 404


def test_it_takes_the_permission_to_add_returns(admin: Caller) -> None:
    order = delivered_a()
    caller = importer(secret_key(UserFactory(permissions=["orders.add_orderchange", "orders.view_order"])))
    status, message = refusal(caller.post("/admin/exchanges", {"order_id": order.pk}))
    assert (status, "orders.add_return" in message) == (403, True)


@pytest.mark.parametrize(("act", "status"), [("cancel", 400), ("complete", 200)])
def test_orders_that_have_ended(admin: Caller, act: str, status: int) -> None:
    order = order_a() if act == "cancel" else delivered_a()
    sent(admin, f"orders/{order.pk}/{act}")
    assert admin.post("/admin/exchanges", {"order_id": order.pk}).status_code == status


def test_graphql_previews_and_exchanges_as_a_whole(admin: Caller) -> None:
    order, blue = delivered_a(), goods("blue", 15)
    given = f"""id: "{order.pk}", input: {{returnedItems: [{{id: "{line(order, "mug").pk}", quantity: 1}}],
        addedItems: [{{variantId: "{blue.pk}", quantity: 1}}],
        outboundShipping: {{shippingOptionId: "{option(5).pk}", customAmount: 1}}}}"""
    asked = "order { total summary { pendingDifference } items { title quantity } }"
    lines = [{"title": name, "quantity": units} for name, units in (("mug", 2), ("tee", 1), ("blue", 1))]
    expected = {"total": 79.2, "summary": {"pendingDifference": 7.2}, "items": lines}
    shown = data(ask(admin, f"mutation {{ previewOrderExchange({given}) {{ {asked} }} }}"))
    assert shown == {"previewOrderExchange": {"order": expected}}
    assert (OrderChange.objects.count(), Return.objects.count()) == (0, 0)
    done = data(ask(admin, f"mutation {{ exchangeOrderItems({given}) {{ {asked} }} }}"))
    assert done == {"exchangeOrderItems": {"order": expected}}
    listed = data(ask(admin, "{ exchanges { exchanges { status differenceDue return { status } } } }"))
    expected = {"status": "confirmed", "differenceDue": 7.2, "return": {"status": "requested"}}
    assert listed == {"exchanges": {"exchanges": [expected]}}


def test_graphql_previews_and_claims_as_a_whole(admin: Caller) -> None:
    order = delivered_a()
    given = f"""id: "{order.pk}", input: {{type: "refund", description: "By phone",
        claimedItems: [{{id: "{line(order, "mug").pk}", quantity: 1, reason: "missing_item"}}]}}"""
    asked = "order { total summary { pendingDifference } }"
    expected = {"order": {"total": 48, "summary": {"pendingDifference": -12}}}
    assert data(ask(admin, f"mutation {{ previewOrderClaim({given}) {{ {asked} }} }}")) == {
        "previewOrderClaim": expected
    }
    assert not OrderChange.objects.exists()
    assert data(ask(admin, f"mutation {{ claimOrderItems({given}) {{ {asked} }} }}")) == {"claimOrderItems": expected}
    [found] = data(ask(admin, "{ claims { claims { id claimItems { reason quantity } } } }"))["claims"]["claims"]
    assert found["claimItems"] == [{"reason": "missing_item", "quantity": 1}]
    more = given.replace("quantity: 1", "quantity: 2")
    [refused] = failures(ask(admin, f"mutation {{ claimOrderItems({more}) {{ {asked} }} }}"))
    assert refused[1].startswith("Cannot request to return more items")
