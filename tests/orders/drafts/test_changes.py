"""Changes of drafts: prepared by actions, shown as if they were confirmed, and confirmed at once."""

from decimal import Decimal
from typing import Any

import pytest

from carts.details.faults import CartFaults
from carts.models import Cart, Promotion
from kit.errors import Forbidden, InvalidData
from orders.changes.errors import ActionNotFound, ChangeOpen, LineNotFound, NoActions, NoOpenChange
from orders.common.errors import DraftBeingChanged
from orders.drafts import items, lifecycle, promotions, shipping
from orders.drafts.conversion import convert
from orders.drafts.effects import previewed
from orders.drafts.items import DraftItem
from orders.erasure.carts import erase_carts
from orders.models import OrderChange, OrderChangeAction
from tests.factories import carts as make
from tests.factories.actors import staff_actor
from tests.factories.fulfillment import option
from tests.orders.changes.shop import goods
from tests.orders.drafts.shop import STAFF, draft, wanted

pytestmark = pytest.mark.django_db


def begun(*pieces: Any, **given: Any) -> Cart:
    made = draft(*pieces, **given)
    lifecycle.begin(actor=STAFF, draft_id=made.pk)
    return made


def do(verb: Any, made: Cart, **given: Any) -> None:
    verb(actor=STAFF, draft_id=made.pk, **given)


def action(kind: str) -> str:
    return str(OrderChangeAction.objects.get(action=kind).pk)


def state(made: Cart) -> tuple[Any, ...]:
    cart = Cart.objects.get(pk=made.pk)
    lines = [(line.title, line.quantity, f"{line.unit_price:.2f}") for line in cart.items.order_by("pk")]
    methods = [f"{method.amount:.2f}" for method in cart.shipping_methods.order_by("pk")]
    codes = sorted(each.code for each in cart.promotions.all())
    return lines, methods, codes, f"{cart.total:.2f}"


def after(made: Cart) -> tuple[Any, ...]:
    """The state that the preview shows."""
    return previewed(STAFF, made.pk, lambda: state(made))


def confirmed(made: Cart) -> tuple[Any, ...]:
    do(lifecycle.confirm, made)
    return state(made)


def test_a_change_of_everything_is_shown_and_confirmed() -> None:
    mug, tee, lamp = goods("mug", 10), goods("tee", 25), goods("lamp", 40)
    code = make.PromotionFactory(value=10)
    made = begun(wanted(mug, 2), tee)
    before = state(made)
    mug_line, tee_line = made.items.order_by("pk")
    do(items.change_line, made, line_id=mug_line.pk, quantity=3, unit_price=Decimal(8))
    do(items.change_line, made, line_id=tee_line.pk, quantity=0)
    do(
        items.add,
        made,
        items=[
            DraftItem(1, variant_id=lamp.pk),
            DraftItem(2, title="Engraving", terms={"unit_price": Decimal("2.50")}),
        ],
    )
    do(promotions.add, made, promo_codes=[code.code])
    do(shipping.change_method, made, method_id=made.shipping_methods.get().pk, custom_amount=Decimal(3))
    expected = (
        [("mug", 3, "8.00"), ("lamp", 1, "40.00"), ("Engraving", 2, "2.50")],
        ["3.00"],
        [code.code],
        "65.10",  # (24 + 40 + 5) less 10 %, and 3
    )
    assert state(made) == before
    assert after(made) == expected
    assert (state(made), Promotion.objects.get().used) == (before, 0)
    assert confirmed(made) == expected
    change = OrderChange.objects.get()
    assert (change.status, change.kind, change.total_before, change.total_after) == (
        "confirmed",
        "draft",
        50,
        Decimal("65.1"),
    )
    assert change.confirmed_by == "user_01TEST"


