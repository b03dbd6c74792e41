"""When a delivery is tried again, and when that ends."""

from datetime import datetime, timedelta

from kit.values.timestamps import now

TRIED_FOR = timedelta(hours=24)
SWITCHED_OFF_AFTER = timedelta(days=3)
_SHORTEST_WAIT, _LONGEST_WAIT = timedelta(seconds=5), timedelta(hours=1)
_SHORTEST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=5)


def expiry() -> datetime:
    """Until when a delivery that begins now is tried."""
    return now() + TRIED_FOR


def next_try(*, expires_at: datetime) -> datetime | None:
    """When a delivery is tried again that has just failed; None if its time is over.

    It waits as long as it has been tried already, so that waits double; the last try is at the expiry.
    """
    moment = now()
    if moment >= expires_at:
        return None
    tried_for = moment - (expires_at - TRIED_FOR)
    return min(moment + min(max(tried_for, _SHORTEST_WAIT), _LONGEST_WAIT), expires_at)


def pause_end(*, failing_since: datetime) -> datetime:
    """Until when an address that did not answer is left alone: for a quarter of the time that it has been failing.

    So a long queue does not spend its tries on an address that is down, and goes out soon after it is back.
    """
    moment = now()
    return moment + min(max((moment - failing_since) / 4, _SHORTEST_PAUSE), _LONGEST_PAUSE)
