"""How much one document may have written, and what it may bring in its variables."""

from typing import Any

import pytest
from django.conf import LazySettings

from apikeys.models import ApiKey
from kit.graphql import rendering
from kit.graphql.documents import limits
from kit.reads.plans import bounds
from tests.contract.callers import Caller
from tests.contract.shelves import stock
from tests.factories.products import ProductFactory, VariantFactory
from tests.kit.graphql.calls import ask, data, failures, refused

pytestmark = pytest.mark.django_db

INVALID = {"type": "invalid_data"}
OFTEN = " ".join(f"d{n}: description" for n in range(limits.MAX_KEYS + 1))
IDS = OFTEN.replace("description", "id")
TYPES = " ".join(f"d{n}: __typename" for n in range(limits.MAX_KEYS + 1))
PAGE = "{ productCategories(limit: 3) { productCategories { %s } } }"


@pytest.mark.parametrize(
    ("document", "field"),
    [
        (f"{{ a: products {{ ...A }} b: products {{ ...A }} }} fragment A on ProductList {{ products {{ {OFTEN} }} }}",
         "description"),
        (f"{{ products {{ products {{ variants {{ d0: product {{ {OFTEN} }} }} }} }} }}", "description"),
        (f"{{ product(id: 1) {{ {TYPES} }} }}", "__typename"),
        (f"{{ products {{ products {{ variants {{ product {{ {IDS} }} }} }} }} }}", "id"),
    ],
)  # fmt: skip
def test_a_value_stands_under_few_keys_of_one_object(document: str, field: str, store: Caller) -> None:
    assert refused(ask(store, document)) == [f"The field '{field}' stands under more than 5 keys of one object"]


