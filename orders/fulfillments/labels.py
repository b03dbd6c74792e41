"""The labels of a fulfillment. Why: docs/decisions/fulfillments.md#labels-are-added-never-replaced."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.db import transaction

from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.values import text
from orders.common.search.entries import refresh_entry
from orders.fulfillments.errors import CannotAddLabels
from orders.fulfillments.locked_lines import lock_fulfillment
from orders.models import Fulfillment, FulfillmentLabel

LONGEST_URL = 2_000


@dataclass(frozen=True, slots=True)
class NewLabel:
    """A parcel. URLs begin with http:// or https://; an empty one, or `#`, is stored as null."""

    tracking_number: str
    tracking_url: str | None = None
    label_url: str | None = None


@transaction.atomic
def add_labels(*, actor: Actor, fulfillment_id: str, labels: Sequence[NewLabel], order_id: str | None = None) -> None:
    """Add labels to a fulfillment that is not canceled, whether it is shipped or not.

    Raises FulfillmentNotFound, CannotAddLabels, InvalidData (labels), Forbidden.
    """
    actor.require("orders.change_fulfillment")
    checked = checked_labels(labels)
    opened = lock_fulfillment(fulfillment_id, order_id=order_id)
    if opened.row.canceled_at is not None:
        raise CannotAddLabels
    write_labels(opened.row, checked)


def checked_labels(labels: Sequence[NewLabel]) -> list[NewLabel]:
    """The labels as they are stored. Raises InvalidData."""
    return [
        NewLabel(
            text.checked(each.tracking_number, field="tracking_number", longest=text.LONGEST, one_line=True),
            _url(each.tracking_url, "tracking_url"),
            _url(each.label_url, "label_url"),
        )
        for each in labels
    ]


def write_labels(fulfillment: Fulfillment, labels: Sequence[NewLabel]) -> None:
    """Add checked labels, except those that exist already. Callers hold the order's lock. Five statements."""
    if not labels:
        return
    own = FulfillmentLabel.objects.filter(fulfillment=fulfillment)
    known = {NewLabel(*values) for values in own.values_list("tracking_number", "tracking_url", "label_url")}
    new = dict.fromkeys(each for each in labels if each not in known)
    FulfillmentLabel.objects.bulk_create(FulfillmentLabel(fulfillment=fulfillment, **asdict(each)) for each in new)
    if new:
        refresh_entry(fulfillment.order_id)


def _url(value: str | None, field: str) -> str | None:
    if not value or value == "#":  # the official dashboard sends it for none
        return None
    url = text.checked(value, field=field, longest=LONGEST_URL, one_line=True)
    if not url.startswith(("https://", "http://")):
        raise InvalidData(f"Value for field '{field}' must be a URL that begins with http:// or https://")
    return url
