"""Random documents that are valid: every way to write a selection set, no two fields in conflict."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

SCALARS = ["id", "name", "handle", "rank", "parentCategoryId", "metadata", "createdAt", "deletedAt", "__typename"]
RELATIONS = ["parentCategory", "categoryChildren"]
ALIASES = ["", "", "a_", "b_"]
"""The alias is made of the field's name, so that one response key always means one field."""
DIRECTIVES = ["", "", "", "@include(if: $yes)", "@skip(if: $yes)", "@include(if: $no)", "@skip(if: $no)",
              "@include(if: true)", "@skip(if: true)", "@skip(if: false) @include(if: $yes)"]  # fmt: skip
MOST_RELATIONS = 12
HEAD = """query Q($yes: Boolean! = true, $no: Boolean! = false, $limit: Int) {
  yes: __typename @include(if: $yes) no: __typename @skip(if: $no) l: productCategories(limit: $limit) { limit }"""
"""Every variable is used."""


@dataclass
class Sheet:
    """A document while it is written."""

    draw: Any
    fragments: list[str] = field(default_factory=list)
    relations: int = 0

    def choose(self, among: list[str]) -> str:
        chosen: str = self.draw(st.sampled_from(among))
        return chosen

    def named(self, name: str) -> str:
        alias = self.choose(ALIASES)
        return f"{alias}{name.strip('_')}: {name}" if alias else name

    def category(self, depth: int) -> str:
        """What is asked for of a category, at least one thing."""
        kinds = ["scalar", "scalar", "scalar", "inline", "untyped", "spread"]
        if depth and self.relations < MOST_RELATIONS:
            kinds += ["relation"] * 3
        return " ".join(self.piece(self.choose(kinds), depth) for _ in range(self.draw(st.integers(1, 4))))

    def piece(self, kind: str, depth: int) -> str:
        directive = self.choose(DIRECTIVES)
        if kind == "scalar":
            return f"{self.named(self.choose(SCALARS))} {directive}"
        if kind == "relation":
            self.relations += 1
            return f"{self.named(self.choose(RELATIONS))} {directive} {{ {self.category(depth - 1)} }}"
        if kind == "inline":
            return f"... on ProductCategory {directive} {{ {self.scalars()} }}"
        if kind == "untyped":
            return f"... {directive} {{ {self.scalars()} }}"
        return f"...{self.fragment(depth)} {directive}"

    def scalars(self) -> str:
        return " ".join(self.named(self.choose(SCALARS)) for _ in range(self.draw(st.integers(1, 3))))

    def fragment(self, depth: int) -> str:
        name = f"F{len(self.fragments)}"
        self.fragments.append("")
        body = self.category(depth) if len(self.fragments) < 4 else self.scalars()
        self.fragments[int(name[1:])] = f"fragment {name} on ProductCategory {{ {body} }}"
        return name

    def envelope(self) -> str:
        """What is asked for of a page."""
        kinds = ["count", "estimateCount", "offset", "limit", "__typename", "rows", "rows"]
        return " ".join(self.member(self.choose(kinds)) for _ in range(self.draw(st.integers(1, 4))))

    def member(self, kind: str) -> str:
        directive = self.choose(DIRECTIVES)
        if kind == "rows":
            return f"{self.named('productCategories')} {directive} {{ {self.category(3)} }}"
        return f"{self.named(kind)} {directive}"


@st.composite
def documents(draw: st.DrawFn, ids: list[str]) -> tuple[str, dict[str, Any]]:
    """A query of a few root fields, and its variables; some of the fields fail."""
    sheet = Sheet(draw)
    roots = []
    for number in range(draw(st.integers(1, 3))):
        if draw(st.booleans()):
            key, directive = draw(st.sampled_from([*ids, "nobody"])), sheet.choose(DIRECTIVES)
            roots.append(f'r{number}: productCategory(id: "{key}") {directive} {{ {sheet.category(3)} }}')
        else:
            limit = draw(st.sampled_from(["", "limit: 2, ", "limit: $limit, ", "limit: 0, ", "limit: 1001, "]))
            order = draw(st.sampled_from(['"name"', '"-rank"', '"parentCategory.name"', '"nope"']))
            roots.append(f"r{number}: productCategories({limit}order: {order}) {{ {sheet.envelope()} }}")
    roots.append("__typename")
    text = f"{HEAD} {' '.join(roots)} }}"
    booleans = {"yes": st.booleans(), "no": st.booleans()}
    variables = draw(st.fixed_dictionaries({"limit": st.integers(0, 9)}, optional=booleans))
    return "\n".join([text, *sheet.fragments]), variables
