"""What rows show of their parts, by one statement a batch: codes of promotions, taxes by rate, sums."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet, Sum

from orders.reports.export import cells


def sums(rows: QuerySet[Any], *, by: str, ids: Sequence[str], column: str) -> Mapping[str, Any]:
    """The sum of the column by id of what the rows belong to; ids without rows are missing."""
    return dict(_of(rows, by, ids).values_list(by).annotate(Sum(column)))


def codes(rows: QuerySet[Any], *, by: str, ids: Sequence[str]) -> Mapping[str, str]:
    """The codes of promotions, each once: `SPRING, TEN`."""
    found: dict[str, list[str]] = defaultdict(list)
    for owner, code in _of(rows, by, ids).exclude(code=None).values_list(by, "code").distinct().order_by("code"):
        found[owner].append(code)
    return {owner: ", ".join(each) for owner, each in found.items()}


def taxes(*rows: tuple[QuerySet[Any], str], ids: Sequence[str]) -> Mapping[str, Mapping[Decimal, Decimal]]:
    """The taxes of each id by rate in percent. rows: tax lines, each with the path to what they belong to."""
    found: dict[str, dict[Decimal, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for tax_lines, by in rows:
        for owner, rate, tax in _of(tax_lines, by, ids).values_list(by, "rate").annotate(Sum("total")):
            found[owner][rate] += tax
    return found


def taxes_by_rate(of: Iterable[tuple[Decimal, Decimal]], currency_code: str) -> str:
    """The cell: `7: 0.70; 19: 3.99`, the rates in percent."""
    return "; ".join(f"{rate.normalize():f}: {cells.amount(tax, currency_code)}" for rate, tax in sorted(of))


def _of(rows: QuerySet[Any], by: str, ids: Sequence[str]) -> QuerySet[Any]:
    return rows.filter(**{f"{by}__in": ids}).order_by()
