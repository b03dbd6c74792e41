"""What searches cost PostgreSQL: `python -m tests.bench.searches`, in the environment of a database with products.

Prints for each search how many products it finds and the milliseconds of CPU of the server's process, the median of
five runs behind warm ones, planning included: of REST's page and count, read by the product's own code.
"""

import statistics
import sys
from pathlib import Path
from typing import Any

import django

django.setup()

from django.db import connection

from catalog.api.resources import PRODUCTS
from commerce.kit.api.query_string import parse_query
from commerce.kit.core.actor import Actor
from commerce.shop.models import Store
from tests.bench.product_rows import WORDS

EVERYWHERE = "free shipping returns shirt aaron bbq versand sustainable leather"
SHORT = "aa bb cc bu ul lk pr od"
LONG = "shipping returns sustainable leather wholesome bicycle mountain certificate"
MIDDLE = "hippin eturn ustaina eathe holesom icycl ountai ertificat"
MARKED = "returns; t-shirt (aa od) anniversary. shipping, -shirt eturns;"


def either(*searches: str) -> str:
    return "&".join(f"$or[{number}][q]={search}" for number, search in enumerate(searches))


SEARCHES = {
    "rare word": f"q={WORDS[0]}",
    "the issue's": f"q={SHORT}",
    "word in all": "q=leather",
    "word in 70 %": "q=durable",
    "fragment of a sku": "q=ku-00123",
    "one letter": "q=w",
    "two letters": "q=wa",
    "8 short, all": f"q={SHORT}",
    "8 long, all": f"q={LONG}",
    "8 fragments, all": f"q={MIDDLE}",
    "8 marked, all": f"q={MARKED}",
    "3 marked, all": "q=returns; t-shirt (aa",
    "none": "q=zzzzqq",
    "$or of five": either("leather", "shipping sustain", "returns wholesome", "bi mo", "bicycle"),
    "$or of five, rare": either(*WORDS[1:6]),
    "all, offset 50,000": "q=leather&offset=50000",
    "all, by title": "q=leather&order=title",
    "all, by title, offset 50,000": "q=leather&order=title&offset=50000",
    "8 long, by created_at": f"q={LONG}&order=-created_at",
    "all, a collection too": "q=leather&collection_id=pcol_01BENCH0000000000000000001",
    "all, gift cards too": "q=leather&is_giftcard=false",
    "8 long, a tag too": f"q={LONG}&tag_id=ptag_01BENCH0000000000000000001",
    "all, or a handle": "$or[0][q]=leather&$or[1][handle]=none",
    "no search": "",
}


def cpu(pid: int) -> float:
    """Milliseconds of CPU that the process has used."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e6


def measured(search: str, actor: Actor, pid: int) -> tuple[int, float]:
    parameters = parse_query(f"limit=20&fields=id,title&{search.replace(' ', '+').replace(';', '%3B')}")
    query = PRODUCTS.list_query(parameters)
    times: list[float] = []
    found: Any = None
    for _ in range(12):
        before = cpu(pid)
        found = PRODUCTS.page(query, actor)
        times.append(cpu(pid) - before)
    return found.count, statistics.median(times[-5:])


def main() -> None:
    actor = Actor("anonymous", sales_channel_ids=(Store.objects.get().default_sales_channel_id,))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    for name, search in SEARCHES.items():
        count, milliseconds = measured(search, actor, pid)
        sys.stdout.write(f"{name:30} {count:>8} {milliseconds:>8.1f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
