"""What a request to a route needs to succeed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kit.values.timestamps import now


class Form(dict[str, Any]):
    """A body that is not JSON: `body` and `content_type` of the request."""


@dataclass(frozen=True)
class Example:
    """What a request to a route needs to succeed.

    path: makes the rows it needs and gives the path, with a query where it cannot do without one.
    bodies: by action, or what makes them; without one, the action takes none.
    """

    path: Callable[[], str]
    bodies: dict[str, Any] = field(default_factory=dict)


def reading(path: str, factory: Callable[[], Any], *, key: str = "id") -> dict[str, Example]:
    """The list below a path, and one of it that the factory makes."""
    return {path: Example(lambda: path), f"{path}/<str:{key}>": Example(lambda: f"{path}/{factory().pk}")}


def maintained(
    path: str,
    factory: Callable[[], Any],
    new: Any,
    change: dict[str, Any],
    *,
    can_restore: bool = True,
    in_batches: bool = True,
) -> dict[str, Example]:
    """The same, where staff create and change rows."""
    batch = {"batch": lambda: {"update": [{"id": factory().pk, **change}]}}
    restoring = {f"{path}/<str:id>/restore": Example(lambda: f"{path}/{deleted(factory()).pk}/restore")}
    return {
        path: Example(lambda: path, {"create": new}),
        **({f"{path}/batch": Example(lambda: f"{path}/batch", batch)} if in_batches else {}),
        f"{path}/<str:id>": Example(lambda: f"{path}/{factory().pk}", {"update": change}),
        **(restoring if can_restore else {}),
    }


def deleted(row: Any) -> Any:
    row.deleted_at = now()
    row.save(update_fields=["deleted_at"])
    return row
