"""The grammar of `fields`, as tables: what was asked and what is selected."""

import itertools

import pytest

from kit.errors import InvalidData
from kit.query.selection import Selection
from kit.reads.filters.field_sets import MAX_LENGTH, FieldSet, Shape
from tests.kit.reads.filters.shelf import BOOKS, author, book, outline

DEFAULTS = "id title pages author(id name born)"

REPLACING = [
    ("", "id"),
    ("   ", "id"),
    ("title", "id title"),
    ("id", "id"),
    ("pages,title", "id title pages"),
    ("title,title", "id title"),
    ("title,", "id title"),
    (",title,,", "id title"),
    ("title, pages", "id title pages"),
    (" title ,pages", "id title pages"),
    ("title\t,\tpages", "id title pages"),
    ("stock", "id stock"),
    ("id,-title", "id title"),
    ("title,+pages", "id title pages"),
    ("author", "id author(id name born)"),
    ("author.name", "id author(id name)"),
    ("author.name,author.born", "id author(id name born)"),
    ("title,*author", "id title author(id name born)"),
    ("title,author.*", "id title author(id name born)"),
    ("title,*author.books", "id title author(id books(id title pages))"),
    ("title,author.books.*", "id title author(id books(id title pages))"),
    ("title,*author,author.books.title", "id title author(id name born books(id title))"),
    ("title,*", "id title pages"),
    ("chapters.book.author.name", "id chapters(id book(id author(id name)))"),
]
ADDING = [
    (None, DEFAULTS),
    (",", DEFAULTS),
    ("+", DEFAULTS),
    ("*", DEFAULTS),
    ("*,", DEFAULTS),
    ("+stock", "id title pages stock author(id name born)"),
    (" stock", "id title pages stock author(id name born)"),
    ("\tstock", "id title pages stock author(id name born)"),
    ("*stock", "id title pages stock author(id name born)"),
    ("+title", DEFAULTS),
    ("*title", DEFAULTS),
    ("*author", DEFAULTS),
    ("+chapters", f"{DEFAULTS} chapters(id heading)"),
    ("*chapters", f"{DEFAULTS} chapters(id heading)"),
    ("chapters.*", f"{DEFAULTS} chapters(id heading)"),
    ("+chapters.*", f"{DEFAULTS} chapters(id heading)"),
    ("*chapters.*", f"{DEFAULTS} chapters(id heading)"),
    ("+chapters.heading", f"{DEFAULTS} chapters(id heading)"),
    ("*author.books", "id title pages author(id name born books(id title pages))"),
    ("+author.books.stock", "id title pages author(id name born books(id stock))"),
    ("-title", "id pages author(id name born)"),
    ("-id", DEFAULTS),
    ("-author", "id title pages"),
    ("-author.*", "id title pages"),
    ("-*author", "id title pages"),
    ("-author.name", "id title pages author(id born)"),
    ("-author.id", DEFAULTS),
    ("-author.books", DEFAULTS),
    ("-chapters", DEFAULTS),
    ("-chapters.heading", DEFAULTS),
    ("-stock", DEFAULTS),
    ("-author,+author.name", "id title pages author(id name)"),
    ("+author.name,-author", "id title pages"),
    ("+stock,-stock", DEFAULTS),
    ("-title,-pages,-author", "id"),
    ("+stock, chapters,", "id title pages stock author(id name born) chapters(id heading)"),
]


@pytest.mark.parametrize(("text", "selected"), REPLACING)
def test_one_plain_name_makes_the_list_replace_the_defaults(text: str, selected: str) -> None:
    assert outline(BOOKS.parse(text)) == selected


@pytest.mark.parametrize(("text", "selected"), ADDING)
def test_signed_and_starred_names_alone_change_the_defaults(text: str | None, selected: str) -> None:
    assert outline(BOOKS.parse(text)) == selected


UNKNOWN = [
    ("price", "price"),
    ("+price", "price"),
    ("-price", "price"),
    ("*price", "price"),
    ("Title", "Title"),
    ("title.", "title."),
    (".title", ".title"),
    ("title.name", "title.name"),
    ("author.price", "author.price"),
    ("author..name", "author..name"),
    ("author. name", "author. name"),
    ("pages*", "pages*"),
    ("**author", "*author"),
    ("author.**", "author.**"),
    ("title,price,author.price", "price, author.price"),
    ("price,title,cost", "price, cost"),
    ("__class__", "__class__"),
    ("author.books.__init__", "author.books.__init__"),
    ("tïtle", "tïtle"),
    ("title;pages", "title;pages"),
    ("{}", "{}"),
]


