"""What documents cause: in the transaction that writes them."""

from collections.abc import Sequence
from typing import NamedTuple

from kit.messages.outbox.recording import record_events
from orders.invoices.delivery import deliver
from orders.states import InvoiceKind


class NewDocument(NamedTuple):
    """A document that this transaction writes: its row comes last."""

    id: str
    kind: InvoiceKind
    order_id: str
    is_mailed: bool


def announce(documents: Sequence[NewDocument]) -> None:
    """Record their events, and queue their PDFs and emails. One statement, and at most two for each document."""
    events = [(f"{each.kind}.created", {"id": each.id, "order_id": each.order_id}) for each in documents]
    record_events(events, order_of=documents[0].order_id)
    silent = {each.id for each in documents if not each.is_mailed}
    deliver({each.id: each.kind for each in documents}, silent=silent)
