"""The same stories with every step of an exchange or claim sent over HTTP."""

from collections.abc import Callable, Mapping
from typing import Any

from orders.models import OrderChange
from orders.states import ChangeKind
from tests.factories.fulfillment import option
from tests.orders.changes.shop import goods
from tests.orders.exchanges.telling import BACK, ExchangeTeller

Step = tuple[str, dict[str, Any]]


class HttpTeller(ExchangeTeller):
    """One that is refused is canceled."""

    def tell(self, step: str) -> str:
        """A refusal of the body itself in the verb's words."""
        return super().tell(step).replace("Invalid request: Value for field 'items[0].", "Value for field 'items.")

    def _exchange(self, words: str) -> Any:
        return self._change("exchanges", words, {})

    def _claim(self, words: str) -> Any:
        claim_type, _, actions = words.partition(" ")
        return self._change("claims", actions, {"type": claim_type})

    def _change(self, plural: str, words: str, given: Mapping[str, str]) -> Any:
        begun = self._post(plural, {"order_id": self.order.pk, **given})
        if begun.status_code != 200:
            return begun
        known_as = begun.json()[plural.removesuffix("s")]["id"]
        actions = words.removeprefix("carried ")
        steps = [self._step(plural, action.split()) for action in actions.split(", ")]
        paths = [(f"{plural}/{known_as}/{suffix}", body) for suffix, body in steps]
        if actions != words:
            change = f"order-changes/ordch_{known_as.partition('_')[2]}"
            paths.append((change, {"carry_over_promotions": True}))
        return self._requested(f"{plural}/{known_as}/request", paths)

    def _requested(self, path: str, steps: list[Step]) -> Any:
        """What is previewed is what is confirmed."""
        response = None
        for step in steps:
            response = self._post(*step)
            if response.status_code != 200:
                break
        else:
            shown = self._preview()
            response = self._post(path, {})
        if response.status_code != 200:
            assert self._admin.send("DELETE", f"/admin/{path}").status_code == 200
        else:
            assert _amounts(response.json()["order_preview"]) == shown
        return response

    def _preview(self) -> Any:
        return _amounts(self._admin.get(f"/admin/orders/{self.order.pk}/preview").json()["order"])

    def _step(self, plural: str, words: list[str]) -> Step:
        match words:
            case ["add", units, name, *price]:
                variant = goods(name, price[1]) if price else self._variants[name]
                return "outbound/items", {"items": [{"variant_id": variant.pk, "quantity": int(units)}]}
            case ["back", amount]:
                return "inbound/shipping-method", {"shipping_option_id": option(float(amount), rules=BACK).pk}
            case ["post", amount]:
                return "outbound/shipping-method", {"shipping_option_id": option(float(amount)).pk}
            case [name, units, *back]:
                items = [{"id": self._line(name).pk, "quantity": int(units)}]
                return "claim-items" if plural == "claims" and not back else "inbound/items", {"items": items}
        raise AssertionError(words)

    def _open(self, _: str) -> Any:
        return self._post("exchanges", {"order_id": self.order.pk})

    def _cancel_change(self, _: str) -> Any:
        latest = OrderChange.objects.filter(order=self.order, confirmed_at__isnull=False).latest("created_at")
        prefix = "oexc" if latest.kind == ChangeKind.EXCHANGE else "claim"
        return self._post(f"{latest.kind}s/{latest.pk.replace('ordch', prefix)}/cancel", {})

    def _cancel_return(self, _: str) -> Any:
        return self._post(f"returns/{self._expected(is_agreed=True).pk}/cancel", {})

    _steps: Mapping[str, Callable[[Any, str], Any]] = {
        **ExchangeTeller._steps,
        "exchange": _exchange,
        "claim": _claim,
        "begin an exchange": _open,
        "cancel the change": _cancel_change,
        "cancel the return": _cancel_return,
    }


def _amounts(order: Any) -> Any:
    """What the order costs, what is owed, and the units and total of each line."""
    lines = {
        line["id"]: (line["quantity"], line["total"], line["detail"]["return_requested_quantity"])
        for line in order["items"]
    }
    return order["total"], order["shipping_total"], order["summary"]["pending_difference"], lines
