"""The background worker processes, with their arguments of `manage.py`.

Each queue of tasks is served by one of them. Mails and webhooks have tables and workers of their own: no payment
provider, mail server or webhook address that hangs delays the others.
"""

from collections.abc import Mapping

from commerce.kit.jobs.turns import QUEUE

WORKERS: Mapping[str, tuple[str, ...]] = {
    "background worker": ("db_worker", "--queue-name", "*", "--exclude-queues", QUEUE),
    "bulk worker": ("db_worker", "--queue-name", QUEUE),
    "mail worker": ("send_mails",),
    "webhook worker": ("deliver_webhooks",),
}
