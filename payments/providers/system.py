"""Manual payment: staff record when money arrives."""

from decimal import Decimal

from kit.values.json import JSONObject
from payments.providers.base import Charge, Provider, ProviderReport
from payments.states import SessionStatus


class SystemProvider(Provider):
    """Agrees to every request and keeps its totals in the session's data."""

    is_local = True

    def start(self, charge: Charge, *, key: str) -> ProviderReport:
        return ProviderReport(SessionStatus.PENDING)

    def authorize(self, charge: Charge, *, key: str) -> ProviderReport:
        return ProviderReport(SessionStatus.AUTHORIZED, charge.data)

    def capture(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        moved = _moved(charge, "captured", key, amount)
        return ProviderReport(SessionStatus.AUTHORIZED, {**charge.data, "captured": moved}, captured=_total(moved))

    def refund(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        moved = _moved(charge, "refunded", key, amount)
        return ProviderReport(SessionStatus.AUTHORIZED, {**charge.data, "refunded": moved}, refunded=_total(moved))

    def cancel(self, charge: Charge, *, key: str) -> ProviderReport:
        return ProviderReport(SessionStatus.CANCELED, charge.data)


def _moved(charge: Charge, kind: str, key: str, amount: Decimal) -> JSONObject:
    """The amounts by key, so that a repeated request counts once."""
    before = charge.data.get(kind)
    return {**(before if isinstance(before, dict) else {}), key: str(amount)}


def _total(moved: JSONObject) -> Decimal:
    return sum((Decimal(str(amount)) for amount in moved.values()), Decimal(0))
