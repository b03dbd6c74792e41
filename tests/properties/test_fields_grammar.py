"""The grammar of `fields` against a slow, plain restatement of behaviour.md 2.1 and 0.14 over paths."""

from collections.abc import Iterable

from hypothesis import example, given
from hypothesis import strategies as st

from commerce.core.errors import InvalidData
from commerce.core.selection import MAX_DEPTH, FieldSet, Selection, Shape
from tests.core.shelf import BOOKS

NAMES = ["id", "title", "pages", "stock", "author", "chapters", "name", "born", "books", "heading", "book", "price", ""]
paths = st.lists(st.sampled_from(NAMES), min_size=1, max_size=6).map(".".join)
signs = st.sampled_from(["", "", "", "+", "-", " ", "*", "+*", "-*", "\t"])
pieces = st.one_of(
    st.builds("{}{}{}{}".format, signs, paths, st.sampled_from(["", "", "", ".*"]), st.sampled_from(["", "", " "])),
    st.sampled_from(["", " ", "*", "+", "-", ".*", "-title", "-author", "*author", "+chapters", "-author.name"]),
)
texts = st.lists(pieces, max_size=6).map(",".join)


def shape_at(path: Iterable[str]) -> Shape | None:
    """What the relations of the path lead to, or None where one is unknown."""
    shape = BOOKS.shape
    for name in path:
        if name not in shape.relations:
            return None
        shape = shape.relations[name]()
    return shape


def expected(text: str | None) -> set[str] | str:
    """The selected paths, relations included; or why the text is refused."""
    asked = [piece for piece in (text or "").split(",") if piece.strip()]
    is_plain = [piece[0] not in "+-* \t" and not piece.rstrip().endswith((".*", "*")) for piece in asked]
    replaces = text is not None and (not text.strip() or any(is_plain))
    chosen: set[str] = set() if replaces else {"title", "pages", *scalars("author")}
    problems = []
    for piece in asked:
        name = piece.strip()
        removes = name.startswith("-") and not replaces
        name = name.lstrip("+- \t")
        starred = name.startswith("*") or name.endswith(".*")
        path = name.removeprefix("*").removesuffix(".*").strip()
        if not path:
            chosen |= {"title", "pages"} if starred and replaces else set()
            continue
        *above, last = path.split(".")
        shape = shape_at(above)
        if shape is None or not (last in shape.scalars or last in shape.relations):
            problems.append("unknown")
        elif len(above) + (last in shape.relations) > MAX_DEPTH:
            problems.append("deep")
        elif removes:
            chosen = {each for each in chosen if each != path and not each.startswith(f"{path}.")}
        else:
            chosen |= scalars(path) if last in shape.relations else {path}
    if problems:
        return "unknown" if "unknown" in problems else "deep"
    return with_parents_and_ids(chosen)


def scalars(relation: str) -> set[str]:
    shape = shape_at(relation.split("."))
    assert shape is not None
    return {relation, *(f"{relation}.{name}" for name in shape.default_scalars)}


def with_parents_and_ids(chosen: set[str]) -> set[str]:
    """A path brings the relations that it goes through, and every resource its id."""
    whole = set(chosen)
    for path in chosen:
        parts = path.split(".")
        whole |= {".".join(parts[:length]) for length in range(1, len(parts))}
    relations = {path for path in whole if shape_at(path.split(".")) is not None}
    return whole | {"id"} | {f"{path}.id" for path in relations}


def flat(selection: Selection, prefix: str = "") -> set[str]:
    """Every path of a selection."""
    below = [flat(selected, f"{prefix}{name}.") | {prefix + name} for name, selected in selection.relations]
    return {prefix + name for name in selection.scalars}.union(*below)


def outcome(field_set: FieldSet, text: str | None) -> set[str] | str:
    try:
        return flat(field_set.parse(text))
    except InvalidData as refusal:
        return "unknown" if refusal.message.startswith("Requested fields [") else "deep"


@given(st.none() | texts)
@example(None)
@example("")
@example("author.books.author.books.title,-title")
@example("+author.name,-author,+author.books.title")
@example("-author.books,*author.books,-author.books.title")
def test_a_text_selects_what_the_grammar_says(text: str | None) -> None:
    assert outcome(BOOKS, text) == expected(text)


@given(st.text(max_size=60))
def test_any_text_is_a_selection_or_is_refused(text: str) -> None:
    outcome(BOOKS, text)


@given(texts)
def test_asking_again_for_what_was_selected_selects_the_same(text: str) -> None:
    selected = outcome(BOOKS, text)
    if isinstance(selected, set):
        leaves = {path for path in selected if shape_at(path.split(".")) is None}
        assert outcome(BOOKS, ",".join(sorted(leaves))) == selected