def test_an_added_line_keeps_the_id_of_its_action() -> None:
    made = begun()
    do(items.add, made, items=[DraftItem(1, variant_id=goods("mug", 10).pk)])
    line_id = OrderChangeAction.objects.get().line_id
    assert previewed(STAFF, made.pk, lambda: made.items.get().pk) == line_id
    do(lifecycle.confirm, made)
    assert made.items.get().pk == line_id


def test_canceling_undoes_everything() -> None:
    made = begun(goods("mug", 10))
    before = state(made)
    do(items.add, made, items=[DraftItem(1, variant_id=goods("tee", 25).pk)])
    do(promotions.add, made, promo_codes=[make.PromotionFactory().code])
    do(shipping.remove_method, made, method_id=made.shipping_methods.get().pk)
    assert after(made) != before
    do(lifecycle.cancel, made)
    assert (state(made), after(made)) == (before, before)
    assert OrderChange.objects.get().status == "canceled"
    with pytest.raises(NoOpenChange):
        do(lifecycle.confirm, made)
    lifecycle.begin(actor=STAFF, draft_id=made.pk)


def test_actions_change_and_leave() -> None:
    made = begun(goods("mug", 10))
    do(items.add, made, items=[DraftItem(1, variant_id=goods("tee", 25).pk)])
    do(items.change_added, made, action_id=action("item_add"), quantity=2, unit_price=Decimal(20))
    assert after(made)[3] == "55.00"
    do(items.remove_added, made, action_id=action("item_add"))
    do(shipping.add, made, shipping_option_id=option(7).pk)
    assert after(made)[1] == ["5.00", "7.00"]
    do(shipping.change_added, made, action_id=action("shipping_add"), custom_amount=Decimal(1))
    assert after(made)[1] == ["5.00", "1.00"]
    do(shipping.remove_added, made, action_id=action("shipping_add"))
    do(
        promotions.add,
        made,
        promo_codes=["SAVE"] if Promotion.objects.filter(code="SAVE") else [make.PromotionFactory(code="SAVE").code],
    )
    do(promotions.remove, made, promo_codes=["save"])
    assert (after(made), OrderChangeAction.objects.count()) == (state(made), 0)
    with pytest.raises(NoActions):
        do(lifecycle.confirm, made)


def test_codes_of_the_draft_are_removed() -> None:
    code = make.PromotionFactory(value=10).code
    made = begun(goods("mug", 10), promo_codes=[code])
    assert state(made)[3] == "14.00"
    do(promotions.remove, made, promo_codes=[code.lower()])
    assert after(made)[3] == "15.00"
    do(promotions.add, made, promo_codes=[code])
    assert (after(made)[3], OrderChangeAction.objects.count()) == ("14.00", 0)
    do(promotions.remove, made, promo_codes=[code, "OTHER"])
    assert confirmed(made) == ([("mug", 1, "10.00")], ["5.00"], [], "15.00")


def test_a_method_takes_another_option() -> None:
    made = begun(goods("mug", 10), custom=1)
    method = made.shipping_methods.get()
    do(shipping.change_method, made, method_id=method.pk, shipping_option_id=option(9).pk)
    assert confirmed(made)[1] == ["9.00"]
    assert made.shipping_methods.get().pk == method.pk


def test_what_staff_set_for_a_method_stays_with_its_texts() -> None:
    made = begun(wanted(goods("mug", 10), 1), custom="0")
    method = made.shipping_methods.get()
    do(shipping.change_method, made, method_id=method.pk, description="By bike", metadata={"x": 1})
    assert confirmed(made)[1:] == (["0.00"], [], "10.00")
    method.refresh_from_db()
    assert (method.description, method.metadata, method.is_custom_amount) == ("By bike", {"x": 1}, True)


def test_an_erasure_takes_the_texts_of_changes() -> None:
    made = draft(goods("mug", 10))
    lifecycle.begin(actor=STAFF, draft_id=made.pk, internal_note="Ann, 0171", metadata={"a": 1})
    do(items.add, made, items=[DraftItem(1, variant_id=goods("tee", 5).pk, terms={"internal_note": "For Ann"})])
    erase_carts([made.pk])
    change, step = OrderChange.objects.get(), OrderChangeAction.objects.get()
    assert (change.internal_note, change.metadata, step.internal_note) == (None, None, None)