@pytest.mark.parametrize(("text", "named"), UNKNOWN)
def test_fields_that_are_not_offered_are_refused_by_name(text: str, named: str) -> None:
    with pytest.raises(InvalidData) as refusal:
        BOOKS.parse(text)
    assert refusal.value.message == f"Requested fields [{named}] are not valid"


@pytest.mark.parametrize(
    "text",
    [
        "author.books.author.books.title",
        "*author.books.author.books",
        "+author.books.author.books",
        "author.books.author.books.*",
    ],
)
def test_four_relations_deep_is_allowed(text: str) -> None:
    assert "author(id books(id author(id books(id title" in outline(FieldSet(book).parse(f"id,{text}"))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("author.books.author.books.author.name", "author.books.author.books.author.name"),
        ("*author.books.author.books.author", "author.books.author.books.author"),
        ("author.books.author.books.author.*", "author.books.author.books.author"),
        ("title,author.books.author.books.author.books.author.id", "author.books.author.books.author.books.author.id"),
    ],
)
def test_five_relations_deep_is_refused_by_name(text: str, named: str) -> None:
    with pytest.raises(InvalidData) as refusal:
        BOOKS.parse(text)
    assert refusal.value.message == f"The following fields expand more than the maximum of 4 allowed relations: {named}"


class TestARouteThatRestrictsSelection:
    field_set = FieldSet(book, defaults="*author", offered=frozenset({"id", "title", "author.name", "chapters"}))

    def test_its_defaults_are_sent_whether_offered_or_not(self) -> None:
        assert outline(self.field_set.parse(None)) == DEFAULTS

    @pytest.mark.parametrize(
        ("text", "selected"),
        [
            ("title", "id title"),
            ("author.name", "id author(id name)"),
            ("chapters", "id chapters(id heading)"),
            ("title,chapters.*", "id title chapters(id heading)"),
            ("title,chapters.book.title", "id title chapters(id book(id title))"),
        ],
    )
    def test_offered_paths_and_all_below_them_are_taken(self, text: str, selected: str) -> None:
        assert outline(self.field_set.parse(text)) == selected

    @pytest.mark.parametrize("text", ["pages", "author", "author.born", "-pages", "author.books.title"])
    def test_others_are_refused_as_if_unknown(self, text: str) -> None:
        with pytest.raises(InvalidData, match=r"^Requested fields \[.+\] are not valid$"):
            self.field_set.parse(text)


def test_a_selection_answers_for_its_relations() -> None:
    selection = BOOKS.parse("author.name")
    assert selection.relation("author") == Selection(("id", "name"))
    assert selection.relation("chapters") is None


def test_the_order_of_the_request_does_not_matter() -> None:
    assert BOOKS.parse("chapters,pages,author.name,title") == BOOKS.parse("title,author.name,pages,chapters")
    assert hash(BOOKS.parse("pages,title")) == hash(BOOKS.parse("title,pages"))


def test_a_list_longer_than_the_bound_is_refused_and_one_at_the_bound_is_read() -> None:
    longest = ",".join(["title"] * (MAX_LENGTH // 6)).ljust(MAX_LENGTH, ",")
    assert outline(BOOKS.parse(longest)) == "id title"
    with pytest.raises(InvalidData, match="field 'fields' too big, expected at most: '8000' characters"):
        BOOKS.parse(f"{longest},")


def test_a_resource_without_an_id_gets_none() -> None:
    nameless = FieldSet(type(author)(scalars=("value",)))
    assert outline(nameless.parse("value")) == "value"
    assert outline(nameless.parse("")) == ""


def test_more_relations_than_a_request_may_bring_are_refused() -> None:
    """Each is a statement. A shape whose two relations lead to itself offers 30 paths up to the greatest depth."""
    tree = Shape(scalars=("id",), relations=dict.fromkeys(("left", "right", "root"), lambda: tree))
    paths = [f"{a}.{b}.{c}.{d}" for a, b, c, d in itertools.product(("left", "right"), repeat=4)]
    assert FieldSet(tree).parse(",".join(paths)).relation("left") is not None
    with pytest.raises(InvalidData) as refusal:
        FieldSet(tree).parse(",".join([*paths, "root.left", "root.right"]))
    assert refusal.value.message == "Requested fields expand more than the maximum of 32 relations"
