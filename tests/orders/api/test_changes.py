"""GET /admin/orders/{id}/changes: the requests of an order's returns, as programs ask for them."""

from typing import Any

import pytest

from kit.domain.actor import SYSTEM
from kit.values.timestamps import isoformat
from orders.models import ReturnItem
from orders.returns import cancellation, creation
from tests.contract.callers import Caller
from tests.contract.conftest import admin
from tests.kit.graphql.calls import ask, data
from tests.orders.api.conftest import ProgramWith
from tests.orders.returns.shop import delivered, lines, receive, return_of

pytestmark = pytest.mark.django_db

__all__ = ["admin"]
VIEWING = "orders.view_return"


def listed(reader: Caller, order_id: str, query: str = "") -> list[dict[str, Any]]:
    answer = reader.get(f"/admin/orders/{order_id}/changes{query}").json()
    changes: list[dict[str, Any]] = answer["order_changes"]
    assert answer["count"] == len(changes)
    return changes


def test_a_change_holds_the_request_of_a_return(program_with: ProgramWith) -> None:
    made = delivered()
    requested = return_of(made, note="Too small", internal_note="Called")
    return_of()
    (change,) = listed(program_with(VIEWING), made.pk, "?fields=-order,-return_order")
    item, moment = ReturnItem.objects.get(of_return=requested), isoformat(requested.requested_at)
    suffix = requested.pk.removeprefix("return_")
    assert change == {
        "id": f"ordch_{suffix}",
        "order_id": made.pk,
        "return_id": requested.pk,
        "change_type": "return_request",
        "status": "confirmed",
        "version": requested.order_version,
        "description": "Too small",
        "internal_note": "Called",
        "no_notification": None,
        "carry_over_promotions": None,
        "created_by": requested.created_by,
        "requested_by": requested.created_by,
        "requested_at": moment,
        "confirmed_by": requested.created_by,
        "confirmed_at": moment,
        "declined_by": None,
        "declined_at": None,
        "declined_reason": None,
        "canceled_by": None,
        "canceled_at": None,
        "exchange_id": None,
        "exchange": None,
        "claim_id": None,
        "claim": None,
        "metadata": None,
        "created_at": isoformat(requested.created_at),
        "updated_at": isoformat(requested.updated_at),
        "deleted_at": None,
        "actions": [
            {
                "id": "ordchact_" + item.pk.removeprefix("retitem_"),
                "action": "RETURN_ITEM",
                "reference": "line_item",
                "reference_id": lines(made)[0].pk,
                "return_id": requested.pk,
                "details": {"return_id": requested.pk, "quantity": 1, "reason_id": None},
                "internal_note": None,
            }
        ],
    }


def test_a_change_shows_its_order_and_return(program_with: ProgramWith) -> None:
    """The order to those who may view orders."""
    made = delivered()
    requested = return_of(made)
    (change,) = listed(program_with(VIEWING, "orders.view_order"), made.pk)
    assert (change["order"]["id"], change["order"]["display_id"]) == (made.pk, made.display_id)
    assert (change["return_order"]["id"], change["return_order"]["status"]) == (requested.pk, "requested")
    (hidden,) = listed(program_with(VIEWING), made.pk)
    assert (hidden["order"], hidden["return_order"]["id"]) == (None, requested.pk)


def test_the_status_follows_the_return(program_with: ProgramWith) -> None:
    made, reader = delivered(), program_with(VIEWING)
    creation.begin(actor=SYSTEM, order_id=made.pk)
    received, canceled = return_of(made), return_of(made)
    receive(received, 1)
    cancellation.cancel(actor=SYSTEM, return_id=canceled.pk)
    assert [each["status"] for each in listed(reader, made.pk)] == ["pending", "confirmed", "canceled"]
    chosen = listed(reader, made.pk, f"?return_id={canceled.pk}&fields=status,actions.details")
    assert [(each["status"], each["actions"][0]["details"]["quantity"]) for each in chosen] == [("canceled", 1)]


def test_an_order_without_returns_has_no_changes(program_with: ProgramWith) -> None:
    assert listed(program_with(VIEWING), delivered().pk) == []


def test_changes_require_the_permission_and_an_order(program_with: ProgramWith) -> None:
    made = delivered()
    assert program_with("orders.view_order").get(f"/admin/orders/{made.pk}/changes").status_code == 403
    assert program_with(VIEWING).get("/admin/orders/order_none/changes").status_code == 404


def test_graphql(admin: Caller) -> None:
    made = delivered()
    requested = return_of(made)
    query = f'{{ orderChanges(orderId: "{made.pk}") {{ orderChanges {{ returnId status }} count }} }}'
    answer = {"orderChanges": [{"returnId": requested.pk, "status": "confirmed"}], "count": 1}
    assert data(ask(admin, query)) == {"orderChanges": answer}