def test_what_cannot_be_done_is_refused_with_its_action() -> None:
    mug = goods("mug", 10)
    made = begun(mug)
    for items_, told in (
        ([DraftItem(0, variant_id=mug.pk)], r"items\[0\]: Value for field 'quantity' too small"),
        (
            [DraftItem(1, variant_id="variant_none")],
            r"items\[ordchact_\w+\]: Product variant with id: variant_none was",
        ),
        ([DraftItem(1)], r"items\[0\]: Field 'variant_id' or 'title' is required"),
        ([DraftItem(1, title="Fee")], r"Field 'unit_price' is required without a variant_id"),
        ([DraftItem(1, title="Fee", terms={"unit_price": Decimal(-1)})], "'unit_price' too small"),
        ([DraftItem(1, variant_id=mug.pk, terms={"unit_price": Decimal("1.001")})], "more than 2 decimals of usd"),
    ):
        with pytest.raises(CartFaults, match=told):
            do(items.add, made, items=items_)
    with pytest.raises(CartFaults, match=r"promo_codes\[1\]: The promotion code NOPE is invalid"):
        do(promotions.add, made, promo_codes=[make.PromotionFactory().code, "NOPE"])
    with pytest.raises(
        CartFaults, match=r"shipping_methods\[ordchact_\w+\]: Shipping option with id: so_none does not"
    ):
        do(shipping.add, made, shipping_option_id="so_none")
    with pytest.raises(InvalidData, match="custom_amount"):
        do(shipping.add, made, shipping_option_id=option(1).pk, custom_amount=Decimal(-1))
    for verb, given, error in (
        (items.change_line, {"line_id": "cali_none", "quantity": 1}, LineNotFound),
        (items.change_added, {"action_id": "ordchact_none"}, ActionNotFound),
        (shipping.remove_added, {"action_id": "ordchact_none"}, ActionNotFound),
        (lifecycle.begin, {}, ChangeOpen),
    ):
        with pytest.raises(error):
            do(verb, made, **given)
    assert not OrderChangeAction.objects.exists()


def test_prices_need_their_permission() -> None:
    made, seller = begun(goods("mug", 10)), staff_actor("carts.manage_draft")
    line_id, method_id = made.items.get().pk, made.shipping_methods.get().pk
    with pytest.raises(Forbidden):
        items.change_line(actor=seller, draft_id=made.pk, line_id=line_id, quantity=1, unit_price=Decimal(1))
    with pytest.raises(Forbidden):
        shipping.change_method(actor=seller, draft_id=made.pk, method_id=method_id, custom_amount=Decimal(1))
    items.change_line(actor=seller, draft_id=made.pk, line_id=line_id, quantity=2)
    assert after(made)[3] == "25.00"


def test_an_open_change_refuses_the_conversion() -> None:
    made = begun(goods("mug", 10))
    with pytest.raises(DraftBeingChanged):
        convert(actor=STAFF, draft_id=made.pk)
    do(lifecycle.cancel, made)
    assert convert(actor=STAFF, draft_id=made.pk)


def test_a_variant_that_is_gone_leaves_the_preview_and_refuses_the_confirmation() -> None:
    tee = goods("tee", 25)
    made = begun(goods("mug", 10))
    do(items.add, made, items=[DraftItem(1, variant_id=tee.pk)])
    do(lifecycle.request, made)
    tee.product.sales_channels.clear()
    assert after(made) == state(made)
    with pytest.raises(CartFaults, match=r"items\[ordchact_\w+\]: Product variant"):
        do(lifecycle.confirm, made)
    assert OrderChange.objects.get().status == "requested"
