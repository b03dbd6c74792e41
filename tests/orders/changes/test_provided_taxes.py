"""A tax provider is asked about what an edit adds, outside transactions; its answer is kept with the action for a day.

Orders are taxed at the shop's own 10 %, since no provider was there when they were placed; the provider says 7.5 %.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from structlog.testing import capture_logs

from kit.values.timestamps import now
from orders.common import added_taxes
from orders.models import Order, OrderChangeAction, OrderShippingMethodTaxLine, OrderTaxLine
from taxes.providers.base import Rate, TaxedGoods
from tests.contract.callers import Caller
from tests.contract.conftest import admin
from tests.factories.carts import sold_variant
from tests.factories.fulfillment import option
from tests.kit.graphql.calls import ask
from tests.orders.admin.forms.desk import desk, filled, send
from tests.orders.admin.forms.edits import edited, previewed
from tests.orders.changes.shop import Edit, goods, line, order_a, sent
from tests.taxes.quotes.fake_tax_provider import FakeTaxProvider, provider

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["admin", "provider"]

DAY, HOUR, MOMENT = timedelta(days=1), timedelta(hours=1), timedelta(milliseconds=1)


class Clock:
    """It stands still unless a test moves it."""

    moment: datetime

    def __init__(self) -> None:
        self.moment = now()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(added_taxes, "now", lambda: made.moment)
    return made


@pytest.fixture
def order(provider: type[FakeTaxProvider], settings: Any) -> Order:
    """50.00 and 10 %: 55.00."""
    providers, settings.TAX_PROVIDERS = settings.TAX_PROVIDERS, {}
    made = order_a()
    settings.TAX_PROVIDERS = providers
    assert made.total == 55
    return made


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch, provider: type[FakeTaxProvider]) -> Callable[[Any], None]:
    """Has the provider answer this rate, or fail with this error."""

    def answer(given: Any) -> None:
        def rates(request: Any) -> Any:
            if isinstance(given, Exception):
                raise given
            return [[Rate(Decimal(given), "NYC", "City of Springfield")] for _ in request.goods]

        monkeypatch.setattr(provider, "answer", rates)

    return answer


def taxes(order: Order) -> dict[str, list[tuple[str, str]]]:
    """Of each line: percent and provider."""
    rows = OrderTaxLine.objects.filter(item__order=order, item__deleted_at=None).order_by("pk")
    return {row.item.title: [(f"{row.rate.normalize():f}", row.provider_id)] for row in rows}


OWN, GIVEN = [("10", "system")], [("7.5", "txp_fake")]


def test_lines_and_shipping_have_its_rates(order: Order, admin: Caller, provider: type[FakeTaxProvider]) -> None:
    lamp, post = goods("lamp", 20), option(40)
    edit = Edit(admin, order)
    shown = edit.add(lamp, 2)
    assert (shown["total"], shown["tax_total"]) == (98, 8)
    assert [each["provider_id"] for each in shown["items"][-1]["tax_lines"]] == ["txp_fake"]
    shown = sent(admin, f"{edit.path}/shipping-method", {"shipping_option_id": post.pk})["order_preview"]
    assert (shown["total"], shown["tax_total"]) == (141, 11)
    first, second = provider.requests
    address = order.shipping_address
    assert (first.currency_code, first.address.country_code, first.address.postal_code) == (
        "usd",
        "us",
        address.postal_code,
    )
    assert first.goods == (TaxedGoods(lamp.product_id, lamp.product.type_id, None, 2, Decimal(40), False),)
    assert second.goods == (TaxedGoods(None, None, post.pk, 1, Decimal(40), False),)
    edit.set("mug", 1)
    assert (edit.confirm()["total"], len(provider.requests)) == (130, 2)
    assert taxes(order) == {"mug": OWN, "tee": OWN, "lamp": GIVEN}
    rows = OrderShippingMethodTaxLine.objects.filter(shipping_method__shipping_option_id=post.pk)
    assert [(row.rate, row.total, row.provider_id) for row in rows] == [(Decimal("7.5"), 3, "txp_fake")]
    order.refresh_from_db()
    assert (order.total, order.tax_fallback) == (130, None)


def test_another_quantity_keeps_them_and_another_price_of_shipping_asks(
    order: Order, admin: Caller, provider: type[FakeTaxProvider], answers: Callable[[Any], None]
) -> None:
    edit = Edit(admin, order)
    edit.add(goods("lamp", 40))
    sent(admin, f"{edit.path}/shipping-method", {"shipping_option_id": option(40).pk})
    answers(5)
    line_action, method_action = OrderChangeAction.objects.order_by("ordering")
    shown = sent(admin, f"{edit.path}/items/{line_action.pk}", {"quantity": 2})["order_preview"]
    assert (shown["total"], len(provider.requests)) == (55 + 86 + 43, 2)
    path = f"{edit.path}/shipping-method/{method_action.pk}"
    assert sent(admin, path, {"internal_note": "Heavy"})["order_preview"]["total"] == 55 + 86 + 43
    assert sent(admin, path, {"custom_amount": 20})["order_preview"]["total"] == 55 + 86 + 21
    assert len(provider.requests) == 3


def test_an_answer_is_used_for_a_day(
    order: Order, admin: Caller, provider: type[FakeTaxProvider], clock: Clock, answers: Callable[[Any], None]
) -> None:
    edit = Edit(admin, order)
    edit.add(goods("lamp", 40))
    answers(5)
    clock.moment += DAY - MOMENT
    assert sent(admin, f"{edit.path}/request")["order_preview"]["total"] == 98
    assert (edit.confirm()["total"], len(provider.requests)) == (98, 1)


def test_an_older_one_is_asked_again_by_the_confirmation_alone(
    order: Order, admin: Caller, provider: type[FakeTaxProvider], clock: Clock, answers: Callable[[Any], None]
) -> None:
    lamp, post = goods("lamp", 20), option(40)
    edit = Edit(admin, order)
    edit.add(lamp, 2)
    sent(admin, f"{edit.path}/shipping-method", {"shipping_option_id": post.pk})
    edit.set("mug", 1)
    answers(5)
    clock.moment += DAY
    assert admin.get(f"/admin/orders/{order.pk}/preview").json()["order"]["total"] == 130
    assert sent(admin, f"{edit.path}/request")["order_preview"]["total"] == 130
    assert len(provider.requests) == 2
    tried = sent(admin, f"{edit.path}/confirm", {"dry_run": True})["order_preview"]["total"]
    assert (tried, edit.confirm()["total"], len(provider.requests)) == (128, 128, 4)
    assert provider.requests[3].goods == (
        TaxedGoods(lamp.product_id, lamp.product.type_id, None, 2, Decimal(40), False),
        TaxedGoods(None, None, post.pk, 1, Decimal(40), False),
    )
    assert taxes(order)["lamp"] == [("5", "txp_fake")]
    order.refresh_from_db()
    assert (order.total, order.tax_fallback) == (128, None)


def test_it_stays_if_the_provider_does_not_answer_again(
    order: Order, admin: Caller, clock: Clock, answers: Callable[[Any], None]
) -> None:
    edit = Edit(admin, order)
    edit.add(goods("lamp", 40))
    answers(ConnectionError("No way"))
    clock.moment += DAY
    with capture_logs() as logs:
        assert edit.confirm()["total"] == 98
    warnings = [entry["event"] for entry in logs if entry["log_level"] == "warning"]
    assert warnings == ["tax_provider_failed", "taxes_not_renewed"]
    order.refresh_from_db()
    assert (taxes(order)["lamp"], order.tax_fallback) == (GIVEN, None)


def test_without_an_answer_the_own_rates_apply_and_the_order_says_so(
    order: Order, admin: Caller, provider: type[FakeTaxProvider], clock: Clock, answers: Callable[[Any], None]
) -> None:
    answers(ConnectionError("No way"))
    edit = Edit(admin, order)
    assert edit.add(goods("lamp", 40))["total"] == 99
    assert [row.tax_fallback for row in OrderChangeAction.objects.all()] == ["no_response"]
    clock.moment += HOUR - MOMENT
    assert (edit.confirm()["total"], len(provider.requests)) == (99, 1)
    order.refresh_from_db()
    assert (taxes(order)["lamp"], order.tax_fallback) == (OWN, "no_response")


def test_an_hour_later_it_is_asked_again(
    order: Order, admin: Caller, clock: Clock, answers: Callable[[Any], None]
) -> None:
    answers(ConnectionError("No way"))
    edit = Edit(admin, order)
    edit.add(goods("lamp", 40))
    answers("7.5")
    clock.moment += HOUR
    assert edit.confirm()["total"] == 98
    order.refresh_from_db()
    assert (taxes(order)["lamp"], order.tax_fallback) == (GIVEN, None)


def test_an_edit_as_a_whole_asks_for_its_lines_and_its_shipping(
    order: Order, admin: Caller, provider: type[FakeTaxProvider]
) -> None:
    given = f"""addedItems: [{{variantId: "{goods("lamp", 40).pk}", quantity: 1}}],
      changedItems: [{{id: "{line(order, "mug").pk}", quantity: 1}}],
      shippingMethods: [{{shippingOptionId: "{option(40).pk}"}}]"""
    for verb, asked in (("previewOrderEdit", 2), ("editOrder", 4)):
        written = f'mutation {{ {verb}(id: "{order.pk}", input: {{ {given} }}) {{ order {{ total }} }} }}'
        assert ask(admin, written).json() == {"data": {verb: {"order": {"total": 130}}}}
        assert len(provider.requests) == asked
    assert taxes(order) == {"mug": OWN, "tee": OWN, "lamp": GIVEN}


def test_nothing_is_asked_about_exempt_orders_and_removed_units(
    order: Order, admin: Caller, provider: type[FakeTaxProvider]
) -> None:
    edit = Edit(admin, order)
    edit.set("mug", 1)
    Order.objects.update(is_tax_exempt=True)
    edit.add(sold_variant(40))
    assert provider.requests == []
    action = OrderChangeAction.objects.order_by("ordering").last()
    assert (action.taxes, action.exempt_rate, action.taxed_at) == ([], 10_0000, None)


def test_an_address_without_a_postal_code_is_not_asked_about(
    order: Order, admin: Caller, provider: type[FakeTaxProvider]
) -> None:
    order.shipping_address.postal_code = None
    order.shipping_address.save()
    edit = Edit(admin, order)
    edit.add(goods("lamp", 40))
    assert (edit.confirm()["total"], provider.requests) == (99, [])
    order.refresh_from_db()
    assert order.tax_fallback == "no_postal_code"


def test_a_form_shows_other_taxes_before_it_confirms_them(
    order: Order, admin: Caller, provider: type[FakeTaxProvider], clock: Clock, answers: Callable[[Any], None]
) -> None:
    client, _ = desk()
    edit = Edit(admin, order)
    edit.add(goods("lamp", 40))
    asked = ("confirm-edit", edit.change["id"])
    form = filled(client, order, *asked)
    answers(5)
    clock.moment += DAY
    told, form = previewed(client, order, form, *asked)
    assert "Total with tax: $55.00 → $97.00." in told
    assert OrderChangeAction.objects.get().taxes[0][0] == 7_5000
    send(client, order, *asked, form)
    order.refresh_from_db()
    assert (order.total, taxes(order)["lamp"], len(provider.requests)) == (97, [("5", "txp_fake")], 3)


def test_a_form_that_edits_asks_for_its_preview_too(order: Order, provider: type[FakeTaxProvider]) -> None:
    client, _ = desk()
    told, _ = edited(client, order, variant_1=goods("lamp", 40).pk)
    assert "Total with tax: $55.00 → $98.00." in told
    order.refresh_from_db()
    assert (order.total, taxes(order)["lamp"], len(provider.requests)) == (98, GIVEN, 2)
