"""A search engine finds the products; the database decides the rest, and answers itself when the engine fails."""

from collections.abc import Iterable
from typing import Any

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

from catalog.models import Product
from kit.search import engines
from kit.search.engines import SearchEngine
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

PRODUCTS = "/store/products"


class Recorder(SearchEngine):
    """Finds by a table of words, and records what it was asked."""

    ids: dict[str, list[Any]] = {}
    asked: list[str] = []

    def find(self, words: tuple[str, ...]) -> Iterable[Any]:
        self.asked.append(" ".join(words))
        return self.ids[self.asked[-1]]


@pytest.fixture
def engine(settings: Settings) -> type[Recorder]:
    settings.SEARCH_ENGINES = {"catalog.product": f"{__name__}.Recorder"}
    Recorder.ids, Recorder.asked = {}, []
    return Recorder


@pytest.fixture
def teas() -> dict[str, Product]:
    own, other = SalesChannelFactory(), SalesChannelFactory()
    return {
        "Assam": ProductFactory(title="Assam", handle="assam", sales_channels=[own]),
        "Ceylon": ProductFactory(title="Ceylon", sales_channels=[own]),
        "draft": ProductFactory(title="Darjeeling", status="draft", sales_channels=[own]),
        "foreign": ProductFactory(title="Earl Grey", sales_channels=[other]),
    }


@pytest.fixture
def caller(teas: dict[str, Product]) -> Caller:
    return storefront(publishable_key(teas["Assam"].sales_channels.get()))


def titles(caller: Caller, query: str) -> tuple[int, list[str]]:
    answer = caller.get(PRODUCTS, query).json()
    return answer["count"], [product["title"] for product in answer["products"]]


@pytest.mark.parametrize("extra", ["", "&order=relevance", "&limit=1&offset=0"])
def test_its_best_come_first(engine: type[Recorder], teas: dict[str, Product], caller: Caller, extra: str) -> None:
    for name in ("Ceylon", "Assam"):
        other = "Assam" if name == "Ceylon" else "Ceylon"
        engine.ids = {"tea": ["prod_unknown", teas[name].pk, teas["draft"].pk, teas[other].pk]}
        count, found = titles(caller, f"q=tea{extra}")
        assert (count, found) == (2, [name, other][: 1 if "limit" in extra else 2])
    assert titles(caller, "q=tea&limit=1&offset=1") == (2, ["Ceylon"])


def test_what_it_finds_is_filtered_sorted_and_counted(
    engine: type[Recorder], teas: dict[str, Product], caller: Caller
) -> None:
    engine.ids = {"breakfast": [teas[name].pk for name in ("Ceylon", "foreign", "draft", "Assam")], "nothing": []}
    assert titles(caller, "q=Br%C3%A9akfast&order=title&limit=1") == (2, ["Assam"])
    assert titles(caller, "q=breakfast&order=-title") == (2, ["Ceylon", "Assam"])
    assert titles(caller, "q=breakfast&handle=assam") == (1, ["Assam"])
    assert titles(caller, "q=nothing") == (0, [])
    assert titles(caller, "$or[0][q]=breakfast&$or[1][handle]=none") == (2, ["Assam", "Ceylon"])
    assert engine.asked == ["breakfast"] * 3 + ["nothing", "breakfast"]


def test_graphql_asks_it_too(engine: type[Recorder], teas: dict[str, Product], caller: Caller) -> None:
    engine.ids = {"breakfast": [teas["Ceylon"].pk]}
    answer = data(ask(caller, '{ products(q: "breakfast") { count products { title } } }'))
    assert answer == {"products": {"count": 1, "products": [{"title": "Ceylon"}]}}


def test_only_the_first_thousand_count(
    engine: type[Recorder], teas: dict[str, Product], caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "MOST", 1)
    engine.ids = {"breakfast": [teas["Ceylon"].pk, teas["Assam"].pk]}
    assert titles(caller, "q=breakfast") == (1, ["Ceylon"])


def test_when_it_fails_the_database_answers(
    engine: type[Recorder], caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    assert titles(caller, "q=assam") == (1, ["Assam"])
    assert engine.asked == ["assam"]
    (record,) = [each for each in caplog.records if each.name == engines.__name__]
    assert record.getMessage() == f"{__name__}.Recorder failed: the database answers"


@pytest.mark.parametrize("found", [{"id": "prod_1"}, 5, None, "prod_\x001"])
def test_when_it_returns_what_no_id_can_be_the_database_answers(
    engine: type[Recorder], caller: Caller, caplog: pytest.LogCaptureFixture, found: object
) -> None:
    engine.ids = {"assam": [found]}
    assert titles(caller, "q=assam") == (1, ["Assam"])
    assert [each.message for each in caplog.records if each.name == engines.__name__] == [
        f"{__name__}.Recorder failed: the database answers"
    ]


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("nowhere.Nothing", "which cannot be imported: ModuleNotFoundError(\"No module named 'nowhere'\")."),
        (f"{__name__}.titles", "which is not a subclass of kit.search.engines.SearchEngine."),
    ],
)
def test_the_setting_names_an_engine(settings: Settings, name: str, fault: str) -> None:
    settings.SEARCH_ENGINES = {"catalog.product": name}
    (report,) = [each for each in run_checks() if each.id == "commerce.E006"]
    assert report.msg == f"PRODUCT_SEARCH_ENGINE names {name}, {fault}"
