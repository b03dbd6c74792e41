"""A draft by its form: previewed, saved, and made an order. Case A: docs of order changes, section 6."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry

from carts.models import Cart, DraftNumber, LineItem, Promotion, ShippingMethod
from kit.errors import NotAllowed
from kit.messages.mails.models import Mail
from orders.admin.drafts import submission
from orders.drafts import details, lifecycle
from orders.drafts.conversion import convert
from orders.models import Order, OrderChange
from tests.factories.carts import PromotionFactory
from tests.factories.customers import CustomerFactory
from tests.kit.admin.forms import changed, filled_in
from tests.orders.admin.drafts.forms import (
    ADD,
    ADDRESS,
    CONTACT,
    LIST,
    address_of,
    errors,
    filled,
    messages_of,
    region_at_20,
    saved,
    shown,
)
from tests.orders.admin.forms.desk import desk, text_of
from tests.orders.changes.shop import goods, outcome
from tests.orders.drafts.shop import STAFF

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def case_a() -> tuple[dict[str, str], dict[str, str]]:
    """What is entered for 2 mugs and a tee, by post and at 20 %, and the amounts that are then shown."""
    region_at_20()
    mug, tee = goods("mug", 10), goods("tee", 25)
    items = {"variant_1": mug.pk, "new_quantity_1": "2", "variant_2": tee.pk}
    amounts = {
        f"2 x mug ({mug.title}) at $10.00": "$20.00",
        f"1 x tee ({tee.title}) at $25.00": "$25.00",
        "Shipping: Post": "$5.00",
        "Taxes": "$10.00",
        "Total with tax": "$60.00",
    }
    return {**CONTACT, **items}, amounts


def line(draft: Cart, title: str) -> LineItem:
    found: LineItem = draft.items.get(title=title)
    return found


def test_the_effects_are_shown_and_nothing_is_stored() -> None:
    client, _ = desk()
    entered, amounts = case_a()
    answer = client.post(ADD, filled(client, **entered))
    assert shown(answer) == amounts
    assert not Cart.objects.exists()
    assert not DraftNumber.objects.filter(last__gt=0).exists()
    again = filled_in(answer)
    assert {name: again[name] for name in entered} == {name: [value] for name, value in entered.items()}
    assert again["variant_3"] == [""]  # a further place


def test_a_draft_is_saved() -> None:
    client, user = desk()
    entered, amounts = case_a()
    draft = saved(client, **entered)
    assert (draft.is_draft, draft.draft_number, draft.created_by, draft.total) == (True, 1, user.pk, 60)
    assert draft.email == "ann@example.com"
    assert {name: getattr(draft.shipping_address, name) for name in ADDRESS} == ADDRESS
    assert draft.shipping_address.country_code == draft.billing_address.country_code == "us"
    assert draft.billing_address.lines() == draft.shipping_address.lines()
    assert shown(client.get(address_of(draft))) == amounts
    assert list(LogEntry.objects.values_list("object_repr", "user")) == [("D-1", user.pk)]
    assert not OrderChange.objects.exists()
    assert not Mail.objects.exists()


def test_it_becomes_an_order_once_that_is_confirmed() -> None:
    client, _ = desk()
    entered, amounts = case_a()
    asked = client.post(ADD, {**filled(client, **entered), "_create": "1"})
    assert shown(asked) == amounts
    assert "Create order at $60.00 with an email to the customer?" in text_of(asked)
    assert not Cart.objects.exists()
    answer = client.post(ADD, {**filled_in(asked), "_create": "1"})
    order = Order.objects.get()
    assert (answer.status_code, answer["Location"]) == (
        302,
        f"/admin/orders/order/{order.pk.replace('_', '_5F')}/change/",
    )
    assert messages_of(answer) == [f"Order {order} was made of the draft."]
    assert outcome(order) == ("60.00", "60.00", "not_paid", "not_fulfilled", 1, [("60.00", "not_paid")])
    assert [mail.kind for mail in Mail.objects.all()] == ["order_placed"]


def test_after_its_effects_were_shown_one_press_is_enough() -> None:
    client, _ = desk()
    entered, _ = case_a()
    seen = filled_in(client.post(ADD, filled(client, **entered)))
    more = client.post(ADD, {**changed(seen, new_quantity_1="3"), "_create": "1"})
    assert "Create order at $72.00 with an email to the customer?" in text_of(more)
    assert client.post(ADD, {**seen, "_create": "1"}).status_code == 302
    assert Order.objects.get().total == 60


def test_a_saved_draft_becomes_an_order_by_one_press() -> None:
    client, _ = desk()
    entered, _ = case_a()
    draft = saved(client, **entered)
    answer = client.post(address_of(draft), {**filled(client, address_of(draft)), "_create": "1"})
    assert answer.status_code == 302
    order = Order.objects.get(cart_id=draft.pk)
    assert not OrderChange.objects.exists()
    # Its page leads to the order from now on.
    for answer in (client.get(address_of(draft)), client.post(address_of(draft), {"_save": "1"})):
        assert answer["Location"].endswith(f"/admin/orders/order/{order.pk.replace('_', '_5F')}/change/")
    assert messages_of(answer)[-1] == f"The draft became order {order}: this is its page."
    assert "D-1" not in text_of(client.get(LIST))


def test_what_is_changed_is_one_confirmed_change() -> None:
    client, user = desk()
    entered, _ = case_a()
    draft = saved(client, **entered)
    mug, tee, scarf = line(draft, "mug"), line(draft, "tee"), goods("scarf", 15)
    code = PromotionFactory(value=10).code
    changes = {
        f"quantity_{mug.pk}": "3",
        f"price_{mug.pk}": "9.50",
        f"quantity_{tee.pk}": "0",
        "variant_1": scarf.pk,
        "new_price_1": "12",
        "title_1": "Gift wrapping",
        "title_price_1": "2",
        "promo_codes": code,
        "custom_amount": "0",
    }
    amounts = shown(client.post(address_of(draft), filled(client, address_of(draft), **changes)))
    # 28.50 + 12.00 + 2.00 = 42.50, less 10 %: 38.25; 20 % of that: 7.65
    assert [*amounts.values()] == ["$28.50", "$12.00", "$2.00", "$0.00", "-$4.25", "$7.65", "$45.90"]
    assert Cart.objects.get().total == 60
    assert not OrderChange.objects.exists()
    draft = saved(client, address_of(draft), **changes)
    assert (draft.total, Promotion.objects.get().used) == (Decimal("45.90"), 0)
    assert sorted(draft.items.values_list("title", "quantity", "unit_price", "is_custom_price")) == [
        ("Gift wrapping", 1, 2, True),
        ("mug", 3, Decimal("9.5"), True),
        ("scarf", 1, 12, True),
    ]
    assert list(ShippingMethod.objects.values_list("amount", "is_custom_amount")) == [(0, True)]
    change = OrderChange.objects.get()
    assert (change.kind, change.status, change.confirmed_by) == ("draft", "confirmed", user.pk)
    assert (change.total_before, change.total_after) == (60, Decimal("45.90"))
    # And back: the code, and the price of staff for shipping.
    draft = saved(client, address_of(draft), promo_codes="", custom_amount="", **{f"quantity_{mug.pk}": "1"})
    assert draft.total == Decimal("34.20")  # (9.50 + 12 + 2 + 5) x 1.2
    assert ShippingMethod.objects.get().is_custom_amount is False


def test_details_alone_make_no_change_of_lines() -> None:
    client, _ = desk()
    entered, _ = case_a()
    draft = saved(client, **entered)
    other = {"billing_address_1": "2 Oak", "billing_city": "Boston", "billing_country_code": "us", "email": ""}
    draft = saved(client, address_of(draft), **other)
    assert (draft.email, draft.total, draft.billing_address.address_1) == (None, 60, "2 Oak")
    assert draft.shipping_address.address_1 == "1 Elm"
    draft = saved(client, address_of(draft), shipping_address_1="3 Ash")
    assert (draft.shipping_address.address_1, draft.billing_address.address_1) == ("3 Ash", "2 Oak")
    draft = saved(client, address_of(draft), billing_address_1="", billing_city="")
    assert draft.billing_address.address_1 == "3 Ash"
    assert not OrderChange.objects.exists()


def test_a_customer_brings_email_and_address() -> None:
    client, _ = desk()
    entered, _ = case_a()
    ann = CustomerFactory(email="ann@example.com")
    ann.addresses.create(address_1="9 Fir", city="Albany", country_code="us", is_default_shipping=True)
    items = {name: value for name, value in entered.items() if name not in CONTACT}
    draft = saved(client, customer=ann.pk, **items)
    assert (draft.customer, draft.email, draft.shipping_address.address_1) == (ann, "ann@example.com", "9 Fir")
    bob = CustomerFactory(email="bob@example.com")
    draft = saved(client, address_of(draft), customer=bob.pk)
    assert (draft.customer, draft.email, draft.shipping_address.address_1) == (bob, "bob@example.com", "9 Fir")


def test_a_page_that_is_sent_twice_makes_one_draft() -> None:
    client, _ = desk()
    entered, _ = case_a()
    values = {**filled(client, **entered), "_save": "1"}
    assert {client.post(ADD, values)["Location"] for _ in range(2)} == {address_of(Cart.objects.get())}
    again = client.post(ADD, {**values, "email": "bob@example.com"})
    assert errors(again, {**values, "email": ["bob@example.com"]}) == {
        "": ["This form has already been submitted with other values. Open it again to make another change."]
    }
    assert Cart.objects.count() == 1


def test_the_second_of_two_is_told_who_was_faster() -> None:
    entered, _ = case_a()
    (first, ann), (second, _) = desk(), desk()
    draft = saved(first, **entered)
    mug, pages = line(draft, "mug").pk, [filled(client, address_of(draft)) for client in (first, second)]
    assert (
        first.post(address_of(draft), {**changed(pages[0], **{f"quantity_{mug}": "5"}), "_save": "1"}).status_code
        == 302
    )
    values = {**changed(pages[1], email="bob@example.com"), "_save": "1"}
    answer = second.post(address_of(draft), values)
    (told,) = errors(answer, values)[""]
    assert told.startswith(f"Nothing was done: this draft was changed by {ann} at ")
    draft.refresh_from_db()
    assert (draft.total, draft.email) == (96, "ann@example.com")
    # Sent again, it acts on the draft as it is now.
    assert second.post(address_of(draft), {**filled_in(answer), "_save": "1"}).status_code == 302
    draft.refresh_from_db()
    assert (draft.total, draft.email) == (60, "bob@example.com")


def test_a_change_of_a_program_is_told_too() -> None:
    client, _ = desk()
    entered, _ = case_a()
    draft = saved(client, **entered)
    page = filled(client, address_of(draft))
    details.change(actor=STAFF, draft_id=draft.pk, email="bob@example.com")
    (told,) = client.post(address_of(draft), {**page, "_create": "1"}).context["form"].non_field_errors()
    assert told.startswith("Nothing was done: this draft was changed ")
    assert not Order.objects.exists()


CHANGED = (
    "The draft is saved, but no order was made of it: It has changed since then. Compare, and create the order again."
)


def test_a_change_between_saving_and_conversion_makes_no_order(monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = desk()
    entered, _ = case_a()
    draft = saved(client, **entered)
    values = {**filled(client, address_of(draft)), "_create": "1"}

    def after_another(**given: Any) -> str:
        details.change(actor=STAFF, draft_id=draft.pk, email="bob@example.com")
        return convert(**given)

    monkeypatch.setattr(submission, "convert", after_another)
    answer = client.post(address_of(draft), values)
    assert (answer["Location"], messages_of(answer)[-2:]) == (address_of(draft), [CHANGED, "The draft is saved."])
    assert not Order.objects.exists()


def test_a_page_that_is_sent_again_makes_no_order_of_what_others_have_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = desk()
    entered, _ = case_a()
    asked = client.post(ADD, {**filled(client, **entered), "_create": "1"})
    values = {**filled_in(asked), "_create": "1"}
    with monkeypatch.context() as patch:
        patch.setattr(submission, "convert", _out_of_stock)
        client.post(ADD, values)
    draft = Cart.objects.get()
    details.change(actor=STAFF, draft_id=draft.pk, email="bob@example.com")
    assert messages_of(client.post(ADD, values))[-2:] == [CHANGED, "The draft is saved."]
    assert not Order.objects.exists()


def test_a_page_that_is_sent_again_makes_the_order_that_was_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = desk()
    entered, _ = case_a()
    values = {**filled_in(client.post(ADD, {**filled(client, **entered), "_create": "1"})), "_create": "1"}
    with monkeypatch.context() as patch:
        patch.setattr(submission, "convert", _out_of_stock)
        client.post(ADD, values)
    assert not Order.objects.exists()
    places = {client.post(ADD, values)["Location"] for _ in range(2)}
    assert (len(places), Order.objects.get().total) == (1, 60)


def _out_of_stock(**given: Any) -> str:
    raise NotAllowed("It is gone")


def test_a_change_that_was_begun_elsewhere_is_shown_and_can_be_discarded() -> None:
    client, _ = desk()
    entered, _ = case_a()
    draft = saved(client, **entered)
    lifecycle.begin(actor=STAFF, draft_id=draft.pk)
    page = client.get(address_of(draft))
    assert "has begun to change this draft elsewhere." in text_of(page)
    values = {**changed(filled_in(page), **{f"quantity_{line(draft, 'mug').pk}": "1"}), "_save": "1"}
    assert errors(client.post(address_of(draft), values), values) == {
        "": ["A change of this draft was begun elsewhere: discard it below, or confirm it there."]
    }
    answer = client.post(address_of(draft), {"_discard": "1"})
    assert messages_of(answer) == ["The change that was begun elsewhere is discarded."]
    assert OrderChange.objects.get().status == "canceled"
    assert messages_of(client.post(address_of(draft), {"_discard": "1"}))[-1] != messages_of(answer)[0]
    saved(client, address_of(draft), **{f"quantity_{line(draft, 'mug').pk}": "1"})
