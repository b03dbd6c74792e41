"""The best matches come first: by the beginning of the title, its words, codes, then other texts."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from kit.reads import reading
from kit.search import ranking
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.products import ProductFactory, VariantFactory
from tests.kit.graphql.calls import ask

pytestmark = pytest.mark.django_db


@pytest.fixture
def store() -> Caller:
    return storefront(publishable_key())


def found(store: Caller, query: str) -> list[str]:
    answer = store.get("/store/products", quote(f"fields=title&{query}", safe="=&$[]")).json()
    assert answer["count"] >= len(answer["products"])
    return [product["title"] for product in answer["products"]]


@pytest.fixture
def teas() -> None:
    """The least relevant are the oldest, so that they come first by id."""
    ProductFactory(title="Breakfast", description="Blended with Assam.", handle="breakfast")
    coded = ProductFactory(title="Sampler", handle="sampler")
    VariantFactory(product=coded, title="Box", sku="ASSAM-BOX")
    ProductFactory(title="Tin", handle="for-assam")
    ProductFactory(title="Darjeelassam", handle="d1")
    ProductFactory(title="Second flush Assam", handle="d2")
    ProductFactory(title="Ässam Gold", handle="d3")
    ProductFactory(title="ASSAM", handle="d4")


RANKED = ["ASSAM", "Ässam Gold", "Second flush Assam", "Darjeelassam", "Sampler", "Tin", "Breakfast"]


@pytest.mark.usefixtures("teas")
@pytest.mark.parametrize("query", ["q=assam", "q=Assam&order=relevance", "$and[0][q]=assam"])
def test_titles_come_before_codes_and_codes_before_texts(store: Caller, query: str) -> None:
    assert found(store, query) == RANKED


@pytest.mark.usefixtures("teas")
def test_the_order_that_is_asked_for_is_kept(store: Caller) -> None:
    assert found(store, "q=assam&order=id") == ["Breakfast", "Sampler", "Tin", *reversed(RANKED[:4])]
    assert found(store, "")[:2] == ["Breakfast", "Sampler"]


@pytest.mark.usefixtures("teas")
def test_graphql_ranks_alike(store: Caller) -> None:
    for order in ("", ', order: "relevance"'):
        response = ask(store, f'{{ products(q: "assam"{order}) {{ count products {{ title }} }} }}').json()
        products = response["data"]["products"]
        assert ([product["title"] for product in products["products"]], products["count"]) == (RANKED, 7)


@pytest.fixture(params=[1000, 4, 3])
def most(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """How many matches are ranked."""
    monkeypatch.setattr("kit.reads.lists.ranked_pages.MOST_RANKED", request.param)
    reading._kept_statement.cache_clear()
    yield request.param
    reading._kept_statement.cache_clear()


@pytest.mark.usefixtures("teas")
def test_pages_together_have_every_match_once(store: Caller, most: int) -> None:
    """Of more matches than are ranked, the first by id are; the others follow by id."""
    if most == 1000:
        expected = RANKED
    else:
        first = [title for title in RANKED if title in ("Breakfast", "Sampler", "Tin", "Darjeelassam")[:most]]
        expected = first + ["Darjeelassam", "Second flush Assam", "Ässam Gold", "ASSAM"][most - 3 :]
    for limit in (1, 2, 3, 5, 7):
        pages = [found(store, f"q=assam&limit={limit}&offset={offset}") for offset in range(0, 7, limit)]
        assert [title for page in pages for title in page] == expected
    assert found(store, "q=assam&offset=7") == []


def test_equal_ranks_are_sorted_by_id(store: Caller) -> None:
    for number in range(5):
        ProductFactory(title=f"Mug {number}")
    assert found(store, "q=mug") == [f"Mug {number}" for number in range(5)]


def test_several_words_and_scripts(store: Caller) -> None:
    for title, description in {
        "Tasse": "抹茶 用",
        "宇治抹茶パウダー": "",
        "抹茶": "",
        "Gold tea": "From Assam",
        "Tea, Assam": "gold",
        "Assam tea": "gold",
        "O’Brien’s tea": "",
        "Pot": "for O'Brien",
    }.items():
        ProductFactory(title=title, description=description)
    assert found(store, "q=抹茶") == ["抹茶", "宇治抹茶パウダー", "Tasse"]
    assert found(store, "q=assam tea") == ["Assam tea", "Tea, Assam", "Gold tea"]
    assert found(store, "q=o'brien") == ["O’Brien’s tea", "Pot"]


def test_a_code_counts_even_if_the_description_mentions_it(store: Caller) -> None:
    ProductFactory(title="Filter", description="For the PX-100%_")
    VariantFactory(product=ProductFactory(title="Pot", description="The px-100%_ boils"), sku="PX-100%_")
    VariantFactory(product=ProductFactory(title="Kettle", description="As px-100 was"), sku="PXX100%_")
    assert found(store, "q=PX-100%_") == ["Pot", "Filter"]


def test_short_words_rank_by_beginnings(store: Caller) -> None:
    ProductFactory(title="Plate", description="for te", handle="p1")
    ProductFactory(title="Green tea", handle="p2")
    assert found(store, "q=te") == ["Green tea", "Plate"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("order=relevance", "Order field relevance needs the field 'q'"),
        ("order=relevance&$or[0][q]=tea&$or[1][q]=mug", "Order field relevance needs the field 'q'"),
        ("q=tea&order=-relevance", "Order field relevance is always the best first: leave out the '-'"),
    ],
)
def test_what_cannot_be_ranked_is_refused(store: Caller, query: str, message: str) -> None:
    answer = store.get("/store/products", query)
    assert (answer.status_code, answer.json()["message"]) == (400, message)


def test_other_lists_are_ranked_too(store: Caller) -> None:
    product = ProductFactory(title="Tea")
    for title, sku in (("Box", "SMALL-1"), ("Extra small", "E-2"), ("Small", "S-3")):
        VariantFactory(product=product, title=title, sku=sku)
    answer = store.get("/store/product-variants", "q=small&fields=title").json()
    assert [variant["title"] for variant in answer["variants"]] == ["Small", "Extra small", "Box"]


def test_the_bound_is_what_the_documentation_says() -> None:
    assert ranking.MOST_RANKED == 1000
