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
from kit.domain.actor import Actor
from kit.rest.requests.query_string import parse_query
from shop.models import Store
from tests.bench.product_rows import WORDS


def either(*searches: str) -> str:
    return "&".join(f"$or[{number}][q]={search}" for number, search in enumerate(searches))


COLLECTION = "collection_id=pcol_01BENCH0000000000000000001"
TAG = "tag_id=ptag_01BENCH0000000000000000001"
LETTERS = "s d m w c"
EIGHT = "soft light warm durable cotton wool steel design"
"""Each is in 70 % of the products; all of them in 8 %."""

SEARCHES = {
    "rare word": f"q={WORDS[0]}",
    "fragment of a sku": "q=ku-00123",
    "$or of five, rare": either(*WORDS[1:6]),
    "8 fragments of two letters": "q=aa bb cc bu ul lk pr od",
    "none": "q=zzzzqq",
    "five in an $or": either("durable steel", "warm", "light", WORDS[0], "bi mo"),
    "word in 70 %": "q=durable",
    "one letter": "q=s",
    "six letters": "q=s d m w c h",
    "five letters in an $or": either(*LETTERS.split()),
    "four $or of two words": either("durable soft", "steel warm", "cotton light", "wool design"),
    "8 words": f"q={EIGHT}",
    "three letters, all": "q=sku",
    "fragment with marks, all": "q=sku-",
    "one letter, of a collection": f"q=s&{COLLECTION}",
    "one letter, of a tag": f"q=s&{TAG}",
    "one letter, no gift cards": "q=s&is_giftcard=false",
    "one letter, or a handle": "$or[0][q]=s&$or[1][handle]=none",
    "70 %, by id": "q=durable&order=id",
    "8 words, by id": f"q={EIGHT}&order=id",
    "70 %, by title": "q=durable&order=title",
    "70 %, by created_at": "q=durable&order=-created_at",
    "70 %, by updated_at": "q=durable&order=updated_at",
    "70 %, by title, at 50,000": "q=durable&order=title&offset=50000",
    "letter, by title, at 89,000": "q=s&order=title&offset=89000",
    "letter, by title, at 45,000": "q=s&order=title&offset=45000",
    "letter, by collection, at 45,000": "q=s&order=collection.title&offset=45000",
    "letter, no gift cards, by title, at 45,000": "q=s&is_giftcard=false&order=title&offset=45000",
    "letter, by collection, at 89,000": "q=s&order=collection.title&offset=89000",
    "five letters, by title, at 89,000": f"{either(*LETTERS.split())}&order=title&offset=89000",
    "70 %, at 50,000": "q=durable&offset=50000",
    "one letter, with deleted": "q=s&with_deleted=true",
    "letter, with deleted, by title, at 89,000": "q=s&with_deleted=true&order=title&offset=89000",
    "no search": "",
    "no search, by title, at 89,000": "order=title&offset=89000",
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
        sys.stdout.write(f"{name:42} {count:>8} {milliseconds:>8.1f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
