"""Telling a story of an order whose goods are exchanged, or claimed about: its steps are sent over HTTP."""

from collections.abc import Callable, Mapping
from typing import Any

from catalog.models import InventoryLevel, Price
from orders.models import Order, OrderChange, OrderLineItem, Return
from orders.states import ChangeKind
from tests.factories.fulfillment import option
from tests.orders.changes.facts import FACTS
from tests.orders.changes.shop import goods
from tests.orders.changes.telling import Teller
from tests.orders.fulfillments.shop import lines, pack

PLURALS = {ChangeKind.EXCHANGE: ("exchanges", "oexc"), ChangeKind.CLAIM: ("claims", "claim")}


class ExchangeTeller(Teller):
    """With steps that exchange goods and settle claims."""

    def fact(self, name: str) -> str:
        """`shown`: what the API shows of the latest exchange or claim."""
        return self._shown() if name == "shown" else (_FACTS | FACTS)[name](self.order)

    def _shown(self) -> str:
        change = OrderChange.objects.latest("created_at")
        plural, prefix = PLURALS[ChangeKind(change.kind)]
        path = f"/admin/{plural}/{change.pk.replace('ordch', prefix)}"
        shown = self._admin.get(
            path, "fields=*claim_items,+return.status" if change.kind == "claim" else "fields=+return.status"
        ).json()[change.kind]
        if change.kind == "claim":
            return f"claim:{shown['status']}:{shown['type']}:{sum(each['quantity'] for each in shown['claim_items'])}"
        return f"exchange:{shown['status']}:{shown['difference_due']}:{shown['return']['status']}"

    def _exchange(self, words: str) -> Any:
        return self._change("exchanges", words, {})

    def _claim(self, words: str) -> Any:
        """The units stay with the customer, or never came."""
        kind, _, left = words.partition(" ")
        return self._change("claims", left, {"type": kind})

    def _change(self, plural: str, words: str, given: Mapping[str, Any]) -> Any:
        """One that is refused is canceled."""
        begun = self._post(plural, {"order_id": self.order.pk, **given})
        if begun.status_code != 200:
            return begun
        path = f"{plural}/{begun.json()[plural.removesuffix('s')]['id']}"
        response = begun
        for suffix, body in self._steps_of(path, words):
            response = self._post(suffix, body)
            if response.status_code != 200:
                self._admin.send("DELETE", f"/admin/{path}/request")
                break
        return response

    def _steps_of(self, path: str, words: str) -> list[tuple[str, Any]]:
        """The routes and their bodies: `[carried] 1 mug for 1 blue at 10.00 back for 3.00`."""
        change_id = f"ordch_{path.partition('_')[2]}"
        carried = words.startswith("carried ")
        given, _, back_for = words.removeprefix("carried ").partition(" back for ")
        moved, _, added = given.partition(" for ")
        units, title = moved.split()
        line = OrderLineItem.objects.filter(order=self.order, title=title).earliest("pk")
        items = {"items": [{"id": line.pk, "quantity": int(units)}]}
        steps: list[tuple[str, Any]] = [(f"{path}/{'claim-items' if 'claims' in path else 'inbound/items'}", items)]
        if back_for:
            way = option(float(back_for), rules=[("is_return", "eq", "true")], currency_code=self.order.currency_id)
            steps.append((f"{path}/inbound/shipping-method", {"shipping_option_id": way.pk}))
        if added:
            number, name, *price = added.split()
            variant = goods(name, price[1]) if price else self._variants[name]
            steps.append((f"{path}/outbound/items", {"items": [{"variant_id": variant.pk, "quantity": int(number)}]}))
        if carried:
            steps.append((f"order-changes/{change_id}", {"carry_over_promotions": True}))
        return [*steps, (f"{path}/request", {})]

    def _cancel_change(self, _: str) -> Any:
        change = OrderChange.objects.latest("created_at")
        plural, prefix = PLURALS[ChangeKind(change.kind)]
        return self._post(f"{plural}/{change.pk.replace('ordch', prefix)}/cancel", {})

    def _cancel_return(self, _: str) -> Any:
        return self._post(f"returns/{Return.objects.get(order=self.order).pk}/cancel", {})

    def _pack(self, words: str) -> Any:
        pairs = zip(lines(self.order), self._units(words), strict=True)
        items = [{"id": line.pk, "quantity": units} for line, units in pairs if units]
        return self._post(f"orders/{self.order.pk}/fulfillments", {"items": items})

    def _ship(self, words: str) -> Any:
        parcel = pack(self.order, *self._units(words))
        items = [{"id": each.line_item_id, "quantity": each.quantity} for each in parcel.items.all()]
        return self._post(f"orders/{self.order.pk}/fulfillments/{parcel.pk}/shipments", {"items": items, "labels": []})

    def _list_at(self, words: str) -> None:
        """The catalogue's price of a variant."""
        title, _, price = words.partition(" at ")
        Price.objects.filter(price_set=self._variants[title].price_set).update(amount=price)

    def _see(self, _: str) -> None:
        """Nothing is done."""

    _steps: Mapping[str, Callable[["Teller", str], Any]] = {
        "exchange": _exchange,
        "claim": _claim,
        "cancel the exchange": _cancel_change,
        "cancel the return": _cancel_return,
        "pack": _pack,
        "ship": _ship,
        "list": _list_at,
        "see it again": _see,
        **Teller._steps,
    }  # type: ignore[dict-item]  # a teller of this class tells its steps


def _stock(order: Order) -> str:
    """What is there of each line's first item, by the line's title."""
    levels = {
        line.title: InventoryLevel.objects.filter(inventory_item__variant_items__variant=line.variant_id)
        for line in lines(order)
    }
    there = {title: sum(each.stocked_quantity for each in rows) for title, rows in levels.items()}
    return ",".join(f"{title}:{number}" for title, number in sorted(there.items()))


def _added(order: Order) -> str:
    """The total of the latest line."""
    return f"{lines(order)[-1].total:.2f}"


_FACTS: Mapping[str, Callable[[Order], str]] = {
    "goods": lambda order: order.fulfillment_status,
    "stock": _stock,
    "added": _added,
}
