"""Exports, read as a program reads them."""

import csv
import io
from typing import Any

from commerce.kit.core.actor import SYSTEM, Actor
from orders.export.choice import Choice
from orders.export.kinds import ORDERS, Kind
from orders.export.writing import Batches, write


def passed_on(batches: Batches, _: int) -> Batches:
    return batches


def exported(kind: Kind = ORDERS, *, actor: Actor = SYSTEM, watch: Any = passed_on, **choice: Any) -> bytes:
    """The bytes of the file."""
    file = io.BytesIO()
    write(file, kind, actor=actor, choice=Choice(**choice), watch=watch)
    return file.getvalue()


def rows(content: bytes) -> list[dict[str, str]]:
    """Its rows by the names of their columns."""
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))
