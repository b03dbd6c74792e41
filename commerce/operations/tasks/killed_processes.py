"""What a killed background process had claimed: its successor of the same name frees it.

Why: docs/decisions/operations.md#what-a-killed-process-had-claimed-is-free-at-once.
"""

from kit.messages.mails.leases import MAILS
from kit.messages.webhooks.delivery.leases import DELIVERIES
from orders.fulfillments.sending import REQUESTS


def free_claims_of(name: str) -> None:
    """Free the emails, deliveries and requests to carriers that the process of this name had in hand."""
    for leased in (MAILS, DELIVERIES, REQUESTS):
        leased.free_claims_of(name)
