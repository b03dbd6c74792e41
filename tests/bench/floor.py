"""The floor: the least that a Python program does for the same rows and the same JSON.

A bare WSGI callable on a prepared psycopg statement and orjson. No framework, no key, no parameters, no checks: the
queries are fixed by the environment. What our server costs above this is what its services cost.
"""

import os
import threading
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

import orjson
import psycopg
from psycopg.types.string import TextLoader

OFFSET = int(os.environ["FLOOR_OFFSET"])
TREES_OFFSET = int(os.environ["FLOOR_TREES_OFFSET"])
COLUMNS = "id, name, description, handle, rank, parent_category_id, metadata, created_at, updated_at, deleted_at"
VISIBLE = "is_visible AND NOT in_deleted_branch"
TOTAL = f"(SELECT count(*) FROM catalog_productcategory WHERE {VISIBLE})"
PAGE = (
    f"SELECT {COLUMNS}, path, {TOTAL}"
    f" FROM catalog_productcategory WHERE {VISIBLE} ORDER BY {{order}} LIMIT 50 OFFSET %s"
)
RELATED = f"SELECT {COLUMNS} FROM catalog_productcategory WHERE {VISIBLE} AND {{key}} = ANY(%s)"
BELOW = (
    f"SELECT {COLUMNS} FROM unnest(%s::text[]) AS top JOIN catalog_productcategory"
    f" ON path >= top || '.' AND path < top || '/' WHERE {VISIBLE}"
)
local = threading.local()

Row = dict[str, Any]


def fetch(text: str, parameter: object) -> list[tuple[Any, ...]]:
    connection: psycopg.Connection | None = getattr(local, "connection", None)
    if connection is None:
        connection = psycopg.connect(os.environ["FLOOR_DSN"], autocommit=True, prepare_threshold=0)
        connection.execute("SET random_page_cost = 1.1")
        connection.execute("SET jit = off")
        connection.adapters.register_loader("timestamptz", TextLoader)
        connection.adapters.register_loader("jsonb", TextLoader)
        local.connection = connection
    return connection.execute(text, (parameter,)).fetchall()


def row(cells: tuple[Any, ...]) -> Row:
    metadata = cells[6]
    return {
        "id": cells[0],
        "name": cells[1],
        "description": cells[2],
        "handle": cells[3],
        "rank": cells[4],
        "parent_category_id": cells[5],
        "metadata": metadata and orjson.Fragment(metadata),
        "created_at": iso(cells[7]),
        "updated_at": iso(cells[8]),
        "deleted_at": iso(cells[9]),
    }


def iso(text: str | None) -> str | None:
    return text and f"{text[:10]}T{text[11:19]}.{text[20:-3]:0<3}Z"


def page(offset: int, order: str = "id") -> tuple[list[Row], list[str], dict[str, Any]]:
    """The rows, their paths, and the answer that will hold them."""
    cells = fetch(PAGE.format(order=order), offset)
    rows = [row(each) for each in cells]
    count = cells[0][-1]
    answer = {"product_categories": rows, "count": count, "estimate_count": count, "offset": offset, "limit": 50}
    return rows, [each[-2] for each in cells], answer


def plain() -> Any:
    return page(OFFSET)[2]


def children() -> Any:
    rows, _, answer = page(OFFSET)
    add_children(rows)
    return answer


def default() -> Any:
    rows, _, answer = page(OFFSET)
    here = {each["id"]: each for each in rows}
    wanted = {each["parent_category_id"] for each in rows} - {None}
    parents = {key: dict(here[key]) for key in wanted if key in here}
    outside = list(wanted - here.keys())
    if outside:
        parents |= {each[0]: row(each) for each in fetch(RELATED.format(key="id"), outside)}
    for each in rows:
        each["parent_category"] = parents.get(each["parent_category_id"])
    add_children(rows)
    return answer


def add_children(rows: list[Row]) -> None:
    found = [row(each) for each in fetch(RELATED.format(key="parent_category_id"), [each["id"] for each in rows])]
    hang(rows, found)


def trees() -> Any:
    rows, paths, answer = page(TREES_OFFSET, "name, id")
    tops = [path for path in paths if not any(path.startswith(f"{other}.") for other in paths)]
    below = [row(each) for each in fetch(BELOW, tops)]
    hang([*rows, *below], below)
    return answer


def hang(rows: Iterable[Row], found: list[Row]) -> None:
    found.sort(key=itemgetter("rank", "id"))
    by_parent: dict[str, list[Row]] = {}
    for each in found:
        by_parent.setdefault(each["parent_category_id"], []).append(each)
    for each in rows:
        each["category_children"] = by_parent.get(each["id"], [])


WORK: dict[str, Callable[[], Any]] = {
    "/health/live": lambda: {"status": "ok"},
    "/plain": plain,
    "/default": default,
    "/children": children,
    "/trees": trees,
}


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    body = orjson.dumps(WORK[environ["PATH_INFO"]]())
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
    return [body]
