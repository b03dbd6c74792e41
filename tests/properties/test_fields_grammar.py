"""The grammar of `fields` against a slow, plain restatement of its rules over paths."""

from collections.abc import Iterable

from hypothesis import example, given
from hypothesis import strategies as st

from kit.errors import InvalidData
from kit.query.selection import MAX_DEPTH, Selection
from kit.reads.filters.field_sets import FieldSet, Shape
from tests.kit.reads.filters.shelf import BOOKS, RUNS

BOOK_NAMES = "id title pages stock author chapters name born books heading book price".split()
RUN_NAMES = "id copies cost format next name weight paper runs colour book title".split()
paths = st.lists(st.sampled_from(["", *BOOK_NAMES]), min_size=1, max_size=6).map(".".join) | st.lists(
    st.sampled_from(RUN_NAMES), min_size=1, max_size=6
).map(".".join)
signs = st.sampled_from(["", "", "", "+", "-", " ", "*", "+*", "-*", "\t"])
pieces = st.one_of(
    st.builds("{}{}{}{}".format, signs, paths, st.sampled_from(["", "", "", ".*"]), st.sampled_from(["", "", " "])),
    st.sampled_from(["", " ", "*", "+", "-", ".*", "-title", "-author", "*author", "+chapters", "-author.name"]),
)
texts = st.lists(pieces, max_size=6).map(",".join)


def shape_at(root: Shape, path: Iterable[str]) -> Shape | None:
    """What the relations of the path lead to, or None where one is unknown."""
    shape = root
    for name in path:
        if name not in shape.relations:
            return None
        shape = shape.relations[name]()
    return shape


def expected(field_set: FieldSet, text: str | None) -> set[str] | str:
    """The selected paths, relations included; or why the text is refused."""
    root = field_set.offers
    asked = [piece for piece in (text or "").split(",") if piece.strip()]
    is_plain = [piece[0] not in "+-* \t" and not piece.rstrip().endswith((".*", "*")) for piece in asked]
    replaces = text is not None and (not text.strip() or any(is_plain))
    chosen: set[str] = set() if replaces else whole(root) | whole(root, field_set.defaults.removeprefix("*"))
    problems = []
    for piece in asked:
        name = piece.strip()
        removes = name.startswith("-") and not replaces
        name = name.lstrip("+- \t")
        starred = name.startswith("*") or name.endswith(".*")
        path = name.removeprefix("*").removesuffix(".*").strip()
        if not path:
            chosen |= whole(root) if starred and replaces else set()
            continue
        *above, last = path.split(".")
        shape = shape_at(root, above)
        if shape is None or not (last in shape.scalars or last in shape.relations):
            problems.append("unknown")
        elif len(above) + (last in shape.relations) > MAX_DEPTH:
            problems.append("deep")
        elif removes:
            chosen = {each for each in chosen if each != path and not each.startswith(f"{path}.")}
        else:
            chosen |= whole(root, path) if last in shape.relations else {path}
    if problems:
        return "unknown" if "unknown" in problems else "deep"
    return with_parents_and_ids(root, chosen)


def whole(root: Shape, relation: str = "") -> set[str]:
    """The default scalars of the relation, or of the resource itself, and of all that comes along."""
    shape = shape_at(root, relation.split(".") if relation else [])
    assert shape is not None
    before = f"{relation}." if relation else ""
    own = {f"{before}{name}" for name in shape.default_scalars} | ({relation} if relation else set())
    return own.union(*(whole(root, f"{before}{name}") for name in shape.along))


def with_parents_and_ids(root: Shape, chosen: set[str]) -> set[str]:
    """A path brings the relations that it goes through, and every resource its id."""
    every = set(chosen)
    for path in chosen:
        parts = path.split(".")
        every |= {".".join(parts[:length]) for length in range(1, len(parts))}
    relations = {path for path in every if shape_at(root, path.split(".")) is not None}
    return every | {"id"} | {f"{path}.id" for path in relations}


def flat(selection: Selection, prefix: str = "") -> set[str]:
    """Every path of a selection."""
    below = [flat(selected, f"{prefix}{name}.") | {prefix + name} for name, selected in selection.relations]
    return {prefix + name for name in selection.scalars}.union(*below)


def outcome(field_set: FieldSet, text: str | None) -> set[str] | str:
    try:
        return flat(field_set.parse(text))
    except InvalidData as refusal:
        return "unknown" if refusal.message.startswith("Requested fields [") else "deep"


field_sets = st.sampled_from([BOOKS, RUNS])


@given(field_sets, st.none() | texts)
@example(BOOKS, None)
@example(BOOKS, "")
@example(BOOKS, "author.books.author.books.title,-title")
@example(BOOKS, "+author.name,-author,+author.books.title")
@example(BOOKS, "-author.books,*author.books,-author.books.title")
@example(RUNS, None)
@example(RUNS, "+format.paper.runs")
@example(RUNS, "next.next,next.next.format.weight")
@example(RUNS, "-format.paper,-next.format")
@example(RUNS, "-format,+format.name")
def test_a_text_selects_what_the_grammar_says(field_set: FieldSet, text: str | None) -> None:
    assert outcome(field_set, text) == expected(field_set, text)


@given(field_sets, st.text(max_size=60))
def test_any_text_is_a_selection_or_is_refused(field_set: FieldSet, text: str) -> None:
    outcome(field_set, text)


@given(field_sets, texts)
def test_asking_again_for_what_was_selected_selects_the_same(field_set: FieldSet, text: str) -> None:
    selected = outcome(field_set, text)
    if isinstance(selected, set):
        leaves = {path for path in selected if shape_at(field_set.offers, path.split(".")) is None}
        assert outcome(field_set, ",".join(sorted(leaves))) == selected
