"""The result of the last `verify_ledger`, for metrics: in a file, so that it outlives restarts of the server."""

import time
from dataclasses import asdict, dataclass

import orjson
from django.conf import settings

from kit.commands.atomic_files import whole_file

_NAME = "ledger.json"


@dataclass(frozen=True, slots=True)
class LedgerCheck:
    """discrepancies: their number. ended_at: in seconds since 1970."""

    discrepancies: int
    ended_at: float


def keep_check(discrepancies: int) -> None:
    """Keep the result of a check that ends now, if metrics are on. Raises OSError."""
    if settings.METRICS_PORT:
        settings.METRICS_DIR.mkdir(parents=True, exist_ok=True)
        with whole_file(str(settings.METRICS_DIR / _NAME)) as file:
            file.write(orjson.dumps(asdict(LedgerCheck(discrepancies, time.time()))))


def last_check() -> LedgerCheck | None:
    """The last one that was kept; None if there is none that this user may read."""
    try:
        return LedgerCheck(**orjson.loads((settings.METRICS_DIR / _NAME).read_bytes()))
    except OSError:
        return None
