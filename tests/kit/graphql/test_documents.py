"""Which documents are read at all: their limits, what they may ask for, and which of them are kept."""

from typing import Any

import pytest
from django.conf import LazySettings

from commerce.schema import SCHEMA
from kit.graphql.documents import documents, limits
from kit.graphql.documents.documents import Documents
from kit.graphql.errors import Refusal
from kit.graphql.fields.selections import MAX_TREE_LEVELS
from kit.query.selection import MAX_RELATIONS
from tests.catalog.trees import chain_of
from tests.contract.callers import Caller, importer
from tests.contract.shelves import stock
from tests.factories.apikeys import secret_key
from tests.kit.graphql.calls import ask, data, refused

pytestmark = pytest.mark.django_db

ROWS = "{ productCategories { productCategories { %s } } }"


def nested(depth: int, name: str = "parentCategory") -> str:
    return f"{name} {{ " * depth + "id" + " }" * depth


ALIASES = " ".join(f"a{n}: id" for n in range(101))
RELATIONS = [f"a{n}: parentCategory {{ id }}" for n in range(33)]
CHAIN = [f"fragment A{n} on ProductCategory {{ parentCategory {{ ...A{n + 1} }} }}" for n in range(50)]
TWO = f"a: {ROWS[1:-1]} b: {ROWS[1:-1]}"
ON = "fragment A on ProductCategory"

