"""A provider for tests: it keeps books of its own as a real one does, and does what a test has it do."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from typing import Any, NamedTuple

import orjson

from payments.providers import registry
from payments.providers.base import (
    Action,
    Charge,
    Declined,
    Event,
    InvalidEvent,
    PaymentForm,
    Provider,
    ProviderReport,
)
from payments.states import Act, SessionStatus
from shop.models import PaymentProvider
from shop.providers.provider_code import load_provider

FAKE, OTHER = "pp_double_test", "pp_other_test"
NAMING, UPDATING = "pp_naming_test", "pp_updating_test"
SIGNED = {"x-signature": "genuine"}


class Call(NamedTuple):
    """What it was asked. amount: of captures and refunds."""

    act: Act
    key: str
    charge: Charge
    amount: Decimal | None = None


class FakeProvider(Provider):
    """Agrees to everything that a test has not scripted. Knows what it took and gave back, by session and key."""

    def __init__(self) -> None:
        self.begin_again()

    def begin_again(self) -> None:
        """With empty books."""
        self.calls: list[Call] = []
        self._script: dict[Act, list[ProviderReport | Exception]] = defaultdict(list)
        self._losses: dict[Act, int] = defaultdict(int)
        self.taken: dict[str, dict[str, Decimal]] = defaultdict(dict)
        self.returned: dict[str, dict[str, Decimal]] = defaultdict(dict)
        self.called_off: set[str] = set()
        self.states: dict[str, ProviderReport | Exception] = {}
        self.retrieved: list[Charge] = []

    def says(self, act: Act, *answers: ProviderReport | Exception) -> None:
        """What it says the next times it is asked that, in their order; an exception is raised."""
        self._script[act] += answers

    def loses_answers(self, act: Act, times: int = 1) -> None:
        """So many times it does what it is asked, and nobody hears of it."""
        self._losses[act] += times

    def recovers(self) -> None:
        """Forgets what is left of its script."""
        self._script.clear()
        self._losses.clear()

    @property
    def asked(self) -> list[Act]:
        return [call.act for call in self.calls]

    def start(self, charge: Charge, *, key: str) -> ProviderReport:
        return self._answer(Call(Act.START, key, charge))

    def authorize(self, charge: Charge, *, key: str) -> ProviderReport:
        return self._answer(Call(Act.AUTHORIZE, key, charge))

    def capture(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        return self._answer(Call(Act.CAPTURE, key, charge, amount))

    def refund(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        return self._answer(Call(Act.REFUND, key, charge, amount))

    def cancel(self, charge: Charge, *, key: str) -> ProviderReport:
        return self._answer(Call(Act.CANCEL, key, charge))

    def retrieve(self, charge: Charge) -> ProviderReport | None:
        """What a test has put into `states` for the session."""
        self.retrieved.append(charge)
        state = self.states.get(charge.session_id)
        if isinstance(state, Exception):
            raise state
        return state

    def shown(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"client_secret": data["client_secret"]} if "client_secret" in data else {}

    def payment_form(self, data: Mapping[str, Any]) -> PaymentForm:
        return PaymentForm()

    def read_event(self, body: bytes, headers: Mapping[str, str]) -> Event:
        """`{"id", "action", "session_id", "standing": {"status", "captured", …}}`."""
        if headers.get("x-signature") != "genuine":
            raise InvalidEvent
        reported = orjson.loads(body)
        report = reported.get("standing")
        return Event(
            reported["id"], Action(reported["action"]), reported.get("session_id"), report and report_of(report)
        )

    def _answer(self, call: Call) -> ProviderReport:
        self.calls.append(call)
        if self._script[call.act]:
            said = self._script[call.act].pop(0)
            if isinstance(said, Exception):
                raise said
            return said
        report = self._done(call)
        if self._losses[call.act]:
            self._losses[call.act] -= 1
            raise ConnectionError("The answer got lost")
        return report

    def _done(self, call: Call) -> ProviderReport:
        session_id, data = call.charge.session_id, call.charge.data
        match call.act:
            case Act.START:
                return ProviderReport(SessionStatus.PENDING, {"client_secret": f"secret of {session_id}", "private": 1})
            case Act.AUTHORIZE:
                return ProviderReport(SessionStatus.AUTHORIZED, data)
            case Act.CAPTURE:
                assert call.amount is not None
                if session_id in self.called_off:
                    raise Declined("It was called off")
                self.taken[session_id][call.key] = call.amount
            case Act.REFUND:
                assert call.amount is not None
                self.returned[session_id][call.key] = call.amount
            case Act.CANCEL:
                taken = self.total_taken(session_id)
                self.called_off.add(session_id)
                return ProviderReport(SessionStatus.CAPTURED if taken else SessionStatus.CANCELED, data, taken, taken)
        return ProviderReport(
            SessionStatus.AUTHORIZED,
            data,
            captured=self.total_taken(session_id),
            refunded=sum(self.returned[session_id].values(), Decimal(0)) or None,
        )

    def total_taken(self, session_id: str) -> Decimal | None:
        return sum(self.taken[session_id].values(), Decimal(0)) or None


class NamingProvider(FakeProvider):
    """One that names amounts in what it reports, and reports what it has done with the same key as it was then.

    amounts: what each payment is for, by session. confirmed: the sessions whose shopper has confirmed that.
    confirms: whether it does so by itself once it is asked to authorize.
    """

    def begin_again(self) -> None:
        super().begin_again()
        self.amounts: dict[str, Decimal] = {}
        self.confirmed: set[str] = set()
        self.confirms = False
        self._reports: dict[str, ProviderReport] = {}

    def confirm(self, session_id: str) -> None:
        """As the shopper does at the provider."""
        if session_id in self.amounts and session_id not in self.called_off:
            self.confirmed.add(session_id)

    def retrieve(self, charge: Charge) -> ProviderReport | None:
        self.retrieved.append(charge)
        return self.standing(charge.session_id) if charge.session_id in self.amounts else None

    def standing(self, session_id: str) -> ProviderReport:
        """How the session stands."""
        taken = self.total_taken(session_id)
        if session_id not in self.confirmed:
            status = SessionStatus.CANCELED if session_id in self.called_off else SessionStatus.PENDING
            return ProviderReport(status, {"client_secret": f"secret of {session_id}"})
        if session_id in self.called_off and not taken:
            return ProviderReport(SessionStatus.CANCELED)
        return ProviderReport(
            SessionStatus.CAPTURED if session_id in self.called_off else SessionStatus.AUTHORIZED,
            authorized=taken if session_id in self.called_off else self.amounts[session_id],
            captured=taken,
            refunded=sum(self.returned[session_id].values(), Decimal(0)) or None,
        )

    def _done(self, call: Call) -> ProviderReport:
        if call.key not in self._reports:
            self._do(call)
            self._reports[call.key] = self.standing(call.charge.session_id)
        return self._reports[call.key]

    def _do(self, call: Call) -> None:
        session_id = call.charge.session_id
        match call.act:
            case Act.START:
                self.amounts[session_id] = call.charge.amount
            case Act.UPDATE if call.amount is not None and session_id not in self.confirmed | self.called_off:
                self.amounts[session_id] = call.amount
            case Act.AUTHORIZE if self.confirms:
                self.confirm(session_id)
            case Act.CAPTURE | Act.REFUND | Act.CANCEL:
                super()._done(call)


class UpdatingProvider(NamingProvider):
    """That one, which changes the amounts of payments that nobody has confirmed."""

    def update(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        return self._answer(Call(Act.UPDATE, key, charge, amount))


def report_of(reported: Mapping[str, Any]) -> ProviderReport:
    amounts = {name: Decimal(str(value)) for name, value in reported.items() if name not in ("status", "data")}
    return ProviderReport(SessionStatus(reported["status"]), reported.get("data", {}), **amounts)


def event(id: str, session_id: str | None = None, action: Action = Action.NOT_SUPPORTED, **report: Any) -> bytes:
    """A message as `read_event` reads it. report: status, and authorized, captured, refunded in major units."""
    reported = {"id": id, "action": action, "session_id": session_id, "standing": report or None}
    return orjson.dumps(reported)


@contextmanager
def switched_on(settings: Any) -> Iterator[FakeProvider]:
    """With such a provider behind both ids."""
    kinds = {FAKE: FakeProvider, OTHER: FakeProvider, NAMING: NamingProvider, UPDATING: UpdatingProvider}
    names = {provider_id: f"{kind.__module__}.{kind.__qualname__}" for provider_id, kind in kinds.items()}
    settings.PAYMENT_PROVIDERS = {**settings.PAYMENT_PROVIDERS, **names}
    for provider_id in kinds:
        PaymentProvider.objects.create(id=provider_id)
    load_provider.cache_clear()
    made = registry.provider(FAKE)
    assert isinstance(made, FakeProvider)
    yield made
    load_provider.cache_clear()
