"""Telling a story of an order: its steps are sent over HTTP, and what is true after each is read."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from carts.lines.lines import NewLineItem
from carts.models import Cart, Promotion
from carts.states import BudgetType, PromotionKind
from catalog.models import ProductVariant
from giftcards.spending.cart_cards import add_card
from kit.values.money import major
from orders.common.summary import pending_difference_of
from orders.fulfillments import delivery
from orders.models import Order, OrderLineItem, Return
from payments.models import Payment, PaymentCollection, RefundReason
from shop.models import Currency
from tests.contract.callers import Caller
from tests.factories.carts import CampaignFactory, PromotionFactory, selling_region, shopper
from tests.factories.checkout import checked_out_cart, pay
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, store_credit
from tests.factories.payments import refund_reason
from tests.orders.changes.build import PROMOTIONS
from tests.orders.changes.facts import FACTS
from tests.orders.changes.shop import goods
from tests.orders.changes.stories import Story
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import STAFF, lines, pack
from tests.orders.managing.shop import work
from tests.orders.returns.shop import receive, request
from tests.payments.providers import FAKE


class Teller:
    """The order of a story, and its next step."""

    def __init__(self, story: Story, admin: Caller, store: Caller) -> None:
        self._admin, self._store = admin, store
        self._variants = {item.name: goods(item.name, item.unit_price) for item in story.placed.items}
        customer = CustomerFactory() if story.credit else None
        self.order = _placed(story, list(self._variants.values()), customer.pk if customer else None)
        if customer is not None:
            store_credit(customer, story.credit or "0")
        self._version = self.order.version

    def tell(self, step: str) -> str:
        """What the step leads to: total, pending difference and payment status, or what it is refused with."""
        for words, act in self._steps.items():
            if step == words or step.startswith(f"{words} "):
                response = act(self, step.removeprefix(words).strip())
                break
        else:
            raise AssertionError(step)
        work()
        if response is not None and response.status_code != 200:
            assert 400 <= response.status_code < 410, response.content
            return str(response.json()["message"])
        self.order.refresh_from_db()
        return f"{self.order.total:.2f} {pending_difference_of(self.order):.2f} {self.order.payment_status}"

    def fact(self, name: str) -> str:
        return FACTS[name](self.order)

    def _post(self, path: str, body: Any) -> Any:
        return self._admin.post(f"/admin/{path}", body)

    def _edit(self, words: str) -> Any:
        """An edit that is refused is canceled."""
        response = self._begin(words)
        if response.status_code == 200:
            response = self._confirm("")
        if response.status_code != 200:
            self._admin.send("DELETE", f"/admin/order-edits/{self.order.pk}")
        return response

    def _begin(self, words: str) -> Any:
        response = self._post("order-edits", {"order_id": self.order.pk})
        if response.status_code != 200:
            return response
        change_id, path = response.json()["order_change"]["id"], f"order-edits/{self.order.pk}"
        self._version = Order.objects.get(pk=self.order.pk).version
        actions = words.removeprefix("carried ")
        for action in actions.split(", "):
            response = self._post(*self._action(path, action.split()))
            if response.status_code != 200:
                return response
        if actions != words:
            return self._post(f"order-changes/{change_id}", {"carry_over_promotions": True})
        return response

    def _action(self, path: str, words: list[str]) -> tuple[str, Any]:
        match words:
            case ["add", units, name, "at", price]:
                added = {"variant_id": goods(name, price).pk, "quantity": int(units)}
                return f"{path}/items", {"items": [added]}
            case [name, units, *price]:
                line = OrderLineItem.objects.get(order=self.order, title=name)
                given = {"unit_price": float(price[1])} if price else {}
                return f"{path}/items/item/{line.pk}", {"quantity": int(units), **given}
        raise AssertionError(words)

    def _confirm(self, words: str) -> Any:
        given = {"version": self._version} if words else {}
        return self._post(f"order-edits/{self.order.pk}/confirm", given)

    def _capture(self, amount: str) -> Any:
        """Of the first payment of which something can be captured."""
        for payment in Payment.objects.filter(collection__order_id=self.order.pk, canceled_at=None).order_by("pk"):
            if payment.captured_amount < payment.authorized_amount:
                return self._post(f"payments/{payment.pk}/capture", {"amount": float(amount)} if amount else {})
        raise AssertionError("Nothing to capture")

    def _refund(self, amount: str) -> Any:
        reason = RefundReason.objects.first() or refund_reason()
        body = {"amount": float(amount), "refund_reason_id": reason.pk}
        return self._post(f"orders/{self.order.pk}/refunds", body)

    def _credit(self, amount: str) -> Any:
        body = {"amount": float(amount), "reference": "order_change", "reference_id": f"edit {amount}"}
        return self._post(f"orders/{self.order.pk}/credit-lines", body)

    def _mark(self, _: str) -> Any:
        return self._post(f"payment-collections/{self._unpaid.pk}/mark-as-paid", {"order_id": self.order.pk})

    def _delete(self, _: str) -> Any:
        return self._admin.send("DELETE", f"/admin/payment-collections/{self._unpaid.pk}")

    def _session(self, _: str) -> Any:
        return self._post(f"payment-collections/{self._unpaid.pk}/payment-sessions", {"provider_id": FAKE})

    @property
    def _unpaid(self) -> PaymentCollection:
        rows = PaymentCollection.objects.not_deleted().filter(order_id=self.order.pk, authorized_amount=0)
        found: PaymentCollection = rows.get(cart=None)
        return found

    def _link(self, _: str) -> Any:
        """Made by staff, and paid by whoever has it."""
        made = self._post(f"orders/{self.order.pk}/payment-links", {"no_notification": True}).json()
        path = f"/store/payment-links/{made['payment_link']['url'].rpartition('/')[2]}"
        amount = self._store.get(path).json()["payment_link"]["amount"]
        return self._store.post(path, {"provider_id": FAKE, "amount": amount})

    def _cancel(self, _: str) -> Any:
        return self._post(f"orders/{self.order.pk}/cancel", {})

    def _units(self, words: str) -> list[int]:
        wanted = dict(each.split() for each in words.split(", "))
        return [int(wanted.get(line.title, 0)) for line in lines(self.order)]

    def _deliver(self, words: str) -> None:
        """Each line in a parcel of its own, as each is at a location of its own."""
        for place, units in enumerate(self._units(words)):
            if units:
                delivery.deliver(actor=STAFF, fulfillment_id=pack(self.order, *[0] * place, units).pk)

    def _return(self, words: str) -> None:
        request(self.order, *self._units(words))

    def _receive(self, words: str) -> None:
        receive(Return.objects.get(order=self.order), *self._units(words))

    _steps: Mapping[str, Callable[["Teller", str], Any]] = {
        "edit": _edit,
        "begin": _begin,
        "confirm": _confirm,
        "capture": _capture,
        "refund": _refund,
        "credit": _credit,
        "mark as paid": _mark,
        "delete the collection": _delete,
        "session": _session,
        "link": _link,
        "cancel": _cancel,
        "deliver": _deliver,
        "return": _return,
        "receive": _receive,
    }


def _placed(story: Story, variants: list[ProductVariant], customer_id: str | None) -> Order:
    """The order, after comparing its total with the case's."""
    made, card = story.placed, story.card
    Currency.objects.filter(code="usd").update(is_tax_inclusive=made.is_tax_inclusive)
    region = selling_region(tax_rate=Decimal(made.rate))
    total, tax = map(Decimal, made.post)
    pieces = [NewLineItem(variant.pk, item.quantity) for variant, item in zip(variants, made.items, strict=True)]
    codes = [_promotion(made.promotion).code] if made.promotion else []
    cart = checked_out_cart(
        *pieces, customer_id=customer_id, provider_id=FAKE, shipping=total if made.is_tax_inclusive else total - tax,
        region_id=region.pk, promo_codes=codes,
    )  # fmt: skip
    if card:
        add_card(actor=shopper(customer_id=customer_id), cart_id=cart.pk, code=gift_card(card).code)
    cart = Cart.objects.get(pk=cart.pk)
    assert f"{cart.total + Decimal(card or 0):.2f}" == made.total
    if cart.total:
        pay(cart, provider_id=FAKE)
    return order_of(Cart.objects.get(pk=cart.pk))


def _promotion(name: str) -> Promotion:
    """Of a campaign with a budget of 100 for its discounts."""
    offer = PROMOTIONS[name]
    of_kind = {"kind": offer.kind, "buy_rules_min_quantity": 3, "apply_to_quantity": 1}
    return PromotionFactory(
        type=offer.type, target=offer.target, value=major(offer.value), currency_id="usd",
        campaign=CampaignFactory(budget_type=BudgetType.SPEND, budget_limit=100, budget_currency_id="usd"),
        **(of_kind if offer.kind == PromotionKind.BUYGET else {}),
    )  # fmt: skip
