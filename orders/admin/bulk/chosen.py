"""What a page about many orders carries from the list to its end, sealed: which orders, and which list to return to."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib.admin.utils import quote
from django.core import signing
from django.http import HttpRequest
from django.urls import reverse

from kit.admin.actions.verb_actions import BACK
from kit.admin.lists.kept_list import KEPT, with_list
from orders.managing.bulk.job import MOST

SEALED = "chosen"
"""The name of the field."""
TOO_MANY = f"More than {MOST} orders are selected. Narrow the list by its filters, or select fewer."
TOO_OLD = "The page was too old. Select the orders again."
_SALT = "orders.admin.bulk"
_LIFETIME = 24 * 60 * 60


def seal(name: str, value: Any) -> str:
    """The value as text that only the pages of that action can have written."""
    return signing.dumps(value, salt=f"{_SALT}.{name}", compress=True)


def unsealed(request: HttpRequest, name: str) -> Any:
    """What the submitted page has sealed; None if it is missing, damaged or older than a day."""
    try:
        return signing.loads(request.POST.get(SEALED, ""), salt=f"{_SALT}.{name}", max_age=_LIFETIME)
    except signing.BadSignature:
        return None


def keys_of(rows: Any) -> Sequence[str] | None:
    """The ids of the chosen orders, in the order of the list; None for more than MOST."""
    keys = list(rows.values_list("pk", flat=True)[: MOST + 1])
    return keys if len(keys) <= MOST else None


def list_address(request: HttpRequest) -> str:
    """The list with its search, filters, order and page."""
    home = _home()
    return request.get_full_path() if request.path == home else with_list(request, home)


def step_address(request: HttpRequest, name: str) -> str:
    """Where the page about these orders is sent; it keeps the list."""
    kept = request.GET.urlencode() if request.path == _home() else request.GET.get(KEPT, "")
    return reverse("admin:orders_order_bulk", args=[name]) + (f"?{urlencode({KEPT: kept})}" if kept else "")


def job_address(request: HttpRequest, job_id: str) -> str:
    """The page of the job, which leads back to the list."""
    return reverse("admin:jobs_job_change", args=[quote(job_id)], query={BACK: list_address(request)})


def _home() -> str:
    return reverse("admin:orders_order_changelist")
