"""What is measured: one row a case. Later issues add theirs."""

from dataclasses import dataclass
from typing import Any

import orjson

SCALARS = "id,name,description,handle,rank,parent_category_id,metadata,created_at,updated_at,deleted_at"
LIST = "/store/product-categories"

DOCUMENT = """{ productCategories { count productCategories { ...Own parentCategory { ...Own } categoryChildren { ...Own } } } }
fragment Own on ProductCategory {
  id name description handle rank parentCategoryId metadata createdAt updatedAt deletedAt
}"""


@dataclass(frozen=True)
class Case:
    """A request; in its path and body, {names} are facts of the data (shop_data.Facts).

    floor: the floor program's path for the same answer. peer_ms: the peer's measured CPU per request.
    reach_ms and reach_floors: what ours may cost at most, in milliseconds and in multiples of the floor.
    statements: how many SQL statements it may take.
    """

    name: str
    path: str
    floor: str | None = None
    peer_ms: float | None = None
    reach_ms: float | None = None
    reach_floors: float | None = None
    statements: int | None = None
    method: str = "GET"
    body: str = ""

    def request(self, facts: dict[str, Any]) -> bytes:
        """The request as it goes over the wire."""
        credential = (
            f"authorization: Bearer {facts['secret']}"
            if self.path.startswith("/admin")
            else f"x-publishable-api-key: {facts['publishable']}"
        )
        path = self.path.format_map(facts).replace(" ", "%20")
        lines = [f"{self.method} {path} HTTP/1.1", "host: 127.0.0.1", "accept: */*", credential]
        if self.path == "/graphql":
            lines.append("x-graphql-request: true")
        if self.body:
            lines += ["content-type: application/json", f"content-length: {len(self.body)}"]
        return ("\r\n".join(lines) + "\r\n\r\n" + self.body).encode()


CASES = [
    Case("50 categories, default fields", LIST, "/default", 18.7, 1.5, statements=4),
    Case("50 categories, plain fields", f"{LIST}?fields={SCALARS}", "/plain", 6.9, 0.9, 2.5, statements=2),
    Case(
        "50 categories, *category_children",
        f"{LIST}?fields={SCALARS},*category_children",
        "/children",
        14.6,
        1.4,
        statements=3,
    ),
    Case(
        "50 categories with whole trees",
        f"{LIST}?fields={SCALARS},*category_children&include_descendants_tree=true&order=name&offset={{trees_offset}}",
        "/trees",
        242,
        8,
        statements=3,
    ),
    Case(
        "the same, parents as well",
        f"{LIST}?include_descendants_tree=true&order=name&offset={{trees_offset}}",
        statements=4,
    ),
    Case("50 categories, deep offset", f"{LIST}?offset={{deep_offset}}", statements=4),
    Case("filter by handle", f"{LIST}?handle={{handle}}", statements=4),
    Case("search, q=", f"{LIST}?q={{word}}", statements=4),
    Case("one category", f"{LIST}/{{id}}", statements=4),
    Case("1,000 categories, plain fields", f"{LIST}?fields={SCALARS}&limit=1000", statements=2),
    Case(
        "GraphQL: 50 categories with parent and children",
        "/graphql",
        peer_ms=64,
        reach_ms=2.0,
        statements=4,
        method="POST",
        body=orjson.dumps({"query": DOCUMENT}).decode(),
    ),
    Case("POST an API key", "/admin/api-keys", method="POST", body='{"title": "Bench", "type": "publishable"}'),
]