REFUSED: list[tuple[str, str, str]] = [
    ("nothing", "", "Syntax Error: Unexpected <EOF>."),
    ("half of one", "{ a ", "Syntax Error: Expected Name, found <EOF>."),
    ("a schema", "type A { b: Int }", "The 'A' definition is not executable."),
    ("a subscription", "subscription { a }", "Subscriptions are not supported"),
    ("an unknown field", "{ nope }", "Cannot query field 'nope' on type 'Query'."),
    ("an unknown argument", "{ productCategories(nope: 1) { count } }", "Unknown argument 'nope' on field"),
    ("an unknown variable", "{ productCategories(limit: $a) { count } }", "Variable '$a' is not defined."),
    ("an unknown fragment", ROWS % "...A", "Unknown fragment 'A'."),
    ("a wide ring", ROWS % "...A" + ON + "{ parentCategory { ...A } }", "The document is nested deeper than 20 levels"),
    ("a tight ring", ROWS % "...A" + ON + "{ id ...A }", "Cannot spread fragment 'A' within itself."),
    ("fields in conflict", ROWS % "a: id a: name", "Fields 'a' conflict"),
    ("a NUL character", '{ products(q: "a\\u0000") { count } }', "NUL character in a text of the document"),
    ("half a character", '{ products(q: "\\uD800") { count } }', "Syntax Error: Invalid Unicode escape sequence"),
    ("1,000 aliases", "{" + "a: __typename " * 1000 + "}", "Syntax Error: Document contains more than 2000 tokens"),
    ("101 aliases", ROWS % ALIASES, "The document has more than 100 aliases"),
    ("as many that nobody uses", "{ __typename }" + ON + "{" + ALIASES + "}", "The document has more than 100 aliases"),
    ("1,000 fields", ROWS % ("id " * 1000), "The document has more than 300 fields"),
    ("11 root fields", "{ ...A " + "__typename " * 10 + "} fragment A on Query { __typename }",
     "The operation has more than 10 root fields"),
    ("depth 50", ROWS % nested(48), "The document is nested deeper than 20 levels"),
    ("depth 50 without names", "{ ..." * 50 + "{ __typename" + "}" * 51, "The document is nested deeper than"),
    ("depth 50 by fragments", ROWS % "...A0" + "".join(CHAIN) + "fragment A50 on ProductCategory { id }",
     "The document is nested deeper than 20 levels"),
    ("a million blanks", "{ __typename }" + " " * 1_000_000, "Source contains more than 100000"),
    ("a million in a comment", "#" + "a" * 999_999 + "\n{ __typename }", "Source contains more than 100000"),
    ("a million in a text", '{ products(q: "' + "a" * 999_999 + '") { id } }', "Source contains more than 100000"),
    ("1,000 comments", "#\n" * 1000 + "{ __typename }", "Syntax Error: Document contains more than 500 comments"),
    ("deep values", "{ products(q: " + "[" * 900 + "]" * 900 + ") { count } }", "nested too deeply"),
    ("five relations deep", ROWS % f"products {{ categories {{ products {{ categories {{ {nested(1)} }} }} }} }}",
     "more than the maximum of 4 allowed relations: products.categories.products.categories.parentCategory"),
    ("13 levels up a tree", ROWS % nested(13), "more than the maximum of 12 levels of a tree: parentCategory."),
    ("13 levels of a tree, up and down", ROWS % f"categoryChildren {{ {nested(12)} }}", "12 levels of a tree"),
    ("33 relations", ROWS % " ".join(RELATIONS), "expand more than the maximum of 32 relations"),
    ("33 relations in two fields", f"{{ {TWO % (' '.join(RELATIONS[:16]), ' '.join(RELATIONS[16:]))} }}",
     "expand more than the maximum of 32 relations"),
    ("11 readings of one page", "{ products { " + " ".join(f"a{n}: products {{ id }}" for n in range(11)) + "} }",
     "The operation reads more than 10 pages and resources"),
    ("11 readings in two fields", "{ a: products { x: products { id } y: products { id } } product(id: 1) { id } "
     + " ".join(f"b{n}: products {{ products {{ id }} }}" for n in range(8)) + "}",
     "The operation reads more than 10 pages and resources"),
    ("a variable of another type", "query ($a: String) { products(limit: $a) { count } }", "Variable '$a' of type"),
    ("two operations, none named", "query A { __typename } query B { __typename }", "Must provide operation name"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_a_document_that_may_not_be_is_refused(text: str, message: str, store: Caller) -> None:
    assert message in refused(ask(store, text))[0]


def test_as_much_as_is_allowed_is_executed(store: Caller) -> None:
    stock()
    relations = " ".join(f"a{n}: parentCategory {{ id }}" for n in range(MAX_RELATIONS - MAX_TREE_LEVELS))
    repeated = [f"{name}{n}: {name}" for name in ("id", "name", "handle") for n in range(limits.MAX_KEYS)]
    text = ROWS % f"{nested(MAX_TREE_LEVELS)} {relations} {' '.join(repeated)}"
    rows = data(ask(store, text))["productCategories"]["productCategories"]
    assert len(rows[0]) == 1 + MAX_RELATIONS - MAX_TREE_LEVELS + 15


def test_a_tree_is_shown_as_whole_as_by_rest(store: Caller) -> None:
    names = [each.name for each in chain_of(MAX_TREE_LEVELS + 1)]
    flags = "parent_category_id=null&include_descendants_tree=true&fields=name,category_children.name"
    by_rest = store.get("/store/product-categories", flags).json()["product_categories"]
    tree = "name categoryChildren { " * MAX_TREE_LEVELS + "name" + " }" * MAX_TREE_LEVELS
    document = f"{{ productCategories(parentCategoryId: null) {{ productCategories {{ {tree} }} }} }}"
    shown = data(ask(store, document))["productCategories"]["productCategories"]
    assert chain(by_rest, "category_children") == chain(shown, "categoryChildren") == names


def chain(rows: list[dict[str, Any]], below: str) -> list[str]:
    """The names of single children, from the root down."""
    return [row["name"] for row in rows] + [name for row in rows for name in chain(row.get(below, []), below)]


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"n": "a"}, "Variable '$n' got invalid value 'a'; Int cannot represent non-integer value: 'a'"),
        ({}, "Variable '$n' of required type 'Int!' was not provided."),
        ({"n": None}, "Variable '$n' of non-null type 'Int!' must not be null."),
        ({"n": 2**31}, "Int cannot represent non 32-bit signed integer value"),
    ],
)
def test_variables_that_do_not_fit_are_refused(variables: dict[str, Any], message: str, store: Caller) -> None:
    assert message in refused(ask(store, "query ($n: Int!) { productCategories(limit: $n) { limit } }", variables))[0]


def test_a_refusal_before_execution_says_where(store: Caller) -> None:
    (error,) = ask(store, "{ nope }").json()["errors"]
    assert error == {
        "message": "Cannot query field 'nope' on type 'Query'.",
        "locations": [{"line": 1, "column": 3}],
        "extensions": {"type": "invalid_data"},
    }


