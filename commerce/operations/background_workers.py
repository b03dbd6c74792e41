"""The background worker processes, with their arguments of `manage.py`.

Each queue of tasks is served by one of them. Mails have a table and a worker of their own: neither a payment provider
nor a mail server that hangs delays the other.
"""

from collections.abc import Mapping

from commerce.kit.jobs.turns import QUEUE

WORKERS: Mapping[str, tuple[str, ...]] = {
    "background worker": ("db_worker", "--queue-name", "*", "--exclude-queues", QUEUE),
    "bulk worker": ("db_worker", "--queue-name", QUEUE),
    "mail worker": ("send_mails",),
}