@pytest.mark.parametrize(
    ("document", "values"),
    [
        (PAGE % "id name", 6),
        (PAGE % "a: name b: name", 6),
        ("{ a: productCategories(limit: 3) { productCategories { id } } b: productCategory(id: $id) { id } }", 3),
        ("{ productCategory(id: $id) { id categoryChildren { id name } } }", 4),
        ("{ productCategory(id: $id) { id categoryChildren { id parentCategory { id a: id } } } }", 8),
    ],
)
def test_all_values_of_a_document_are_counted(
    document: str, values: int, store: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stock()
    document = document.replace("$id", f'"{made["Food"].pk}"')
    monkeypatch.setattr(bounds, "MAX_VALUES", values)
    data(ask(store, document))
    monkeypatch.setattr(bounds, "MAX_VALUES", values - 1)
    ((_, message, extensions),) = failures(ask(store, document))
    assert message == f"The response holds more than {values - 1} values; request fewer rows or fewer fields"
    assert extensions == INVALID


@pytest.mark.parametrize("at_once", [0, 10_000], ids=["piece by piece", "at once"])
class TestBytes:
    DOCUMENT = """{
      products { count products { id title metadata variants { id product { title description } } } }
      none: product(id: 1) { id }
    }"""

    @pytest.fixture
    def answer(self, store: Caller) -> bytes:
        product = ProductFactory(title='Tea "ü"', description="x" * 1000, metadata={"a": [1, {"b": None}]})
        VariantFactory.create_batch(5, product=product)
        ProductFactory()
        return ask(store, self.DOCUMENT).content

    def test_an_answer_is_written_alike(
        self, at_once: int, answer: bytes, store: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rendering, "MOST_AT_ONCE", at_once)
        assert answer.count(b"x" * 1000) == 5
        assert ask(store, self.DOCUMENT).content == answer

    def test_an_answer_has_so_many_bytes(
        self, at_once: int, answer: bytes, store: Caller, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
    ) -> None:
        monkeypatch.setattr(rendering, "MOST_AT_ONCE", at_once)
        settings.MAX_GRAPHQL_ANSWER = len(answer)
        assert ask(store, self.DOCUMENT).content == answer
        settings.MAX_GRAPHQL_ANSWER = len(answer) - 1
        reported = f"The answer is larger than {len(answer) - 1} bytes; ask for fewer rows or fewer fields"
        assert refused(ask(store, self.DOCUMENT)) == [reported]


def test_a_change_whose_answer_is_too_large_is_not_kept_for_its_key(admin: Caller, settings: LazySettings) -> None:
    settings.MAX_GRAPHQL_ANSWER = 10
    text = 'mutation { createApiKey(input: {title: "A", type: "secret"}) { apiKey { id } } }'
    assert "larger than 10 bytes" in refused(ask(admin, text, Idempotency_Key="once"))[0]
    assert not ApiKey.objects.filter(title="A").exists()


@pytest.mark.parametrize(
    "selection",
    [
        "products(limit: 1) @skip(if: $v) { count }",
        "products(limit: 1) { count @include(if: $v) }",
        "products(limit: 1) { ...A @include(if: $v) } ",
        "products(limit: 1) { ... @skip(if: $v) { count } }",
        "products(limit: 1) { products { id @skip(if: $v) } }",
        "products(limit: 1) { products { variants { ... @include(if: $v) { id } } } }",
    ],
)
def test_a_null_that_steers_is_refused(selection: str, store: Caller, caplog: pytest.LogCaptureFixture) -> None:
    fragment = "fragment A on ProductList { count }" if "...A" in selection else ""
    response = ask(store, f"query($v: Boolean = true) {{ {selection} }} {fragment}", {"v": None})
    assert refused(response) == ["Argument 'if' of non-null type 'Boolean!' must not be null."]
    assert "failed" not in caplog.text


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ('query($i: ID = "x") { product(id: $i) { id } }', "Argument 'id' of non-null type 'ID!' must not be null."),
        ('query($i: ID = "x") { products(id: [$i]) { count } }', "Argument 'id' has invalid value [$i]."),
        ('query($i: ID = "x") { products(or: [{id: [$i]}]) { count } }', "Argument 'or' has invalid value"),
        ('query($i: DateTime = "x") { products(createdAt: {in: [$i]}) { count } }', "Argument 'createdAt' has invalid"),
        ('mutation($i: String = "x") { createApiKey(input: {title: $i, type: "secret"}) { apiKey { id } } }',
         "Argument 'input' has invalid value"),
    ],
)  # fmt: skip
def test_a_null_where_an_argument_takes_none_is_refused(
    document: str, message: str, admin: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    ((_, reported, extensions),) = failures(ask(admin, document, {"i": None}))
    assert message in reported
    assert extensions == INVALID
    assert "failed" not in caplog.text


def test_long_lists_of_a_variable_are_refused_before_they_are_read(store: Caller) -> None:
    ids: list[Any] = [None] * (limits.MAX_VALUES + 1)
    reported = ["Variable '$i' has more than 2000 values in its lists"]
    assert refused(ask(store, "query($i: [ID!]) { products(id: $i) { count } }", {"i": ids})) == reported
    nested = {"or": [{"id": ids}]}
    assert refused(ask(store, "query($i: ProductFilter!) { products(or: [$i]) { count } }", {"i": nested})) == reported
    ids = ["x"] * 1000
    assert data(ask(store, "query($i: [ID!]) { products(id: $i) { count } }", {"i": ids})) == {"products": {"count": 0}}


@pytest.mark.parametrize(
    ("type_", "argument", "value", "message"),
    [
        ("Int", "limit", True, "Variable '$v' got invalid value true; Int cannot represent non-integer value: true"),
        ("[ID!]", "id", [None], "Expected non-nullable type 'ID!' not to be null."),
        ("DateFilter", "createdAt", True, "Expected type 'DateFilter' to be an object."),
        ("DateFilter", "createdAt", {"gt": True}, "cannot represent a value that is not a text: true"),
        ("Int", "limit", "None", "Int cannot represent non-integer value: 'None'"),
    ],
)
def test_messages_speak_of_values_as_json_does(
    type_: str, argument: str, value: Any, message: str, store: Caller
) -> None:
    (reported,) = refused(ask(store, f"query($v: {type_}) {{ products({argument}: $v) {{ count }} }}", {"v": value}))
    assert message in reported
