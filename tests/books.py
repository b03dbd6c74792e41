"""Whether the shop's books agree, for tests that ask after each of many steps."""

from functools import cache
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.db.models.query import RawQuerySet

from giftcards.verification.invariants import INVARIANTS
from giftcards.verification.verification import OTHER_INVARIANTS, discrepancies
from orders.management.invariants.reports import REPORT_INVARIANTS


def disagreements() -> list[str]:
    """What `discrepancies` finds. Its statements are compiled once, which takes most of its time on few rows.

    But for those of reports, which hold amounts that are read before.
    """
    with connection.cursor() as cursor:
        for sql, params in statements():
            cursor.execute(sql, params)
            if cursor.fetchone():
                return list(discrepancies())
    return list(discrepancies()) if any(list(each.violations()) for each in REPORT_INVARIANTS) else []


@cache
def statements() -> list[tuple[str, tuple[Any, ...]]]:
    """Of each invariant but those of reports, one that reads its violations."""
    invariants = (*INVARIANTS, *OTHER_INVARIANTS.get())
    return [_statement(each.violations()) for each in invariants if each not in REPORT_INVARIANTS]


def _statement(violations: QuerySet[Any, Any] | RawQuerySet[Any]) -> tuple[str, tuple[Any, ...]]:
    if isinstance(violations, RawQuerySet):
        return violations.raw_query, ()
    return violations.query.get_compiler(connection.alias).as_sql()
