"""Telling a story of an order that is exchanged or claimed: its steps call the verbs; others are sent over HTTP."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Sum

from catalog.models import InventoryLevel, ProductVariant
from catalog.stock.stock_changes import StockChange, change_stock
from fulfillment.models import ShippingOption
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from orders.changes.added_lines import NewItem
from orders.changes.effects import effects_of
from orders.changes.lifecycle import set_properties
from orders.changes.shipping import NewMethod
from orders.exchanges import cancellation, inbound, lifecycle, outbound, shipping, written_off
from orders.exchanges.inbound import ReturnedUnits
from orders.exchanges.open_goods import lock_goods
from orders.exchanges.written_off import ClaimedUnits
from orders.fulfillments import shipping as sending
from orders.managing import archiving, completion
from orders.models import Fulfillment, Order, OrderChange, OrderLineItem, Return
from orders.returns import cancellation as return_cancellation
from orders.states import ChangeKind, ClaimReason, ClaimType
from tests.factories.fulfillment import option
from tests.factories.inventory import stock
from tests.factories.staff import UserFactory
from tests.orders.changes.facts import FACTS
from tests.orders.changes.shop import goods
from tests.orders.changes.telling import Teller
from tests.orders.fulfillments.shop import STAFF, lines, pack, reserved
from tests.orders.returns.shop import receive

BACK = [("is_return", "eq", "true")]


class ExchangeTeller(Teller):
    """A change that is refused is discarded."""

    def tell(self, step: str) -> str:
        try:
            return super().tell(step)
        except DomainError as error:
            for change in OrderChange.objects.filter(order=self.order, status="pending"):
                lifecycle.cancel_request(actor=STAFF, change_id=change.pk)
            return str(error.message)

    def fact(self, name: str) -> str:
        return {**FACTS, **MORE_FACTS}[name](self.order)

    def _exchange(self, words: str) -> None:
        actions = words.removeprefix("carried ")
        change_id = lifecycle.begin(actor=STAFF, order_id=self.order.pk, kind=ChangeKind.EXCHANGE)
        if actions != words:
            set_properties(actor=STAFF, change_id=change_id, carry_over_promotions=True)
        self._request(change_id, actions, is_claim=False)

    def _claim(self, words: str) -> None:
        claim_type, _, actions = words.partition(" ")
        change_id = lifecycle.begin(
            actor=STAFF, order_id=self.order.pk, kind=ChangeKind.CLAIM, claim_type=ClaimType(claim_type)
        )
        self._request(change_id, actions, is_claim=True)

    def _request(self, change_id: str, actions: str, *, is_claim: bool) -> None:
        """What is previewed is what is confirmed."""
        for action in actions.split(", "):
            self._act(change_id, action.split(), is_claim=is_claim)
        with transaction.atomic():
            shown = effects_of(lock_goods(change_id, actor=STAFF))
        assert lifecycle.request(actor=STAFF, change_id=change_id) == shown

    def _act(self, change_id: str, words: list[str], *, is_claim: bool) -> None:
        to: dict[str, Any] = {"actor": STAFF, "change_id": change_id}
        match words:
            case ["add", units, name, "at", price]:
                outbound.add(**to, items=[NewItem(goods(name, price).pk, int(units))])
            case ["add", units, name]:
                outbound.add(**to, items=[NewItem(self._variants[name].pk, int(units))])
            case ["back", amount]:
                shipping.add(**to, method=NewMethod(_option(amount, BACK).pk), is_inbound=True)
            case ["post", amount]:
                shipping.add(**to, method=NewMethod(_option(amount, []).pk), is_inbound=False)
            case [name, units, *back] if is_claim and not back:
                claimed = ClaimedUnits(self._line(name).pk, int(units), ClaimReason.PRODUCTION_FAILURE)
                written_off.add(**to, items=[claimed])
            case [name, units, *_]:
                inbound.add(**to, items=[ReturnedUnits(self._line(name).pk, int(units))])

    def _line(self, name: str) -> OrderLineItem:
        """The first line of that name."""
        return next(line for line in lines(self.order) if line.title == name)

    def _open(self, _: str) -> None:
        lifecycle.begin(actor=STAFF, order_id=self.order.pk, kind=ChangeKind.EXCHANGE)

    def _cancel_change(self, _: str) -> None:
        latest = OrderChange.objects.filter(order=self.order, confirmed_at__isnull=False).latest("created_at")
        cancellation.cancel(actor=STAFF, change_id=latest.pk)

    def _cancel_return(self, _: str) -> None:
        return_cancellation.cancel(actor=STAFF, return_id=self._expected(is_agreed=True).pk)

    def _receive(self, words: str) -> None:
        expected = Return.objects.filter(order=self.order, status="requested").order_by("change")
        name, units = words.split()
        place = lines(self.order).index(self._line(name))
        receive(expected.first(), *[0] * place, int(units), location_id=None)

    def _receive_agreed(self, words: str) -> None:
        receive(self._expected(is_agreed=True), int(words), location_id=None)

    def _expected(self, *, is_agreed: bool) -> Return:
        rows = Return.objects.filter(order=self.order, status="requested", change__isnull=not is_agreed)
        found: Return = rows.get()
        return found

    def _pack(self, name: str) -> Fulfillment:
        """One unit of the last line of that name."""
        last = [place for place, line in enumerate(lines(self.order)) if line.title == name][-1]
        return pack(self.order, *[0] * last, 1)

    def _packed(self, name: str) -> None:
        self._pack(name)

    def _ship(self, name: str) -> None:
        sending.ship(actor=STAFF, fulfillment_id=self._pack(name).pk)

    def _archive(self, _: str) -> None:
        completion.complete(actor=SYSTEM, order_id=self.order.pk)
        archiving.archive(actor=SYSTEM, order_id=self.order.pk)
        UserFactory(pk=STAFF.id)  # whom the history names when goods are sent again

    def _price(self, words: str) -> None:
        name, amount = words.split()
        self._variants[name].price_set.prices.update(amount=Decimal(amount))

    def _depot(self, words: str) -> None:
        """Another location has the only further units of the first variant."""
        variant = self._variants["mug"]
        item = variant.inventory_links.get().inventory_item
        level = item.levels.get()
        left = StockChange(item.pk, level.location_id, stocked_quantity=2)
        change_stock(actor=SYSTEM, changes=[left])
        stock(variant, int(words), item=item)

    _steps: Mapping[str, Callable[[Any, str], Any]] = {
        "exchange": _exchange,
        "claim": _claim,
        "begin an exchange": _open,
        "cancel the change": _cancel_change,
        "cancel the return": _cancel_return,
        "receive the agreed": _receive_agreed,
        "pack": _packed,
        "ship": _ship,
        "complete and archive": _archive,
        "price": _price,
        "empty mug, depot": _depot,
        **Teller._steps,
        "receive": _receive,
    }


def _option(amount: str, rules: list[tuple[str, str, str]]) -> ShippingOption:
    return option(Decimal(amount), rules=rules)


def _units(order: Order) -> str:
    """Of the first line requested, agreed, received, written off."""
    first = lines(order)[0]
    assert first.return_dismissed_quantity == first.written_off_quantity
    expected = f"{first.return_requested_quantity}/{first.return_agreed_quantity}"
    return f"{first.title}:{expected}/{first.return_received_quantity}/{first.written_off_quantity}"


def _stock(order: Order) -> str:
    """What is in stock of each variant of the order."""
    titles = dict(OrderLineItem.objects.filter(order=order).values_list("variant_id", "title"))
    sums = {
        titles[link.variant_id]: link.inventory_item.levels.aggregate(sum=Sum("stocked_quantity"))["sum"]
        for variant in ProductVariant.objects.filter(pk__in=titles)
        for link in variant.inventory_links.all()
    }
    return ",".join(f"{title}:{units}" for title, units in sorted(sums.items()))


def _reserved(order: Order) -> str:
    """Pieces of each line, also of removed ones."""
    pieces = {line_id: number for (line_id, _, _), number in reserved(order).items()}
    return ",".join(sorted(f"{line.title}:{pieces.get(line.pk, 0)}" for line in lines(order)))


def _depot(order: Order) -> str:
    """What the latest level has in stock, and what is reserved of it."""
    latest = InventoryLevel.objects.latest("created_at")
    return f"{latest.stocked_quantity}:{latest.reserved_quantity}"


MORE_FACTS: Mapping[str, Callable[[Order], str]] = {
    "goods": lambda order: str(order.fulfillment_status),
    "units": _units,
    "stock": _stock,
    "reserved": _reserved,
    "depot": _depot,
    "last": lambda order: f"{lines(order)[-1].total:.2f}",
    "returns": lambda order: ",".join(sorted(order.returns.values_list("status", flat=True))),
    "changes": lambda order: ",".join(order.changes.order_by("created_at").values_list("status", flat=True)),
}
