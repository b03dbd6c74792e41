"""Drafts in GraphQL: created and changed as a whole, each with a preview."""

from decimal import Decimal
from typing import Any

import orjson
import pytest

from carts.models import Cart, DraftNumber, Promotion
from orders.models import Order, OrderChange, OrderChangeAction
from tests.contract.callers import Caller, importer
from tests.contract.conftest import admin
from tests.factories import carts as make
from tests.factories.apikeys import secret_key
from tests.factories.fulfillment import option
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data, failures
from tests.orders.changes.shop import goods
from tests.orders.drafts.shop import ADDRESS, EMAIL, draft, wanted

pytestmark = pytest.mark.django_db
__all__ = ["admin"]
SHOWN = "{ draftOrder { total items { title quantity unitPrice } shippingMethods { amount } promotions { code } } }"


def text_of(value: Any) -> str:
    """The value as a literal of GraphQL."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name}: {text_of(each)}' for name, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(text_of, value))}]"
    return orjson.dumps(value).decode()


def asked(caller: Caller, field: str, given: dict[str, Any], draft_id: str | None = None) -> Any:
    key = "" if draft_id is None else f'id: "{draft_id}", '
    return ask(caller, f"mutation {{ {field}({key}input: {text_of(given)}) {SHOWN} }}")


def answered(caller: Caller, field: str, given: dict[str, Any], draft_id: str | None = None) -> tuple[Any, ...]:
    shown = data(asked(caller, field, given, draft_id))[field]["draftOrder"]
    lines = [(each["title"], each["quantity"], each["unitPrice"]) for each in shown["items"]]
    methods = [each["amount"] for each in shown["shippingMethods"]]
    return lines, methods, [each["code"] for each in shown["promotions"]], shown["total"]


def everything(made: Cart) -> dict[str, Any]:
    """A change of every part of a draft of two mugs, a tee, and two methods."""
    mug, tee = made.items.order_by("pk")
    kept, gone = made.shipping_methods.order_by("pk")
    return {
        "changedItems": [{"id": mug.pk, "quantity": 3, "unitPrice": 8}, {"id": tee.pk, "quantity": 0}],
        "addedItems": [
            {"variantId": goods("lamp", 40).pk, "quantity": 1},
            {"title": "Engraving", "quantity": 2, "unitPrice": 2.5, "internalNote": "By hand"},
        ],
        "promoCodes": [make.PromotionFactory(value=10, code="TENTH").code],
        "removedPromoCodes": ["OLD"],
        "shippingMethods": [{"shippingOptionId": option(7).pk, "customAmount": 1}],
        "changedShippingMethods": [{"id": kept.pk, "customAmount": 3}],
        "removedShippingMethods": [gone.pk],
        "description": "By phone",
    }


def of_all_parts(caller: Caller) -> Cart:
    old = make.PromotionFactory(value=50, code="OLD").code
    made = draft(wanted(goods("mug", 10), 2), goods("tee", 25), promo_codes=[old])
    given = {"shippingMethods": [{"shippingOptionId": option(6).pk}]}
    assert answered(caller, "editDraftOrder", given, made.pk)[1] == [5, 6]
    return made


def test_a_draft_changes_as_a_whole(admin: Caller) -> None:
    made = of_all_parts(admin)
    given, before = everything(made), Cart.objects.values().get(pk=made.pk)
    expected = (
        [("mug", 3, 8), ("lamp", 1, 40), ("Engraving", 2, 2.5)],
        [3, 1],
        ["TENTH"],
        66.1,  # (24 + 40 + 5) less 10 %, and 4
    )
    assert answered(admin, "previewDraftOrderEdit", given, made.pk) == expected
    assert (Cart.objects.values().get(pk=made.pk), OrderChange.objects.count()) == (before, 1)
    assert answered(admin, "editDraftOrder", given, made.pk) == expected
    change = OrderChange.objects.order_by("created_at").last()
    assert change is not None
    assert (change.status, change.description, change.total_after) == ("confirmed", "By phone", Decimal("66.1"))
    assert change.actions.count() == 9
    assert OrderChangeAction.objects.get(title="Engraving").internal_note == "By hand"
    assert set(Promotion.objects.values_list("used", flat=True)) == {0}


def test_all_that_is_wrong_is_named_where_it_was_sent(admin: Caller) -> None:
    made = draft(goods("mug", 10))
    line, method = made.items.get().pk, made.shipping_methods.get().pk
    given: dict[str, Any] = {
        "changedItems": [{"id": line, "quantity": 1}, {"id": "cali_none", "quantity": 1}, {"id": line, "quantity": 2}],
        "addedItems": [{"quantity": 1}, {"title": "Fee", "quantity": 1, "unitPrice": -1}],
        "promoCodes": ["X" * 256],
        "changedShippingMethods": [{"id": method, "customAmount": -1}],
        "removedShippingMethods": ["casm_none"],
    }
    [refused] = failures(asked(admin, "editDraftOrder", given, made.pk))
    for told in (
        "changed_items[1]: Item with id: cali_none was not found",
        f"changed_items[2]: {line} is named more than once",
        "added_items[0]: Field 'variant_id' or 'title' is required",
        "added_items[1]: Value for field 'unit_price' too small",
        "promo_codes[0]: The promotion code",
        "changed_shipping_methods[0]: Value for field 'custom_amount' too small",
        "removed_shipping_methods[0]: Shipping method with id: casm_none was not found",
    ):
        assert told in refused[1]
    given = {
        "addedItems": [{"title": "Fee", "quantity": 1, "unitPrice": 1}, {"variantId": "variant_none", "quantity": 1}],
        "shippingMethods": [{"shippingOptionId": "so_none"}],
        "promoCodes": ["NOPE"],
    }
    for field in ("editDraftOrder", "previewDraftOrderEdit"):
        [refused] = failures(asked(admin, field, given, made.pk))
        for told in ("added_items[1]: Product variant", "shipping_methods[0]: Shipping option", "code NOPE is invalid"):
            assert told in refused[1]
    assert not OrderChange.objects.exists()
    [refused] = failures(asked(admin, "editDraftOrder", {}, made.pk))
    assert "no actions" in refused[1]


def test_a_method_is_named_once(admin: Caller) -> None:
    made = draft(goods("mug", 10))
    method = made.shipping_methods.get().pk
    for given in (
        {"changedShippingMethods": [{"id": method}], "removedShippingMethods": [method]},
        {"removedShippingMethods": [method, method]},
        {"changedShippingMethods": [{"id": method}, {"id": method}]},
    ):
        [refused] = failures(asked(admin, "editDraftOrder", given, made.pk))
        assert f"{method} is named more than once" in refused[1]


def test_prices_need_their_permission(admin: Caller) -> None:
    made = draft(goods("mug", 10))
    caller = importer(secret_key(UserFactory(permissions=["carts.manage_draft"])))
    line, method = made.items.get().pk, made.shipping_methods.get().pk
    for given in (
        {"changedItems": [{"id": line, "quantity": 1, "unitPrice": 1}]},
        {"addedItems": [{"title": "Fee", "quantity": 1, "unitPrice": 1}]},
        {"shippingMethods": [{"shippingOptionId": option(6).pk, "customAmount": 1}]},
        {"changedShippingMethods": [{"id": method, "customAmount": 1}]},
    ):
        [refused] = failures(asked(caller, "editDraftOrder", given, made.pk))
        assert "orders.set_price" in refused[1]
    assert answered(caller, "editDraftOrder", {"changedItems": [{"id": line, "quantity": 2}]}, made.pk)[3] == 25


def test_a_new_draft_is_previewed(admin: Caller) -> None:
    region = make.selling_region()
    given = {
        "regionId": region.pk,
        "email": EMAIL,
        "shippingAddress": {"countryCode": ADDRESS["country_code"]},
        "items": [{"variantId": goods("mug", 10).pk, "quantity": 2}],
    }
    expected = ([("mug", 2, 10)], [], [], 20)
    assert answered(admin, "previewDraftOrder", given) == expected
    assert (Cart.objects.count(), DraftNumber.objects.filter(last__gt=0).count()) == (0, 0)
    assert answered(admin, "createDraftOrder", given) == expected
    assert Cart.objects.get().draft_number == 1
    [refused] = failures(asked(admin, "previewDraftOrder", {**given, "customerId": "cus_none"}))
    assert "customer_id" in refused[1]


@pytest.mark.django_db(transaction=True)
def test_a_draft_is_converted_and_deleted(admin: Caller) -> None:
    made, other = draft(goods("mug", 10)), draft(goods("tee", 25))
    mutation = f'mutation {{ convertDraftOrder(id: "{made.pk}") {{ order {{ id total paymentStatus }} }} }}'
    for _ in range(2):
        shown = data(ask(admin, mutation))["convertDraftOrder"]["order"]
        assert shown == {"id": Order.objects.get().pk, "total": 15, "paymentStatus": "not_paid"}
    shown = data(ask(admin, f'mutation {{ deleteDraftOrder(id: "{other.pk}") {{ deleted }} }}'))
    assert shown == {"deleteDraftOrder": {"deleted": True}}
    [refused] = failures(asked(admin, "editDraftOrder", {"removedPromoCodes": ["A"]}, made.pk))
    assert "was converted" in refused[1]
    [refused] = failures(asked(admin, "editDraftOrder", {"removedPromoCodes": ["A"]}, other.pk))
    assert "was not found" in refused[1]


def test_the_number_of_statements_does_not_depend_on_the_lines(
    admin: Caller, django_assert_max_num_queries: Any
) -> None:
    """Of one line more and changed, and of ten; what stays in memory is read before."""
    counts = []
    for amount in (1, 1, 10):
        made = draft(*(wanted(goods(f"mug {each}", 10), 2) for each in range(amount)))
        given = {
            "changedItems": [{"id": line.pk, "quantity": 3} for line in made.items.all()],
            "addedItems": [{"variantId": goods(f"tee {each}", 5).pk, "quantity": 1} for each in range(amount)],
        }
        with django_assert_max_num_queries(200) as seen:
            answered(admin, "editDraftOrder", given, made.pk)
        counts.append(len(seen))
    assert counts[1] == counts[2]
