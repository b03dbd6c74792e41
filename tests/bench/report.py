"""The figures as a table for people and as JSON for comparison."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from tests.bench.cases import CASES
from tests.bench.data_sets import LARGEST, SMALLER

RESULTS = Path(__file__).parents[2] / "bench-results"
HEADINGS = ("ms of CPU per request", "web", "best", "DB", "SQL", "kB", "floor", "x floor", "peer", "aim", "missed")
WIDTHS = (36, 8, 8, 8, 5, 8, 8, 8, 7, 14, 10)


def table(
    title: str, results: list[dict[str, Any]], megabytes: float, *, is_judged: bool, substitute: str | None = None
) -> str:
    """Columns web and floor are medians over the rounds; DB is the database's own processes; SQL counts statements.

    is_judged: whether these are the data and the database that the aims are for. The last column names what is
    missed. substitute: the remark on data that replace those.
    """
    title = title if substitute is None else f"{title} ({substitute})"
    rows = [HEADINGS, *(_cells(result, is_judged=is_judged) for result in results)]
    lines = ["".join(_fit(cell, width) for cell, width in zip(row, WIDTHS, strict=True)) for row in rows]
    return "\n".join([title, *lines, f"memory of the worker (PSS): {megabytes:.0f} MB of at most 130"])


def _fit(cell: str, width: int) -> str:
    return f"{cell:<{width}}" if width == WIDTHS[0] else f"{cell:>{width}}"


def _cells(result: dict[str, Any], *, is_judged: bool) -> tuple[str, ...]:
    case = next(each for each in CASES if each.name == result["case"])
    floor = result.get("floor", {}).get("web_median")
    floors = result["web_median"] / floor if floor else None
    aims = [
        f"{case.aim_ms} ms" if case.aim_ms else "",
        f"{case.aim_floors} x" if case.aim_floors else "",
        f"DB {case.aim_database_ms} ms" if case.aim_database_ms else "",
    ]
    missed = {
        "ms": is_judged and case.aim_ms and result["web_median"] > case.aim_ms,
        "x": is_judged and case.aim_floors and floors and floors > case.aim_floors,
        "DB": is_judged and case.aim_database_ms and result["database_median"] > case.aim_database_ms,
        "SQL": case.statements and result["statements"] > case.statements,
        "JSON": not result.get("same_json", True),
    }
    return (
        case.name,
        f"{result['web_median']:.3f}",
        f"{result['web_best']:.3f}",
        f"{result['database_median']:.3f}" if result["database_median"] else "",
        str(result["statements"]),
        f"{result['bytes'] / 1000:.1f}",
        f"{floor:.3f}" if floor else "",
        f"{floors:.2f}" if floors else "",
        f"{case.peer_ms}" if is_judged and case.peer_ms else "",
        ", ".join(filter(None, aims)) if is_judged else "",
        " ".join(name for name, is_missed in missed.items() if is_missed),
    )


def growth(document: dict[str, Any]) -> str:
    """What each case costs on the largest shop in multiples of what it costs on the smaller one, on PostgreSQL."""
    measured = [document.get(f"{data.title}, postgresql") for data in (SMALLER, LARGEST)]
    if None in measured:
        return ""
    is_judged = all(run["is_judged"] for run in measured if run)
    smaller, largest = ({each["case"]: each for each in run["results"]} for run in measured if run)
    lines = [f"\n{LARGEST.title} as multiples of {SMALLER.title}"]
    for case in CASES:
        if case.name in largest:
            web, database = (
                largest[case.name][key] / (smaller[case.name][key] or 1) for key in ("web_median", "database_median")
            )
            aim = f"  aim {case.aim_growth}" if case.aim_growth and is_judged else ""
            missed = "  missed" if aim and case.aim_growth and web > case.aim_growth else ""
            lines.append(f"{case.name:<36}  web {web:6.2f}  DB {database:8.2f}{aim}{missed}")
    return "\n".join([*lines, ""])


def write(document: dict[str, Any]) -> Path:
    """Keeps the figures under the time of the run."""
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.json"
    file.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2))
    return file