class TestTheSchemaItself:
    TEXT = '{ __schema { queryType { name } } a: __type(name: "Product") { name } }'
    ANSWER = {"__schema": {"queryType": {"name": "Query"}}, "a": {"name": "Product"}}

    def test_is_shown_to_everybody_in_development(self, store: Caller) -> None:
        assert data(ask(store, self.TEXT)) == self.ANSWER

    def test_is_shown_to_staff_alone_in_production(self, store: Caller, settings: LazySettings) -> None:
        staff = importer(secret_key())
        settings.PRODUCTION = True
        for text in (
            self.TEXT,
            "{ ...A } fragment A on Query { ...B } fragment B on Query { x: __schema { __typename } }",
        ):
            assert refused(ask(store, text, x_graphql_request="true")) == ["Only staff may introspect the schema"]
        assert data(ask(staff, self.TEXT, x_graphql_request="true")) == self.ANSWER
        assert refused(ask(store, self.TEXT, x_graphql_request="true")) == ["Only staff may introspect the schema"]


class TestKeeping:
    def test_a_valid_document_is_read_once(self) -> None:
        kept = Documents(SCHEMA.types)
        assert kept.read("{ __typename }") is kept.read("{ __typename }")
        assert kept.read("{ __typename }") is not kept.read("{ __typename  }")

    def test_the_least_used_goes_first(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(documents, "MOST_KEPT", 2)
        kept = Documents(SCHEMA.types)
        first, second = kept.read("{ a: __typename }"), kept.read("{ b: __typename }")
        assert kept.read("{ a: __typename }") is first
        kept.read("{ c: __typename }")
        assert kept.read("{ a: __typename }") is first
        assert kept.read("{ b: __typename }") is not second

    def test_all_of_them_together_are_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(documents, "MOST_KEPT_CHARACTERS", 100)
        kept = Documents(SCHEMA.types)
        first = kept.read("{ a: __typename }")
        kept.read("{ b: __typename }" + " " * 60)
        assert kept.read("{ a: __typename }") is first
        kept.read("{ c: __typename }")
        kept.read("{ b: __typename }" + " " * 60)
        kept.read("{ d: __typename }")
        assert kept.read("{ a: __typename }") is not first

    def test_a_long_one_is_not_kept(self) -> None:
        kept = Documents(SCHEMA.types)
        long = "{ __typename }" + " " * documents.LONGEST_KEPT
        assert kept.read(long) is not kept.read(long)

    def test_a_refused_one_is_not_kept(self) -> None:
        kept = Documents(SCHEMA.types)
        for _ in range(2):
            with pytest.raises(Refusal):
                kept.read("{ nope }")
        assert not kept._kept

    def test_plans_are_kept_for_what_steers_them(self, store: Caller) -> None:
        stock()
        text = """query A($x: Boolean!, $n: Int) {
          productCategories(limit: $n) { productCategories { id @skip(if: $x) } }
        } query B { __typename }"""
        seen = [
            list(data(store.post("/graphql", {"query": text, "operationName": "A", "variables": variables})).values())
            for variables in ({"x": True, "n": 1}, {"x": False, "n": 2}, {"x": True, "n": 3})
        ]
        counts = [[len(row) for row in page["productCategories"]] for (page,) in seen]
        assert counts == [[0], [1, 1], [0, 0, 0]]
        data(store.post("/graphql", {"query": text, "operationName": "B"}))
        assert len(SCHEMA.documents.read(text).plans) == 3


ROWS_TWICE = "a: productCategories { id } b: productCategories { name }"


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        (
            '{ a: productCategories(q: "a b c d") { count } b: productCategories(q: "A b c d") { count } }',
            '{ a: productCategories(q: "a b c d") { count } b: productCategories(q: "A b c d e") { count } }',
        ),
        (
            f'{{ b: productCategories(q: "a b c d") {{ {ROWS_TWICE} }} }}',
            f'{{ b: productCategories(q: "a b c d e") {{ {ROWS_TWICE} }} }}',
        ),
    ],
)
def test_all_searches_of_a_document_share_eight_words(store: Caller, within: str, beyond: str) -> None:
    data(ask(store, within))
    assert refused(ask(store, beyond)) == ["The searches of the document hold more than 8 words in field 'q'"]
