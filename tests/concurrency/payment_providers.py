"""Payment providers for crowds: what they were asked stands in a journal, and they take their time."""

import time
from collections.abc import Mapping
from decimal import Decimal

import orjson

from payments.providers.base import Action, Charge, Event, ProviderReport
from payments.states import SessionStatus
from tests.crash.journal_provider import ASKED, JournalProvider

SLOW, DEMANDING, TELLING = "pp_slow_slow", "pp_demanding_demanding", "pp_telling_telling"
ASKING_SECONDS = 0.1


class SlowProvider(JournalProvider):
    """Takes so long that others come meanwhile."""

    def reached(self, point: str) -> None:
        if point == ASKED:
            time.sleep(ASKING_SECONDS)


class DemandingProvider(SlowProvider):
    """Wants more of the shopper as soon as it hears of them."""

    def start(self, charge: Charge, *, key: str) -> ProviderReport:
        return ProviderReport(SessionStatus.REQUIRES_MORE, super().start(charge, key=key).data)


class TellingProvider(SlowProvider):
    """Tells by itself what it has captured: `{"id": …, "session": …, "captured": "100"}`."""

    def read_event(self, body: bytes, headers: Mapping[str, str]) -> Event:
        reported = orjson.loads(body)
        report = ProviderReport(SessionStatus.AUTHORIZED, captured=Decimal(reported["captured"]))
        return Event(reported["id"], Action.CAPTURED, reported["session"], report)


PROVIDERS = {
    "pp_system_default": "payments.providers.system.SystemProvider",
    SLOW: f"{__name__}.SlowProvider",
    DEMANDING: f"{__name__}.DemandingProvider",
    TELLING: f"{__name__}.TellingProvider",
}
AS_ENVIRONMENT = ",".join(f"{provider_id}={name}" for provider_id, name in PROVIDERS.items())
