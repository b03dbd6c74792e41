"""The webhook worker: a thread for each address that something is due for, so that one that hangs delays no other.

It needs no queue of tasks: events and deliveries are their own, so that nothing can be lost between two tables.
"""

from collections.abc import Callable
from threading import Event, Thread

import structlog
from django.db import connection

from kit.errors import Conflict
from kit.messages.webhooks.delivery.delivering import addresses_with_work, deliver_next
from kit.messages.webhooks.delivery.fan_out import fan_out

log = structlog.get_logger(__name__)

LOOK_SECONDS = 0.5


def deliver_until(stopped: Event) -> None:
    """Deliver events until `stopped` is set, and end the deliveries that have begun. Raises database errors."""
    threads: dict[str, Thread] = {}
    ended = Event()

    def is_over() -> bool:
        return stopped.is_set() or ended.is_set()

    try:
        while not stopped.wait(LOOK_SECONDS):
            for address_id in _due():
                thread = threads.get(address_id)
                if thread is None or not thread.is_alive():
                    threads[address_id] = _start(address_id, is_over)
    finally:
        ended.set()
        for thread in threads.values():
            thread.join()


def deliver_all() -> None:
    """Deliver everything that is due now, and return."""
    fan_out()
    for address_id in addresses_with_work():
        while deliver_next(address_id):
            pass


def _due() -> list[str]:
    try:
        fan_out()
    except Conflict:
        log.warning("webhook_fan_out_delayed")
    return addresses_with_work()


def _start(address_id: str, is_over: Callable[[], bool]) -> Thread:
    thread = Thread(target=_work_off, args=(address_id, is_over), name="webhook-address")
    thread.start()
    return thread


def _work_off(address_id: str, is_over: Callable[[], bool]) -> None:
    try:
        while not is_over() and deliver_next(address_id):
            pass
    except Exception:
        log.exception("webhook_thread_failed", address=address_id)
    finally:
        connection.close()
