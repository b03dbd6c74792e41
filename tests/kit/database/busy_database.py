"""Statements that keep either database at work."""

from typing import Any

from django.db import connection

from kit.database.raw_sql import fetch


def work(amount: float) -> list[Any]:
    """1 takes some tenths of a second, 100 much longer than any test."""
    if connection.vendor == "postgresql":
        return fetch("SELECT pg_sleep(%s)", [amount * 0.2])
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %s) SELECT count(*) FROM n"
    return fetch(numbers, [int(amount * 2_000_000)])
